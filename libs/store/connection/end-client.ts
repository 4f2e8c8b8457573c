// The end of a connection that belongs to no pool.
import type { Socket } from 'node:net';
import type pg from 'pg';

/** A server that is gone, or that ended the connection on its side alone, never tells that it has ended here. */
const endMs = 2000;

/** Ends a connection at once, whatever it does and whoever is at its other end. */
export function dropClient(client: pg.Client | pg.PoolClient): void {
  // A field of node-postgres that its types leave out.
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

/** Ends a connection as its server expects it; where that does not answer within two seconds, without it. Throws nothing. */
export async function endClient(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => dropClient(client), endMs);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
}

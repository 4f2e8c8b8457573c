// Short connections to the embedded server: is it up, is it the one we mean, does our database exist.
import pg from 'pg';
import { z } from 'zod';
import { databaseUser } from './settings.ts';
import { column } from '../connection/columns.ts';
import { openClient } from '../connection/own-client.ts';
import { readOn } from '../connection/reader.ts';
import { sql } from '../connection/sql.ts';

/** What one attempt to connect learned. `starting` is also said by a server that shuts down. */
export type Answer = 'ready' | 'starting' | 'silent' | 'other_server';

/** The URL of a database behind a Unix socket; the percent-encoded host is understood by pg and by slonik. */
export function socketUrl(socketDir: string, port: number, database: string): string {
  return `postgresql://${databaseUser}@${encodeURIComponent(socketDir)}:${port}/${database}`;
}

const DirRow = z.strictObject({ dir: column.text });

/** Connects once to the server behind the socket and checks that it serves `clusterDir`. Other failures than the named are thrown. */
export async function askServer(socketDir: string, port: number, clusterDir: string): Promise<Answer> {
  const client = new pg.Client({
    connectionString: socketUrl(socketDir, port, 'postgres'),
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => undefined); // A server that dies during the question is told by the rejected query.
  try {
    await client.connect();
    const [found] = await readOn(client, sql.type(DirRow)`SELECT current_setting('data_directory') AS dir`);
    return found?.dir === clusterDir ? 'ready' : 'other_server';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === '57P03') return 'starting';
    if (
      code === 'ENOENT' ||
      code === 'ECONNREFUSED' ||
      code === 'ECONNRESET' ||
      code === 'EPIPE' ||
      code === 'ENOTSOCK'
    )
      return 'silent';
    // No code: pg's own "Connection terminated" and its connection timeout.
    if (code === undefined) return 'silent';
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Creates the database if it is missing; two processes may do so at the same moment. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  const client = await openClient({ connectionString: adminUrl });
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } catch (error) {
    // duplicate_database, or the unique index of pg_database: another process was faster.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== '42P04' && code !== '23505') throw error;
  } finally {
    await client.end();
  }
}

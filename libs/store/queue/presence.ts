// A worker's sign of life: a connection that holds an advisory lock under the worker's number. It ends with the process (or its
// host: keepalives), so the others see a dead worker at once and without heartbeats. Needs the direct URL, not a pooler.
import pg from 'pg';
import { z } from 'zod';
import { column } from '../connection/columns.ts';
import { dropClient, endClient } from '../connection/end-client.ts';
import { readOn } from '../connection/reader.ts';
import { sql } from '../connection/sql.ts';

/** First key of the advisory locks of workers; the second is the worker's number. "muni" in ASCII. */
export const presenceClass = 0x6d756e69;

const WorkerRow = z.strictObject({ worker: column.int, locked: column.bool });

/** A presence; `onLost` of openPresence is told where the connection ends before `close`. `lose` ends one that the database knows no more. */
export type Presence = {
  readonly worker: number;
  readonly isLost: () => boolean;
  lose(): void;
  close(): Promise<void>;
};

/** How long the server may take to answer. Without an end a worker whose connection is lost right then would claim nothing more, nor stop. */
const answerMs = 5000;

/**
 * Connects and takes a new worker number. Where the connection is lost the number is gone for good: what ran under it may be given
 * to others, so stop it and open a new presence.
 */
export async function openPresence(url: string, onLost: () => void): Promise<Presence> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'muniment worker presence',
    keepAlive: true,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    // A host that is gone without a word is noticed by the server within half a minute (ignored on Unix sockets).
    options:
      '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c idle_session_timeout=0',
  });
  let isClosed = false;
  let isLost = false;
  let isOpen = false;
  client.on('error', () => undefined);
  client.on('end', () => {
    isLost = true;
    // A connection that never came up is told by the exception; telling it here as well would make its caller try again at once.
    if (isOpen && !isClosed) onLost();
  });
  try {
    await client.connect();
    const [row] = await readOn(
      client,
      sql.type(WorkerRow)`
        SELECT number::int AS worker, pg_try_advisory_lock(${presenceClass}, number::int) AS locked FROM nextval('worker_number') AS number`,
    );
    const worker = row?.worker;
    if (worker === undefined) throw new Error('no worker number');
    isOpen = true;
    return {
      worker,
      isLost: () => isLost,
      lose: () => {
        isLost = true;
        dropClient(client);
      },
      close: async () => {
        isClosed = true;
        await endClient(client);
      },
    };
  } catch (error) {
    isClosed = true;
    await endClient(client);
    throw error;
  }
}

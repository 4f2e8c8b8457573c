// What is to be written to, and read as of now, goes to a primary. Behind a proxy or a name that moves, a new connection may reach the server that was the
// primary a moment ago and is a replica now: it would show the past, and refuse to write.
import type pg from 'pg';
import { fail } from '#domain/errors.ts';
import { column } from './columns.ts';
import { z } from 'zod';
import { readOn } from './reader.ts';
import { sql } from './sql.ts';

const RecoveryRow = z.strictObject({ standby: column.bool });

/** For a pool (`verify`): whether a new connection may be used. One to a replica may not; whoever waits for it gets `unavailable`, and the connection is ended. */
export function onlyToPrimary(client: pg.PoolClient, done: (error?: Error) => void): void {
  readOn(client, sql.type(RecoveryRow)`SELECT pg_is_in_recovery() AS standby`).then(
    ([row]) =>
      done(row?.standby === true ? fail('unavailable', 'The database is a replica at this moment') : undefined),
    (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
  );
}

// Who waits for a lock: for tests of what happens at one moment. Of this database alone, since other files of the run have locks of their own in the cluster.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Database, Transaction } from '#store/connection/database.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';

/** How many statements wait for a lock in a database. */
export async function lockWaits(database: Database): Promise<number> {
  const row = await database.reader.one(sql.type(NumberRow)`
    SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  return row.n;
}

/** Resolves when the work is done or refused, or somebody waits for a lock. What is done tells it by itself; who waits goes on waiting, and is asked after less often than would take the work's processor from it. */
export async function doneOrWaiting(database: Database, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = work.then(
    () => (isDone = true),
    () => (isDone = true),
  );
  do await Promise.race([done, sleep(10)]);
  while (!isDone && (await lockWaits(database)) === 0);
}

/** Runs `first` in a transaction that ends only when `second`, begun behind it, waits for a lock. Gives what `second` gives. */
export async function beside<T>(
  database: Database,
  first: (tx: Transaction) => Promise<unknown>,
  second: () => Promise<T>,
): Promise<T> {
  const [isDone, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const running = database.transaction(async (tx) => {
    await first(tx);
    isDone.resolve();
    await mayCommit.promise;
  });
  await Promise.race([isDone.promise, running]);
  const waiting = second();
  await expect.poll(() => lockWaits(database)).toBe(1);
  mayCommit.resolve();
  const [, outcome] = await Promise.all([running, waiting]);
  return outcome;
}

// Work on connections that ends with a signal: statements that run are canceled in the server, and nothing is kept of them.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Database } from '#store/connection/database.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 4 });
  await database.transaction((tx) => tx.run(sql`CREATE TABLE trial (n int)`));
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});
beforeEach(() => database.transaction((tx) => tx.run(sql`TRUNCATE trial`)));

const why = new Error('enough');
const sleepers = async (): Promise<number> =>
  (
    await database.reader.one(sql.type(NumberRow)`
      SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()`)
  ).n;
const kept = async (): Promise<number> =>
  (await database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM trial`)).n;

/** Ends the work once its statement runs, which would go on for days; gives what it threw. */
async function ended(work: (bound: Database) => Promise<unknown>): Promise<unknown> {
  const end = new AbortController();
  const working = work(database.until(end.signal)).then(
    () => 'it came to its end',
    (error: unknown) => error,
  );
  await expect.poll(sleepers, { interval: 10 }).toBe(1);
  end.abort(why);
  const error = await working;
  await expect.poll(sleepers, { interval: 10 }).toBe(0);
  return error;
}

test.each([
  ['a read', (bound: Database) => bound.reader.any(sql.type(AnyRow)`SELECT pg_sleep(1e6)`)],
  [
    'a transaction, of which nothing stays',
    (bound: Database) =>
      bound.transaction(async (tx) => {
        await tx.run(sql`INSERT INTO trial VALUES (1)`);
        await tx.run(sql`SELECT pg_sleep(1e6)`);
      }),
  ],
  [
    'a transaction that waits for its end in many statements',
    (bound: Database) =>
      bound.transaction(async (tx) => {
        for (let n = 0; n < 1e9; n++) {
          await tx.run(sql`INSERT INTO trial VALUES (${n})`);
          await tx.run(sql`SELECT pg_sleep(0.001)`);
        }
      }),
  ],
  [
    'a transaction that would go on after the statement failed',
    (bound: Database) =>
      bound.transaction(async (tx) => {
        await tx.run(sql`INSERT INTO trial VALUES (1)`);
        await tx.nested(() => tx.any(sql.type(AnyRow)`SELECT pg_sleep(1e6)`)).catch(() => undefined);
        await tx.run(sql`INSERT INTO trial VALUES (2)`).catch(() => undefined);
      }),
  ],
  [
    'a connection that is lent out',
    (bound: Database) => bound.withClient((client) => client.query('SELECT pg_sleep(1e6)')),
  ],
])('%s ends with the signal, and throws its reason', async (_what, work) => {
  expect(await ended(work)).toBe(why);
  expect(await kept()).toBe(0);
});

test('nothing is begun after the signal, and what has to be tidied up can be', async () => {
  const bound = database.until(AbortSignal.abort(why));
  for (const work of [
    bound.reader.any(sql.type(AnyRow)`SELECT 1`),
    bound.transaction(async () => undefined),
    bound.withClient(async () => undefined),
  ])
    await expect(work).rejects.toBe(why);
  await bound.unbound.transaction((tx) => tx.run(sql`INSERT INTO trial VALUES (1)`));
  expect(await kept()).toBe(1);
});

test('a transaction whose work is done when the signal comes does not commit', async () => {
  const end = new AbortController();
  await expect(
    database.until(end.signal).transaction(async (tx) => {
      await tx.run(sql`INSERT INTO trial VALUES (1)`);
      end.abort(why);
    }),
  ).rejects.toBe(why);
  expect(await kept()).toBe(0);
});

test('other work goes on: the next statements of the pool, and those beside it', async () => {
  const beside = database.reader.any(sql.type(AnyRow)`
    SELECT n FROM generate_series(1, 3) AS n, LATERAL (SELECT pg_sleep(0.5 + n * 0)) AS s`);
  const end = new AbortController();
  const working = Array.from({ length: 2 }, () =>
    database
      .until(end.signal)
      .reader.any(sql.type(AnyRow)`SELECT pg_sleep(1e6)`)
      .catch((error: unknown) => error),
  );
  await expect.poll(sleepers, { interval: 10 }).toBe(3);
  end.abort(why);
  expect(await Promise.all(working)).toEqual([why, why]);
  for (let n = 0; n < 20; n++)
    expect(await database.reader.one(sql.type(AnyRow)`SELECT 1 AS one FROM (SELECT pg_sleep(0.005)) AS s`)).toEqual({
      one: 1,
    });
  expect(await beside).toHaveLength(3);
  await expect.poll(() => database.poolUse.total - database.poolUse.idle).toBe(0);
});

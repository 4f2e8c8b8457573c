// Steps of a job: each is committed by itself, the last one with the end of the job, and what was done before a failure stays.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NumberRow } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import type { Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import type { Step } from '#store/records/visibility/in-steps.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { runSteps } from '../../../../apps/worker/job-steps/in-steps.ts';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 3 });
  await database.transaction((tx) => tx.run(sql`CREATE TABLE done (n int, of_end boolean)`));
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

const count = async (isEnd: boolean): Promise<number> =>
  (await database.reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM done WHERE of_end = ${isEnd}`)).n;
const step = (n: number): Step => ({
  records: n,
  work: async (tx) => {
    if (n < 0) throw new Error('failed');
    return tx.run(sql`INSERT INTO done SELECT ${n}::int, false FROM generate_series(1, ${n}::int)`);
  },
});

const how = { label: 'Doing', timeoutSeconds: 60 };

test('steps are committed one by one, and told; the end of the job is in the last', async () => {
  const seen: unknown[] = [];
  const context = {
    transaction: <T>(work: (tx: Transaction) => Promise<T>) => database.transaction(work),
    complete: async (tx: Transaction, value: unknown) => {
      seen.push(value);
      await tx.run(sql`INSERT INTO done VALUES (0, true)`);
    },
    progress: (progress: unknown) => void seen.push(progress),
  };
  await expect(runSteps(context, [step(2), step(-1), step(1)], how)).rejects.toThrow('failed');
  expect([await count(false), await count(true)]).toEqual([2, 0]);
  expect(await runSteps(context, [step(3), step(1)], how)).toEqual({ written: 4 });
  expect([await count(false), await count(true)]).toEqual([6, 1]);
  expect(seen).toEqual([
    { label: 'Doing', done: 2, total: 2 },
    { label: 'Doing', done: 3, total: 4 },
    { written: 4 },
    { label: 'Doing', done: 4, total: 4 },
  ]);
});

// The session of a migration lives as long as its job runs, however that ends; and migrations are listed with their loads.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadRecords } from '#domain/jobs/load-records.ts';
import { migrateFrom } from '#domain/jobs/migrate-from.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { keepSourceSession, listMigrations, readSourceSession } from '#store/loading/migrations.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { cancelJob } from '#store/queue/mailbox.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 4 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

const source = 'https://archives.example.org/api';
const politeness = { requestsAtOnce: 1, requestsASecond: 1 };
const make = (): Promise<number> =>
  database.transaction(async (tx) => {
    const payload = { source, intoFilled: false, overwrite: false, withJobs: true, ...politeness };
    const { jobId } = await enqueueJob(tx, migrateFrom, payload, { visible: true });
    await keepSourceSession(tx, jobId, 'token');
    return jobId;
  });
const end = (jobId: number, status: string): Promise<number> =>
  database.transaction((tx) => tx.run(sql`UPDATE job SET status = ${status} WHERE id = ${jobId}`));
const sessionOf = (jobId: number): Promise<string | null> => readSourceSession(database.reader, jobId);

it.each(['completed', 'failed', 'canceled'])(
  'forgets the session of a job that is %s, and of no other',
  async (status) => {
    const [one, other] = [await make(), await make()];
    await end(one, 'running');
    expect([await sessionOf(one), await sessionOf(other)]).toEqual(['token', 'token']);
    await end(one, status);
    expect([await sessionOf(one), await sessionOf(other)]).toEqual([null, 'token']);
  },
);

it('forgets it with a job that is canceled before it has begun, or deleted', async () => {
  const [canceled, deleted] = [await make(), await make()];
  await database.transaction((tx) => cancelJob(tx, canceled));
  await database.transaction((tx) => tx.run(sql`DELETE FROM job WHERE id = ${deleted}`));
  expect([await sessionOf(canceled), await sessionOf(deleted)]).toEqual([null, null]);
});

it('lists migrations with the load that they have made, the last one first', async () => {
  await database.transaction((tx) => tx.run(sql`DELETE FROM job`));
  const [first, second] = [await make(), await make()];
  const load = await database.transaction(
    async (tx) => (await enqueueJob(tx, loadRecords, { folder: 'x', intoFilled: false })).jobId,
  );
  await database.transaction((tx) =>
    tx.run(
      sql`UPDATE job SET status = 'completed', outcome = ${sql.json({ ok: { load: `/jobs/${load}` } })} WHERE id = ${first}`,
    ),
  );
  expect(await listMigrations(database.reader)).toEqual([
    { jobId: second, source, status: 'queued', loadId: null, loadStatus: null },
    { jobId: first, source, status: 'completed', loadId: load, loadStatus: 'queued' },
  ]);
});

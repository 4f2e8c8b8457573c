// Marks of loads: one job for each, found again whatever became of it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadRecords } from '#domain/jobs/load-records.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { findMarkedLoad, loadOfMark } from '#store/loading/marks.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 6 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

const loading = (mark: string): Promise<number | null> =>
  database.transaction((tx) =>
    loadOfMark(
      tx,
      mark,
      async () => (await enqueueJob(tx, loadRecords, { blobId: randomUUID(), intoFilled: false, mark })).jobId,
    ),
  );

it('makes one job for a mark, however many ask at once', async () => {
  const mark = randomUUID();
  expect(await findMarkedLoad(database.reader, mark)).toBeNull();
  const ids = new Set(await Promise.all(Array.from({ length: 5 }, () => loading(mark))));
  expect(ids.size).toBe(1);
  expect(await findMarkedLoad(database.reader, mark)).toEqual({ jobId: [...ids][0], status: 'queued' });
  expect(await loading(randomUUID())).not.toBe([...ids][0]);
});

it('makes another where the last failed or was canceled, and none where it was loaded, though its job is gone', async () => {
  const mark = randomUUID();
  const ids = [await loading(mark)];
  for (const status of ['failed', 'canceled']) {
    await database.transaction((tx) => tx.run(sql`UPDATE job SET status = ${status} WHERE id = ${ids.at(-1) ?? null}`));
    expect(await findMarkedLoad(database.reader, mark)).toEqual({ jobId: ids.at(-1), status });
    ids.push(await loading(mark));
  }
  expect(new Set(ids).size).toBe(3);
  const second = ids.at(-1);
  for (const status of ['running', 'queued']) {
    await database.transaction((tx) => tx.run(sql`UPDATE job SET status = ${status} WHERE id = ${second ?? null}`));
    expect(await loading(mark)).toBe(second);
  }
  await database.transaction((tx) => tx.run(sql`INSERT INTO load (mark, records) VALUES (${mark}, 1)`));
  expect(await findMarkedLoad(database.reader, mark)).toEqual({ jobId: second, status: 'completed' });
  await database.transaction((tx) => tx.run(sql`DELETE FROM job`));
  expect(await findMarkedLoad(database.reader, mark)).toEqual({ jobId: null, status: 'completed' });
  expect(await loading(mark)).toBeNull();
});

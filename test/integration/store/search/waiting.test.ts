// What a loop of the indexer asks before it takes anything: whether its lanes have something for it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UnreadRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { appendDependents, enqueue, isWaiting } from '#store/search/pending.ts';
import type { Lane } from '#store/search/pending.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore } from '#test/support/records.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(async () => store[Symbol.asyncDispose]());
beforeEach(async () => {
  await store.database.write(sql`DELETE FROM reindex_due`);
  await store.database.write(sql`DELETE FROM reindex_fan`);
});

const waits = async (): Promise<readonly boolean[]> => [
  await isWaiting(store.database.reader, { from: 0, to: 0 }),
  await isWaiting(store.database.reader, { from: 1, to: 2 }),
];
const record = { kind: 'subject', id: 1 };

describe('a lane has something', () => {
  it('where nothing is, for nobody', async () => {
    expect(await waits()).toEqual([false, false]);
  });

  it.each<[Lane, readonly boolean[]]>([
    [0, [true, false]],
    [1, [false, true]],
    [2, [false, true]],
  ])('where records are pending in lane %i, for its loops alone', async (lane, expected) => {
    await store.database.transaction((tx) => enqueue(tx, lane, [record]));
    expect(await waits()).toEqual(expected);
  });

  it.each<[0 | 1, readonly boolean[]]>([
    [0, [true, false]],
    [1, [false, true]],
  ])('where dependents are to become pending in lane %i', async (lane, expected) => {
    await store.database.transaction((tx) => appendDependents(tx, [{ way: 'ids', lane, kind: 'subject', ids: [1] }]));
    expect(await waits()).toEqual(expected);
  });
});

it('goes by the index of lanes, however many records of an import are pending', async () => {
  await store.database.write(
    sql`INSERT INTO reindex_due (lane, kind, id) SELECT 1, 'subject', n FROM generate_series(1, 20000) AS n`,
  );
  await store.database.write(sql`ANALYZE reindex_due`);
  const plan = await store.database.transaction((tx) =>
    tx.any(sql.type(UnreadRow)`
      EXPLAIN (ANALYZE, COSTS off, BUFFERS off, TIMING off) SELECT FROM (
        SELECT lane FROM reindex_due WHERE (lane, n) >= (0::smallint, 0) ORDER BY lane, n LIMIT 1) AS k WHERE k.lane <= 0`),
  );
  expect(JSON.stringify(plan)).toMatch(/Index (Only )?Scan using reindex_due_lane_n_idx[^"]*rows=1/);
  expect(await waits()).toEqual([false, true]);
});

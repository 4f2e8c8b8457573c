// The place of a record as columns of the statement that reads it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/sql.ts';
import { moveNodes } from '#store/trees/move.ts';
import { type PlaceColumns, placeColumns } from '#store/trees/place-columns.ts';
import { describeNode } from '#store/trees/visibility.ts';
import { type Forest, openForest } from './forest.ts';

let forest: Forest;
beforeAll(async () => {
  forest = await openForest();
});
afterAll(() => forest[Symbol.asyncDispose]());

const places = (ids: readonly number[]): Promise<readonly (PlaceColumns & { id: number })[]> =>
  forest.database.reader.any(sql`SELECT r.id, ${placeColumns('r', 1)} FROM (SELECT 2 AS repo_id, u.id FROM unnest(${sql.array([...ids], 'int4')}) u(id)) r ORDER BY r.id`);

test('gives root, parent, position and ancestors with their levels, nearest first', async () => {
  const tree = await forest.plant(1, { 0: [10, 11], 11: [12, 13], 13: [14] });
  await forest.database.transaction((tx) => describeNode(tx, tree, { id: 11, visible: true, level: 'series' }));
  expect(await places([10, 13, 14, 99])).toEqual([
    { id: 10, root_id: 1, parent_id: null, position: 0, ancestors: '[]' },
    { id: 13, root_id: 1, parent_id: 11, position: 1, ancestors: expect.any(String) },
    { id: 14, root_id: 1, parent_id: 13, position: 0, ancestors: expect.any(String) },
    { id: 99, root_id: null, parent_id: null, position: null, ancestors: null },
  ]);
  const [row] = await places([14]);
  expect(JSON.parse(row?.ancestors ?? '')).toEqual([{ id: 13, level: 'file' }, { id: 11, level: 'series' }]);
});

test('counts positions over buckets', async () => {
  const tree = await forest.plantWide(2, 1001, 2000);
  await forest.database.transaction((tx) => moveNodes(tx, tree, { parentId: null, position: 1500, ids: [1001] }));
  expect((await places([1001, 1002, 2502, 3000])).map((row) => row.position)).toEqual([1500, 0, 1501, 1999]);
});

// Many nodes at once: new trees, lists that exist, positions with gaps, and what is refused.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/connection/sql.ts';
import { bulkLoadTree } from '#store/trees/bulk-load.ts';
import type { Loaded } from '#store/trees/bulk-load.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { childrenIds, waypoint } from '#store/trees/read.ts';
import { openForest, treeOfRoot } from './forest.ts';
import type { Forest } from './forest.ts';

let forest: Forest;
beforeAll(async () => {
  forest = await openForest();
});
afterAll(async () => {
  expect(await checkTrees(forest.database.reader)).toEqual([]);
  await forest[Symbol.asyncDispose]();
});

type Staged = readonly [id: number, rootId: number, parentId: number | null, position: number | null];

function load(staged: readonly Staged[], keepsPositions = true): Promise<Loaded> {
  const rows = sql.unnest(
    staged.map((row, seq) => [...row, seq]),
    ['int4', 'int4', 'int4', 'int4', 'int4'],
  );
  const source = sql.fragment`SELECT id, root_id, parent_id, position, seq, id % 2 = 0 AS visible, 'file' AS level FROM ${rows} AS u(id, root_id, parent_id, position, seq)`;
  return forest.database.transaction((tx) => bulkLoadTree(tx, { repoId: 2, code: 1 }, source, { keepsPositions }));
}

test('lays new trees by position, then by order in the file', async () => {
  expect(
    await load([
      [15, 1, null, null],
      [13, 1, null, 7],
      [12, 1, null, 3],
      [14, 1, null, 7],
      [121, 1, 12, null],
      [122, 1, 12, null],
      [21, 2, null, 0],
    ]),
  ).toEqual({ nodes: 7, roots: [1, 2], splicedLists: 0 });
  expect(await childrenIds(forest.database.reader, treeOfRoot(1), null)).toEqual([12, 13, 14, 15]);
  expect(await waypoint(forest.database.reader, treeOfRoot(1), null, 0, { publishedOnly: true })).toEqual([
    { id: 12, position: 0, child_count: 1 },
    { id: 14, position: 1, child_count: 0 },
  ]);
});

test('puts new nodes into lists that exist, at their positions or at the end', async () => {
  await forest.plant(3, { 0: [31, 32, 33], 31: [311] });
  expect(
    await load([
      [34, 3, null, 1],
      [35, 3, null, 2],
      [36, 3, null, 99],
      [312, 3, 31, null],
      [341, 3, 34, 0],
    ]),
  ).toMatchObject({ nodes: 5, splicedLists: 2 });
  expect(await childrenIds(forest.database.reader, treeOfRoot(3), null)).toEqual([31, 34, 35, 32, 33, 36]);
  await load([[37, 3, null, 0]], false);
  expect((await childrenIds(forest.database.reader, treeOfRoot(3), null)).at(-1)).toBe(37);
  expect(await childrenIds(forest.database.reader, treeOfRoot(3), 31)).toEqual([311, 312]);
});

test.each([
  [
    'a parent that is not there',
    [
      [41, 4, null, 0],
      [42, 4, 999, 0],
    ],
  ],
  [
    'a parent of another root',
    [
      [51, 5, null, 0],
      [61, 6, 51, 0],
    ],
  ],
  [
    'a cycle',
    [
      [71, 7, 72, 0],
      [72, 7, 71, 0],
      [73, 7, null, 0],
    ],
  ],
] as const)('refuses %s and loads nothing', async (_name, staged) => {
  await expect(load(staged)).rejects.toMatchObject({ code: 'bad_parameter' });
  expect(await childrenIds(forest.database.reader, treeOfRoot(staged[0][1]), null)).toEqual([]);
});

test('fills buckets evenly enough that invariants hold for thousands of siblings', async () => {
  await forest.plantWide(8, 100_000, 5000);
  expect((await childrenIds(forest.database.reader, treeOfRoot(8), null)).length).toBe(5000);
  expect((await waypoint(forest.database.reader, treeOfRoot(8), null, 24)).at(-1)).toEqual({
    id: 104_999,
    position: 4999,
    child_count: 0,
  });
});

// Nodes at the end of lists: by one statement where there is room, and where there is none as splice lays them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { treeLimits } from '#domain/tree/limits.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import type { Tree } from '#domain/tree/tree.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { appendNew, takeOver } from '#store/trees/append.ts';
import { idArray } from '#store/trees/conditions.ts';
import { deleteEmptyTree } from '#store/trees/delete.ts';
import { insertNodes } from '#store/trees/insert.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { childrenIds } from '#store/trees/read.ts';
import { taking } from '#store/trees/shifts.ts';
import { lockTree, treeVersion } from '#store/trees/root.ts';
import { moveToRoot } from '#store/trees/transfer.ts';
import { counting } from '#test/support/count-statements.ts';
import { openForest } from './forest.ts';
import type { Forest } from './forest.ts';

const PlanRow = z.strictObject({ 'QUERY PLAN': column.text });

let forest: Forest;
beforeAll(async () => {
  forest = await openForest();
});
afterAll(async () => {
  expect(await checkTrees(forest.database.reader)).toEqual([]);
  await forest[Symbol.asyncDispose]();
});

const newNodes = (ids: readonly number[]) =>
  ids.map((id) => ({ id, visible: id % 2 === 1, level: id % 3 === 0 ? null : 'file' }));
const inList = (tree: Tree, parentId: number | null = null): Promise<readonly number[]> =>
  childrenIds(forest.database.reader, tree, parentId);

/** Inserts at the end, and gives how many statements that took. */
const insert = (
  tree: Tree,
  parentId: number | null,
  ids: readonly number[],
  limits: TreeLimits = treeLimits,
): Promise<number> =>
  forest.database.transaction(async (tx) => {
    const counted = counting(tx);
    await insertNodes(counted.tx, tree, { parentId, position: null }, newNodes(ids), limits);
    return counted.count();
  });

test('new nodes take one statement beside the taking of their tree, in a new list and at the end of one', async () => {
  const tree = await forest.plant(1, {});
  expect(await insert(tree, null, [12, 11, 13])).toBe(2);
  expect(await insert(tree, null, [15, 14])).toBe(2);
  // And one that looks for the parent.
  expect(await insert(tree, 12, [121])).toBe(3);
  expect(await inList(tree)).toEqual([12, 11, 13, 15, 14]);
  expect(await inList(tree, 12)).toEqual([121]);
});

test.each([
  ['for so many nodes', { max: 4, target: 3 }],
  ['for so large numbers', { ordStep: 1000, bound: 4000 }],
])('where the last bucket has no room %s they are laid out anew', async (_, narrow) => {
  const limits = { ...treeLimits, ...narrow };
  const tree = await forest.plant('max' in narrow ? 2 : 3, {});
  const first = tree.rootId * 100;
  const ids = Array.from({ length: 11 }, (__, n) => first + n);
  for (const [from, to] of [
    [0, 3],
    [3, 4],
    [4, 6],
    [6, 7],
    [7, 11],
  ] as const)
    await insert(tree, null, ids.slice(from, to), limits);
  expect(await inList(tree)).toEqual(ids);
});

test('nothing is changed where there is no room', async () => {
  const tree = await forest.plant(4, { 0: [41, 42] });
  const other = await forest.plant(5, { 0: [51] });
  const limits = { ...treeLimits, max: 2 };
  await forest.database.transaction(async (tx) => {
    await lockTree(tx, tree);
    await lockTree(tx, other);
    expect(await appendNew(tx, tree, null, newNodes([43]), limits)).toBe(false);
  });
  expect(await inList(tree)).toEqual([41, 42]);
});

test.each([
  ['the end of a list', 6, { 0: [61, 62] }],
  ['a tree without nodes', 7, {}],
] as const)('what is moved comes to %s of another root with all that it is counted for', async (_, rootId, lists) => {
  const from = await forest.plant(rootId + 100, { 0: [rootId * 1000 + 1, rootId * 1000 + 2, rootId * 1000 + 3] });
  const to = await forest.plant(rootId, lists);
  const [one, two, three] = [rootId * 1000 + 1, rootId * 1000 + 2, rootId * 1000 + 3];
  await forest.database.transaction((tx) => moveToRoot(tx, from, to, [three, one]));
  expect(await inList(to)).toEqual([...((lists as { 0?: readonly number[] })[0] ?? []), three, one]);
  expect(await inList(from)).toEqual([two]);
});

test('all are taken over or none, and the lists that hold something are told', async () => {
  const from = await forest.plant(8, { 0: [81, 82], 81: [811], 811: [8111] });
  const to = await forest.plant(9, { 0: [91] });
  await expect(
    forest.database.transaction(async (tx) => {
      await lockTree(tx, from);
      await lockTree(tx, to);
      const lists = idArray([81, 811, 8111]);
      const taken = await takeOver(tx, from, to, { ids: [81, 91], parentId: null, lists }, treeLimits);
      expect(taken).toMatchObject({ isPlaced: false, small: [] });
      expect(taken.filled.toSorted((a, b) => a - b)).toEqual([81, 811]);
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  await expect(forest.database.transaction((tx) => moveToRoot(tx, from, to, [81, 91]))).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await inList(from)).toEqual([81, 82]);
});

test('thousands of nodes are not compared with each other one by one', async () => {
  const ids = Array.from({ length: 2000 }, (_, n) => 200_000 + n);
  const tree = await forest.plant(20, { 0: ids });
  const rows = await forest.database.reader.any(sql.type(PlanRow)`EXPLAIN WITH ${taking(tree, ids)} SELECT FROM t`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  // Those of a bucket are told from the others by an array that is known when it is planned, and so looked up by its hash.
  expect(plan).toMatch(/CTE Scan on m .*\n.*Filter: \(id = ANY \('\{/);
  expect(plan).not.toContain('Join Filter');
});

test('a tree goes with its root where nothing is left in it, and stays as it is where something is', async () => {
  const tree = await forest.plant(10, { 0: [101, 102], 101: [1011] });
  const other = await forest.plant(11, { 0: [111] });
  const remove = (): Promise<boolean> =>
    forest.database.transaction(async (tx) => {
      await lockTree(tx, tree);
      return deleteEmptyTree(tx, tree);
    });
  await forest.database.transaction((tx) => moveToRoot(tx, tree, other, [102]));
  expect(await remove()).toBe(false);
  expect(await inList(tree, 101)).toEqual([1011]);
  await forest.database.transaction((tx) => moveToRoot(tx, tree, other, [101]));
  expect(await remove()).toBe(true);
  expect(await treeVersion(forest.database.reader, tree)).toBeNull();
  expect(await inList(other)).toEqual([111, 102, 101]);
});

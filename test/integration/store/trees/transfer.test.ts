// A subtree to another root (contract, trees 1.10, 1.17) and a tree to another repository.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tree } from '#domain/tree/tree.ts';
import { insertNodes } from '#store/trees/insert.ts';
import { treeLimits } from '#domain/tree/limits.ts';
import { treeVersion } from '#store/trees/root.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { childrenIds, pathsFromRoot } from '#store/trees/read.ts';
import { carryBelow } from '#store/trees/carry.ts';
import { moveToRepository, moveToRoot } from '#store/trees/transfer.ts';
import { readOutline } from '#store/trees/outline.ts';
import { openForest, treeOfRoot } from './forest.ts';
import type { Forest } from './forest.ts';
import { afterFirstRead } from './after-first-read.ts';
import { outside } from '#test/support/outside.ts';

const meanwhile = (work: () => Promise<void>): Promise<void> => outside(work);
const insert = (tree: Tree, parentId: number | null, ids: readonly number[]): Promise<void> =>
  forest.database.transaction((tx) =>
    insertNodes(
      tx,
      tree,
      { parentId, position: null },
      ids.map((id) => ({ id, visible: true, level: 'file' })),
    ),
  );

let forest: Forest;
beforeAll(async () => {
  forest = await openForest();
});
afterAll(async () => {
  expect(await checkTrees(forest.database.reader)).toEqual([]);
  await forest[Symbol.asyncDispose]();
});

test('takes a subtree to the end of another root, its inner order kept', async () => {
  const from = await forest.plant(1, { 0: [11, 12], 12: [121, 122], 121: [1211, 1212] });
  const to = await forest.plant(2, { 0: [21, 22], 22: [221] });
  const { late } = await forest.database.transaction((tx) => moveToRoot(tx, from, to, [12]));
  expect(late.toSorted((a, b) => a - b)).toEqual([121, 122, 1211, 1212]);
  expect([...(await readOutline(forest.database.reader, to)).ids]).toEqual([21, 22, 221, 12, 121, 1211, 1212, 122]);
  expect(await childrenIds(forest.database.reader, from, null)).toEqual([11]);
  expect((await pathsFromRoot(forest.database.reader, to, [1212])).get(1212)).toMatchObject({
    rootId: 2,
    ancestors: [12, 121],
  });
});

test('takes what was put below meanwhile, by others too, where what is below went before the trees are taken', async () => {
  const from = await forest.plant(18, { 0: [181, 182], 181: [1811, 1812], 1811: [18111] });
  const to = await forest.plant(19, { 0: [191] });
  const { late } = await forest.database.transaction(async (tx) => {
    const carried = await carryBelow(tx, from, to, [181]);
    expect(carried.ids.toSorted((a, b) => a - b)).toEqual([1811, 1812, 18111]);
    await meanwhile(async () => {
      await insert(from, 1812, [18121]);
      await insert(from, 18121, [181211]);
      await insert(from, null, [183]);
      await insert(to, 191, [1911]);
    });
    return moveToRoot(tx, from, to, [181], null, { carried });
  });
  expect(late.toSorted((a, b) => a - b)).toEqual([18121, 181211]);
  expect([...(await readOutline(forest.database.reader, to)).ids]).toEqual([
    191, 1911, 181, 1811, 18111, 1812, 18121, 181211,
  ]);
  expect([...(await readOutline(forest.database.reader, from)).ids]).toEqual([182, 183]);
});

test('takes what comes below between its reading and its lists', async () => {
  const from = await forest.plant(20, { 0: [201, 202], 201: [2011] });
  const to = await forest.plant(21, { 0: [211] });
  await forest.database.transaction(async (tx) => {
    const carried = await carryBelow(
      afterFirstRead(tx, () => insert(from, 201, [2012])),
      from,
      to,
      [201],
    );
    expect(carried.ids.toSorted((a, b) => a - b)).toEqual([2011, 2012]);
    return moveToRoot(tx, from, to, [201], null, { carried });
  });
  expect([...(await readOutline(forest.database.reader, to)).ids]).toEqual([211, 201, 2011, 2012]);
  expect([...(await readOutline(forest.database.reader, from)).ids]).toEqual([202]);
});

test('takes it under a parent of the target where one is named, and refuses one of another root', async () => {
  const from = await forest.plant(3, { 0: [31], 31: [311] });
  const to = await forest.plant(4, { 0: [41] });
  await expect(forest.database.transaction((tx) => moveToRoot(tx, from, to, [311], 31))).rejects.toMatchObject({
    code: 'bad_parameter',
  });
  await forest.database.transaction((tx) => moveToRoot(tx, from, to, [31], 41));
  expect([...(await readOutline(forest.database.reader, to)).ids]).toEqual([41, 31, 311]);
});

test('to its own root goes to the end of the top level', async () => {
  const tree = await forest.plant(5, { 0: [51, 52], 51: [511] });
  await forest.database.transaction((tx) => moveToRoot(tx, tree, tree, [511]));
  expect(await childrenIds(forest.database.reader, tree, null)).toEqual([51, 52, 511]);
});

test('deletes a tree that was emptied, though the list that its nodes come to has no room at its end', async () => {
  const from = await forest.plant(30, { 0: [3001, 3002] });
  const full = Array.from({ length: treeLimits.max }, (_, n) => 310_000 + n);
  const to = await forest.plant(31, { 0: full });
  const move = (ids: readonly number[]) =>
    forest.database.transaction((tx) => moveToRoot(tx, from, to, ids, null, { isEmptied: true }));
  expect(await move([3002])).toEqual({ late: [], isGone: false });
  expect(await move([3001])).toEqual({ late: [], isGone: true });
  expect(await childrenIds(forest.database.reader, to, null)).toEqual([...full, 3002, 3001]);
  expect(await treeVersion(forest.database.reader, from)).toBeNull();
  // And of all at once, into a bucket that is full.
  const again = await forest.plant(32, { 0: [3201, 3202] });
  const other = await forest.plant(33, { 0: full.map((id) => id + 20_000) });
  const both = await forest.database.transaction((tx) =>
    moveToRoot(tx, again, other, [3202, 3201], null, { isEmptied: true }),
  );
  expect(both).toEqual({ late: [], isGone: true });
  expect((await childrenIds(forest.database.reader, other, null)).slice(-2)).toEqual([3202, 3201]);
});

test('refuses unknown nodes and roots', async () => {
  const tree = await forest.plant(6, { 0: [61] });
  await expect(forest.database.transaction((tx) => moveToRoot(tx, tree, treeOfRoot(404), [61]))).rejects.toMatchObject({
    code: 'not_found',
    error: 'Resource not found',
  });
  const other = await forest.plant(7, {});
  await expect(forest.database.transaction((tx) => moveToRoot(tx, tree, other, [999]))).rejects.toMatchObject({
    code: 'not_found',
    error: 'ArchivalObject not found',
  });
});

test('takes a whole tree to another repository as it is', async () => {
  const tree = await forest.plant(8, { 0: [81, 82], 82: [821] });
  await forest.database.transaction((tx) => moveToRepository(tx, tree, 3));
  expect([...(await readOutline(forest.database.reader, { ...tree, repoId: 3 })).ids]).toEqual([81, 82, 821]);
  expect(await childrenIds(forest.database.reader, tree, null)).toEqual([]);
});

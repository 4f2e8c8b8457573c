// Subtrees and trees that go.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertNodes } from '#store/trees/insert.ts';
import { readOutline } from '#store/trees/outline.ts';
import { deleteBelow, deleteRoot, deleteSubtree } from '#store/trees/delete.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { childrenIds, positionsOf } from '#store/trees/read.ts';
import { treeVersion } from '#store/trees/root.ts';
import { openForest, treeOfRoot } from './forest.ts';
import type { Forest } from './forest.ts';
import { afterFirstRead } from './after-first-read.ts';
import { outside } from '#test/support/outside.ts';

let forest: Forest;
beforeAll(async () => {
  forest = await openForest();
});
afterAll(async () => {
  expect(await checkTrees(forest.database.reader)).toEqual([]);
  await forest[Symbol.asyncDispose]();
});

test('deletes a node with all below it and closes the ranks', async () => {
  const tree = await forest.plant(1, { 0: [11, 12, 13], 12: [121, 122], 122: [1221] });
  const gone = await forest.database.transaction((tx) => deleteSubtree(tx, tree, [12, 122, 999]));
  expect(gone.toSorted((a, b) => a - b)).toEqual([12, 121, 122, 1221]);
  expect(await positionsOf(forest.database.reader, tree, [11, 13])).toEqual(
    new Map([
      [11, 0],
      [13, 1],
    ]),
  );
  expect(await childrenIds(forest.database.reader, tree, 12)).toEqual([]);
});

test('deletes what came below meanwhile, where what is below went before the tree is taken', async () => {
  const tree = await forest.plant(5, { 0: [51, 52], 51: [511, 512], 511: [5111] });
  const gone = await forest.database.transaction(async (tx) => {
    const emptied = await deleteBelow(tx, tree, [51]);
    expect(emptied.ids.toSorted((a, b) => a - b)).toEqual([511, 512, 5111]);
    await outside(() =>
      forest.database.transaction((other) =>
        insertNodes(other, tree, { parentId: 512, position: null }, [{ id: 5121, visible: true, level: null }]),
      ),
    );
    return deleteSubtree(tx, tree, [51], { emptied });
  });
  expect(gone.toSorted((a, b) => a - b)).toEqual([51, 5121]);
  expect([...(await readOutline(forest.database.reader, tree)).ids]).toEqual([52]);
});

test('deletes what comes below between its reading and its lists', async () => {
  const tree = await forest.plant(6, { 0: [61, 62], 61: [611, 612] });
  const gone = await forest.database.transaction(async (tx) => {
    const emptied = await deleteBelow(
      afterFirstRead(tx, () =>
        forest.database.transaction((other) =>
          insertNodes(other, tree, { parentId: 61, position: null }, [{ id: 613, visible: true, level: null }]),
        ),
      ),
      tree,
      [61],
    );
    expect(emptied.ids.toSorted((a, b) => a - b)).toEqual([611, 612, 613]);
    return deleteSubtree(tx, tree, [61], { emptied });
  });
  expect(gone).toEqual([61]);
  expect([...(await readOutline(forest.database.reader, tree)).ids]).toEqual([62]);
});

test('passes over ids that are not in the tree', async () => {
  const tree = await forest.plant(2, { 0: [21] });
  await forest.plant(3, { 0: [31] });
  expect(await forest.database.transaction((tx) => deleteSubtree(tx, tree, [31, 999]))).toEqual([]);
});

test('deletes a whole tree, and knows no tree that is not there', async () => {
  const tree = await forest.plant(4, { 0: [41, 42], 41: [411] });
  const gone = await forest.database.transaction((tx) => deleteRoot(tx, tree));
  expect(gone.toSorted((a, b) => a - b)).toEqual([41, 42, 411]);
  expect(await treeVersion(forest.database.reader, tree)).toBeNull();
  await expect(forest.database.transaction((tx) => deleteRoot(tx, treeOfRoot(404)))).rejects.toMatchObject({
    code: 'not_found',
    error: 'Resource not found',
  });
});

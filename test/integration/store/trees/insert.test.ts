// New nodes: appended, at a position, and each at its own (contract, trees 1.9, 1.15).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertNodes, insertPlacedNodes } from '#store/trees/insert.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { childrenIds } from '#store/trees/read.ts';
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

const node = (id: number): { id: number; visible: boolean; level: string | null } => ({
  id,
  visible: true,
  level: null,
});

test('puts nodes at the position asked for, or at the end', async () => {
  const tree = await forest.plant(1, { 0: [11, 12] });
  await forest.database.transaction((tx) =>
    insertNodes(tx, tree, { parentId: null, position: 1 }, [node(13), node(14)]),
  );
  await forest.database.transaction((tx) => insertNodes(tx, tree, { parentId: null, position: 99 }, [node(15)]));
  expect(await childrenIds(forest.database.reader, tree, null)).toEqual([11, 13, 14, 12, 15]);
});

test('gives each of several nodes its own position, one after the other', async () => {
  const tree = await forest.plant(2, { 0: [21, 22] });
  await forest.database.transaction((tx) =>
    insertPlacedNodes(tx, tree, null, [
      { ...node(23), position: 0 },
      { ...node(24), position: null },
      { ...node(25), position: 2 },
    ]),
  );
  expect(await childrenIds(forest.database.reader, tree, null)).toEqual([23, 21, 25, 22, 24]);
});

test('refuses a parent of another root and a negative position', async () => {
  const tree = await forest.plant(3, { 0: [31] });
  await forest.plant(4, { 0: [41] });
  await expect(
    forest.database.transaction((tx) => insertNodes(tx, tree, { parentId: 41, position: null }, [node(32)])),
  ).rejects.toMatchObject({ code: 'bad_parameter', error: { parent: ['Not a node of this Resource'] } });
  await expect(
    forest.database.transaction((tx) => insertNodes(tx, tree, { parentId: null, position: -1 }, [node(32)])),
  ).rejects.toMatchObject({ code: 'bad_parameter', error: { position: ['Must not be negative'] } });
  await expect(
    forest.database.transaction((tx) =>
      insertNodes(tx, treeOfRoot(404), { parentId: null, position: null }, [node(32)]),
    ),
  ).rejects.toMatchObject({ code: 'not_found' });
});

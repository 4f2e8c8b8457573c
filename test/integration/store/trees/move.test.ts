// Moves as clients ask for them (contract, trees 1.11 to 1.13): what is refused, and what happens at the edges.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moveNodes } from '#store/trees/move.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { childrenIds } from '#store/trees/read.ts';
import { treeVersion } from '#store/trees/root.ts';
import { openForest } from './forest.ts';
import type { Forest } from './forest.ts';

let forest: Forest;
beforeAll(async () => {
  forest = await openForest();
});
afterAll(async () => {
  expect(await checkTrees(forest.database.reader)).toEqual([]);
  await forest[Symbol.asyncDispose]();
});

describe('a move', () => {
  test('gives the node exactly the position asked for, and the last for any beyond', async () => {
    const tree = await forest.plant(1, { 0: [11, 12, 13, 14] });
    const move = (id: number, position: number | null): Promise<readonly number[]> =>
      forest.database.transaction((tx) => moveNodes(tx, tree, { parentId: null, position, ids: [id] }));
    expect(await move(11, 2)).toEqual([11]);
    expect(await childrenIds(forest.database.reader, tree, null)).toEqual([12, 13, 11, 14]);
    await move(12, 99);
    expect(await childrenIds(forest.database.reader, tree, null)).toEqual([13, 11, 14, 12]);
    await move(13, null);
    expect(await childrenIds(forest.database.reader, tree, null)).toEqual([11, 14, 12, 13]);
  });

  test('to the place where the node is writes nothing and waits for nobody', async () => {
    const tree = await forest.plant(2, { 0: [21, 22, 23] });
    const before = await treeVersion(forest.database.reader, tree);
    for (const [id, position] of [
      [22, 1],
      [23, 2],
      [23, 77],
    ] as const) {
      expect(
        await forest.database.transaction((tx) => moveNodes(tx, tree, { parentId: null, position, ids: [id] })),
      ).toEqual([]);
    }
    expect(await treeVersion(forest.database.reader, tree)).toBe(before);
  });

  test('keeps what is below the node, and takes children from several parents in the listed order', async () => {
    const tree = await forest.plant(3, { 0: [31, 32, 33], 31: [311, 312], 32: [321], 312: [3121] });
    expect(
      await forest.database.transaction((tx) =>
        moveNodes(tx, tree, { parentId: 33, position: 0, ids: [321, 312, 31, 312] }),
      ),
    ).toEqual([321, 312, 31]);
    expect(await childrenIds(forest.database.reader, tree, 33)).toEqual([321, 312, 31]);
    expect(await childrenIds(forest.database.reader, tree, 312)).toEqual([3121]);
    expect(await childrenIds(forest.database.reader, tree, 32)).toEqual([]);
  });

  test('of nothing changes nothing', async () => {
    const tree = await forest.plant(4, { 0: [41] });
    expect(
      await forest.database.transaction((tx) => moveNodes(tx, tree, { parentId: null, position: 0, ids: [] })),
    ).toEqual([]);
  });
});

describe('a refused move', () => {
  test.each([
    [
      'below the node itself',
      { parentId: 51, position: 0, ids: [51] },
      'conflict',
      "Can't make a parent into its own child",
    ],
    [
      'below something under the node',
      { parentId: 5111, position: 0, ids: [52, 51] },
      'conflict',
      "Can't make a parent into its own child",
    ],
    ['of an unknown node', { parentId: null, position: 0, ids: [51, 999] }, 'not_found', 'ArchivalObject not found'],
    [
      'under an unknown parent',
      { parentId: 999, position: 0, ids: [51] },
      'bad_parameter',
      { parent: ['Not a node of this Resource'] },
    ],
    [
      'under a parent of another root',
      { parentId: 61, position: 0, ids: [51] },
      'bad_parameter',
      { parent: ['Not a node of this Resource'] },
    ],
    [
      'of a node of another root',
      { parentId: null, position: 0, ids: [61] },
      'bad_parameter',
      { children: ['Must be in the same Resource'] },
    ],
    [
      'to a negative position',
      { parentId: null, position: -1, ids: [51] },
      'bad_parameter',
      { position: ['Must not be negative'] },
    ],
  ] as const)('%s names the fault and leaves the tree as it was', async (_name, move, code, error) => {
    const { database } = forest;
    const tree =
      (await treeVersion(database.reader, { repoId: 2, code: 1, rootId: 5 })) === null
        ? await forest.plant(5, { 0: [51, 52], 51: [511], 511: [5111] })
        : { repoId: 2, code: 1, rootId: 5, nodeModel: 'ArchivalObject', rootModel: 'Resource' };
    if ((await treeVersion(database.reader, { ...tree, rootId: 6 })) === null) await forest.plant(6, { 0: [61] });
    const version = await treeVersion(database.reader, tree);
    await expect(database.transaction((tx) => moveNodes(tx, tree, move))).rejects.toMatchObject({ code, error });
    expect(await childrenIds(database.reader, tree, null)).toEqual([51, 52]);
    expect(await treeVersion(database.reader, tree)).toBe(version);
  });

  test('in a root that is not there is not found', async () => {
    const tree = { repoId: 2, code: 1, rootId: 404, nodeModel: 'ArchivalObject', rootModel: 'Resource' };
    await expect(
      forest.database.transaction((tx) => moveNodes(tx, tree, { parentId: null, position: 0, ids: [1] })),
    ).rejects.toMatchObject({ code: 'not_found', error: 'Resource not found' });
  });
});

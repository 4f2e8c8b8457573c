// Whole trees in reading order. The random trees of invariants.test.ts are walked too.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setVisible } from '#store/trees/visibility.ts';
import { nodesOf, readOutline } from '#store/trees/outline.ts';
import { openForest } from './forest.ts';
import type { Forest } from './forest.ts';

let forest: Forest;
beforeAll(async () => {
  forest = await openForest();
});
afterAll(() => forest[Symbol.asyncDispose]());

test('gives a node before what is below it, with its depth', async () => {
  const tree = await forest.plant(1, { 0: [3, 2], 3: [5, 4], 4: [6] });
  expect(nodesOf(await readOutline(forest.database.reader, tree))).toEqual([
    { id: 3, depth: 1 },
    { id: 5, depth: 2 },
    { id: 4, depth: 2 },
    { id: 6, depth: 3 },
    { id: 2, depth: 1 },
  ]);
});

test('leaves out hidden nodes with all below them', async () => {
  const tree = await forest.plant(2, { 0: [21, 22], 21: [211], 22: [221, 222] });
  await forest.database.transaction((tx) => setVisible(tx, tree, [21, 222], false));
  expect(nodesOf(await readOutline(forest.database.reader, tree, { publishedOnly: true }))).toEqual([
    { id: 22, depth: 1 },
    { id: 221, depth: 2 },
  ]);
});

test('keeps the order of a list of 10,000', async () => {
  const tree = await forest.plantWide(3, 10_001, 10_000);
  const { ids, depths } = await readOutline(forest.database.reader, tree);
  expect([...ids]).toEqual(Array.from({ length: 10_000 }, (_, n) => 10_001 + n));
  expect(new Set(depths)).toEqual(new Set([1]));
});

test('is empty for a root without nodes', async () => {
  expect(nodesOf(await readOutline(forest.database.reader, { repoId: 1, code: 1, rootId: 999_999 }))).toEqual([]);
});

// Whole trees in reading order. The random trees of invariants.test.ts are walked too.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setVisible } from '#store/trees/visibility.ts';
import { walkTree } from '#store/trees/walk.ts';
import { openForest } from './forest.ts';
import type { Forest } from './forest.ts';

let forest: Forest;
beforeAll(async () => {
  forest = await openForest();
});
afterAll(() => forest[Symbol.asyncDispose]());

test('visits a node before what is below it, with its depth, and can begin below a node', async () => {
  const tree = await forest.plant(1, { 0: [3, 2], 3: [5, 4], 4: [6] });
  expect(await Array.fromAsync(walkTree(forest.database.reader, tree))).toEqual([
    { id: 3, depth: 1 },
    { id: 5, depth: 2 },
    { id: 4, depth: 2 },
    { id: 6, depth: 3 },
    { id: 2, depth: 1 },
  ]);
  expect(await Array.fromAsync(walkTree(forest.database.reader, tree, { under: 3 }))).toEqual([
    { id: 5, depth: 1 },
    { id: 4, depth: 1 },
    { id: 6, depth: 2 },
  ]);
});

test('leaves out hidden nodes with all below them', async () => {
  const tree = await forest.plant(2, { 0: [21, 22], 21: [211], 22: [221, 222] });
  await forest.database.transaction((tx) => setVisible(tx, tree, [21, 222], false));
  expect(await Array.fromAsync(walkTree(forest.database.reader, tree, { publishedOnly: true }))).toEqual([
    { id: 22, depth: 1 },
    { id: 221, depth: 2 },
  ]);
});

test('reads a list of 10,000 in parts and keeps its order', async () => {
  const tree = await forest.plantWide(3, 10_001, 10_000);
  let expected = 10_001;
  for await (const step of walkTree(forest.database.reader, tree)) expect(step.id).toBe(expected++);
  expect(expected).toBe(20_001);
});

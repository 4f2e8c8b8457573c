// What is left of buckets of which something was taken: empty ones go with the statement, small ones are looked at where they fit to a neighbour, and the number of lists costs no more than they do.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { treeLimits } from '#domain/tree/limits.ts';
import type { Tree } from '#domain/tree/tree.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { deleteSubtree } from '#store/trees/delete.ts';
import { discounted } from '#store/trees/discount.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { moveNodes } from '#store/trees/move.ts';
import { childrenIds } from '#store/trees/read.ts';
import { taking } from '#store/trees/shifts.ts';
import { counting } from '#test/support/count-statements.ts';
import type { Forest } from './forest.ts';
import { openForest } from './forest.ts';

let forest: Forest;
beforeAll(async () => {
  forest = await openForest();
});
afterAll(async () => {
  expect(await checkTrees(forest.database.reader)).toEqual([]);
  await forest[Symbol.asyncDispose]();
});

const from = (first: number, count: number): readonly number[] => Array.from({ length: count }, (_, n) => first + n);
const BucketRow = z.strictObject({ n: column.int, nv: column.int });
const bucketsOf = (tree: Tree): Promise<readonly z.infer<typeof BucketRow>[]> =>
  forest.database.reader.any(
    sql.type(
      BucketRow,
    )`SELECT n, nv FROM tree_bucket WHERE repo_id = 2 AND root_id = ${tree.rootId} AND list_id = 0 ORDER BY key`,
  );
/** Deletes nodes; gives how often the database waited for a statement. */
const turnsOf = (tree: Tree, ids: readonly number[]): Promise<number> =>
  forest.database.transaction(async (tx) => {
    const counted = counting(tx);
    await deleteSubtree(counted.tx, tree, ids);
    return counted.turns();
  });

test('a bucket goes with what was the last in it, and one that is small stays where it fits to no neighbour', async () => {
  const all = from(10_001, 3 * treeLimits.target);
  const tree = await forest.plant(1, { 0: all });
  const { target } = treeLimits;
  expect(await bucketsOf(tree)).toEqual([target, target, target].map((n) => ({ n, nv: n })));
  // Nothing is left in the second, which the third would fit to, nor in the list before the ten that are left of the first.
  expect(await turnsOf(tree, [...all.slice(10, target), ...all.slice(target, 2 * target)])).toBe(2);
  expect(await bucketsOf(tree)).toEqual([
    { n: 10, nv: 10 },
    { n: target, nv: target },
  ]);
  expect(await childrenIds(forest.database.reader, tree, null)).toEqual([
    ...all.slice(0, 10),
    ...all.slice(2 * target),
  ]);
});

test('a small one goes together with a neighbour as soon as it fits, counted with what is taken from that', async () => {
  const { target } = treeLimits;
  const all = from(20_001, 2 * target);
  const tree = await forest.plant(2, { 0: all });
  expect(await turnsOf(tree, [...all.slice(10, target), ...all.slice(target, target + 10)])).toBeGreaterThan(2);
  expect(await bucketsOf(tree)).toEqual([{ n: target, nv: target }]);
  expect(await childrenIds(forest.database.reader, tree, null)).toEqual([
    ...all.slice(0, 10),
    ...all.slice(target + 10),
  ]);
});

test('what moves within its list finds its bucket again, though nothing else was in it', async () => {
  const all = from(30_001, treeLimits.target);
  const tree = await forest.plant(3, { 0: all });
  await forest.database.transaction((tx) =>
    moveNodes(tx, tree, { parentId: null, position: 0, ids: all.toReversed() }),
  );
  expect(await childrenIds(forest.database.reader, tree, null)).toEqual(all.toReversed());
});

const PlanRow = z.strictObject({ 'QUERY PLAN': column.text });

test.each(['kept', 'deleted'] as const)(
  'buckets of many lists are not compared with each other one by one, in a tree that nobody has counted (%s)',
  async (empty) => {
    const parents = from(empty === 'kept' ? 400_001 : 500_001, 1000);
    const rootId = empty === 'kept' ? 4 : 5;
    const children = parents.map((id) => [id, [id + 10_000, id + 20_000]] as const);
    const tree = await forest.plant(rootId, { 0: parents, ...Object.fromEntries(children) });
    const ids = parents.map((id) => id + 10_000);
    const rows = await forest.database.reader.any(
      sql.type(
        PlanRow,
      )`EXPLAIN WITH ${taking(tree, ids)}, ${discounted(tree, treeLimits, empty)} SELECT FROM discounted`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).not.toMatch(/Join Filter: .*(?:list_id|bucket)/);
    expect(await forest.database.transaction((tx) => deleteSubtree(tx, tree, ids))).toHaveLength(1000);
    expect(await childrenIds(forest.database.reader, tree, parents[7] ?? null)).toEqual([(parents[7] ?? 0) + 20_000]);
  },
);

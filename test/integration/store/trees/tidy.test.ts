// Buckets that became small go together, however many there are in as many turns.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { treeLimits } from '#domain/tree/limits.ts';
import type { Tree } from '#domain/tree/tree.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { deleteSubtree } from '#store/trees/delete.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { childrenIds } from '#store/trees/read.ts';
import { tidy } from '#store/trees/tidy.ts';
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
const BucketRow = z.strictObject({ bucket: column.int, n: column.int });
const bucketsOf = (tree: Tree): Promise<readonly z.infer<typeof BucketRow>[]> =>
  forest.database.reader.any(
    sql.type(
      BucketRow,
    )`SELECT bucket, n FROM tree_bucket WHERE repo_id = 2 AND root_id = ${tree.rootId} AND list_id = 0 ORDER BY key`,
  );

test.each([
  ['as they are', treeLimits, true],
  ['anew where numbers end', { ...treeLimits, bound: 2 ** 49 }, false],
] as const)(
  'of many that are small those side by side go together in as many turns as two do, %s',
  async (_, limits, isKept) => {
    const [rootId, first] = isKept ? [6, 60_001] : [7, 70_001];
    const all = from(first, 12 * treeLimits.target);
    const tree = await forest.plant(rootId, { 0: all });
    const gone = all.filter((_id, n) => n % 10 !== 0);
    const turns = await forest.database.transaction(async (tx) => {
      const counted = counting(tx);
      await deleteSubtree(counted.tx, tree, gone, { limits });
      return counted.turns();
    });
    expect(turns).toBeLessThanOrEqual(4);
    expect(await childrenIds(forest.database.reader, tree, null)).toEqual(all.filter((_id, n) => n % 10 === 0));
    const sizes = (await bucketsOf(tree)).map(({ n }) => n);
    expect([sizes.length, Math.max(...sizes) <= treeLimits.target]).toEqual([2, true]);
  },
);

test('a bucket that was said to be empty and has been filled since stays', async () => {
  const all = from(80_001, 2 * treeLimits.target);
  const tree = await forest.plant(8, { 0: all });
  const before = await bucketsOf(tree);
  const said = before.map(({ bucket }) => ({ list_id: 0, bucket, n: 0 }));
  await forest.database.transaction((tx) => tidy(tx, tree, said, treeLimits));
  expect(await bucketsOf(tree)).toEqual(before);
  expect(await childrenIds(forest.database.reader, tree, null)).toEqual(all);
});

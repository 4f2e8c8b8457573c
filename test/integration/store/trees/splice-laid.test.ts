// Buckets whose nodes are laid, put into a list at a rank: between two buckets, into the middle of one, and where the keys have no room.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { treeLimits } from '#domain/tree/limits.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import type { Tree } from '#domain/tree/tree.ts';
import { locate } from '#store/trees/buckets.ts';
import { layLong, placeAllLong } from '#store/trees/bulk-lists.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { insertNodes } from '#store/trees/insert.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { childrenIds } from '#store/trees/read.ts';
import { lockTree, treeVersion } from '#store/trees/root.ts';
import { leavePlaces, noteLeft } from '#store/trees/shifts.ts';
import { discountLeft } from '#store/trees/discount.ts';
import { layNodes, spliceLaid } from '#store/trees/splice-laid.ts';
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

const tiny: TreeLimits = { ...treeLimits, max: 8, target: 6, min: 3 };
const from = (first: number, count: number): readonly number[] => Array.from({ length: count }, (_, n) => first + n);
const list = (tree: Tree, parentId: number | null = null): Promise<readonly number[]> =>
  childrenIds(forest.database.reader, tree, parentId);
/** A list of 24 in buckets of eight, and twenty below the first of its tree. */
const planted = async (rootId: number, limits = tiny) => {
  const id = rootId * 1000;
  const tree = await forest.plant(rootId, { 0: [id] });
  const [there, movers] = [from(id + 1, 24), from(id + 100, 20)];
  for (const [parentId, ids] of [
    [null, there],
    [id, movers],
  ] as const)
    await forest.database.transaction((tx) =>
      insertNodes(
        tx,
        tree,
        { parentId, position: null },
        ids.map((node) => ({ id: node, visible: node % 2 === 0, level: null })),
        limits,
      ),
    );
  return { id, tree, there: [id, ...there], movers };
};
const moved = (tree: Tree, rank: number, ids: readonly number[], limits: TreeLimits): Promise<void> =>
  forest.database.transaction(async (tx) => {
    const version = (await treeVersion(tx, tree)) ?? 0;
    const left = await leavePlaces(tx, tree, tree.rootId, ids);
    const buckets = await layNodes(tx, tree, null, ids, left, limits);
    expect(buckets.map(({ n }) => n)).toEqual([5, 5, 5, 5]);
    const noted = await noteLeft(tx, tree, tree.rootId, version);
    await lockTree(tx, tree);
    expect(await discountLeft(tx, tree, tree.rootId, noted, limits)).not.toBeNull();
    await spliceLaid(tx, tree, { parentId: null, rank, ids, buckets }, limits);
  });

test('come to each rank of a list in turn', async () => {
  for (let rank = 0; rank <= 26; rank++) {
    const { id, tree, there, movers } = await planted(100 + rank);
    const ids = movers.toReversed();
    await moved(tree, rank, ids, tiny);
    expect(await list(tree)).toEqual([...there.slice(0, rank), ...ids, ...there.slice(rank)]);
    expect(await list(tree, id)).toEqual([]);
  }
});

test('come there where the keys of the list have no room, in the middle and before all', async () => {
  // Keys side by side, and beyond the bound before the first and behind the last.
  for (const rank of [0, 3, 8, 12]) {
    const { tree, there, movers } = await planted(200 + rank, { ...tiny, keyStep: 1 });
    await moved(tree, rank, movers, { ...tiny, keyStep: 8, bound: 10 });
    expect(await list(tree)).toEqual([...there.slice(0, rank), ...movers, ...there.slice(rank)]);
  }
});

const BucketRow = z.strictObject({ bucket: column.int, key: column.int, n: column.int });

test('a rank is found in the bucket that it is in, or begins', async () => {
  const { tree } = await planted(300);
  const buckets = await forest.database.reader.any(
    sql.type(
      BucketRow,
    )`SELECT bucket, key, n FROM tree_bucket WHERE repo_id = 2 AND root_id = 300 AND list_id = 0 ORDER BY key`,
  );
  expect(buckets.length).toBeGreaterThan(2);
  await forest.database.transaction(async (tx) => {
    let before = 0;
    for (const [nth, { bucket, key, n }] of buckets.entries()) {
      const expected = {
        ...{ bucket, key, n, before },
        next_key: buckets[nth + 1]?.key ?? null,
      };
      expect(await locate(tx, tree, null, before)).toMatchObject(expected);
      expect(await locate(tx, tree, null, before + n - 1)).toMatchObject(expected);
      before += n;
    }
    expect(await locate(tx, tree, null, 99)).toMatchObject({ bucket: buckets.at(-1)?.bucket, next_key: null });
    expect(await locate(tx, tree, 404, 0)).toBeNull();
  });
});

test('of what is loaded only lists are laid in which a place gets many', async () => {
  const { id, tree } = await planted(301);
  const late = sql.fragment`late_rows`;
  await forest.database.transaction(async (tx) => {
    await tx.run(sql`
      CREATE TEMP TABLE late_rows ON COMMIT DROP AS
      SELECT ${id + 500}::int + n AS id, 301 AS root_id, NULL::int AS parent_id, n * 2 AS position, n AS seq, true AS visible, NULL::text AS level FROM generate_series(0, 9) AS n
      UNION ALL SELECT ${id + 600}::int + n, 301, ${id}::int, 5 + n, n, true, NULL FROM generate_series(0, 9) AS n`);
    const laid = await layLong(tx, tree, late, true, tiny);
    expect(laid.map(({ parent_id: parentId, runs }) => [parentId, runs.length])).toEqual([[id, 1]]);
    await lockTree(tx, tree);
    expect(await placeAllLong(tx, tree, laid, tiny)).toBe(10);
  });
  expect(await list(tree, id)).toEqual([...from(id + 100, 5), ...from(id + 600, 10), ...from(id + 105, 15)]);
});

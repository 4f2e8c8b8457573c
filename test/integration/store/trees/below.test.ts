// What is below nodes, with its lists, and whether it is much.
import { z } from 'zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { hasMoreThan, listsOf, readBelow } from '#store/trees/below.ts';
import { AnyRow } from '#test/support/rows.ts';
import { openForest } from './forest.ts';
import type { Forest } from './forest.ts';

let forest: Forest;
beforeAll(async () => {
  forest = await openForest();
});
afterAll(() => forest[Symbol.asyncDispose]());

test('all that is below nodes, at any depth, once, and not the nodes themselves', async () => {
  const tree = await forest.plant(1, { 0: [11, 12, 13], 11: [111], 111: [1111], 12: [121] });
  const { reader } = forest.database;
  const below = await readBelow(reader, tree, [11, 12]);
  expect(below.toSorted((a, b) => a.id - b.id)).toEqual([
    { id: 111, list_id: 11 },
    { id: 121, list_id: 12 },
    { id: 1111, list_id: 111 },
  ]);
  expect(listsOf([11, 12], below).toSorted((a, b) => a - b)).toEqual([11, 12, 111, 121, 1111]);
  // A node that is below another of them is below that.
  expect((await readBelow(reader, tree, [11, 111])).map(({ id }) => id).sort((a, b) => a - b)).toEqual([111, 1111]);
  expect(await readBelow(reader, tree, [13, 999])).toEqual([]);
});

test('whether more than so many are in a tree, or below a node', async () => {
  const tree = await forest.plant(2, { 0: [21, 22], 21: [211, 212], 211: [2111] });
  const { reader } = forest.database;
  const asked = [4, 5].map((most) => hasMoreThan(reader, [{ tree, ids: null }], most));
  expect(await Promise.all(asked)).toEqual([true, false]);
  expect(await Promise.all([2, 3].map((most) => hasMoreThan(reader, [{ tree, ids: [21] }], most)))).toEqual([
    true,
    false,
  ]);
  expect(await Promise.all([22, 999].map((id) => hasMoreThan(reader, [{ tree, ids: [id] }], 0)))).toEqual([
    false,
    false,
  ]);
  expect(await hasMoreThan(reader, [{ tree: { ...tree, rootId: 404 }, ids: null }], 0)).toBe(false);
  // Over several trees, and over nodes of one, they are added up.
  const other = await forest.plant(3, { 0: [31], 31: [311, 312] });
  const parts = [
    { tree, ids: null },
    { tree: other, ids: [31] },
  ];
  expect(await Promise.all([6, 7].map((most) => hasMoreThan(reader, parts, most)))).toEqual([true, false]);
  expect(await Promise.all([2, 3].map((most) => hasMoreThan(reader, [{ tree, ids: [21, 22] }], most)))).toEqual([
    true,
    false,
  ]);
  expect(await hasMoreThan(reader, [], 0)).toBe(false);
});

test('a small tree that is younger than the statistics is counted by the index, whatever the size of others', async () => {
  // Alone, so that the planner takes every tree to be like it.
  await using own = await openForest();
  const large = await own.plant(4, { 0: Array.from({ length: 30_000 }, (_, n) => 100_000 + n) });
  const { database } = own;
  await database.reader.any(sql.type(AnyRow)`VACUUM (ANALYZE) tree_node`);
  const small = await own.plant(5, { 0: [51, 52], 51: [511, 512] });
  const scanned = await database.transaction(async (tx) => {
    for (const ids of [null, [51], [51, 52]]) expect(await hasMoreThan(tx, [{ tree: small, ids }], 1000)).toBe(false);
    expect(await hasMoreThan(tx, [{ tree: large, ids: null }], 29_999)).toBe(true);
    return tx.one(sql.type(z.strictObject({ rows: column.int }))`
      SELECT seq_tup_read::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'tree_node'`);
  });
  expect(scanned).toEqual({ rows: 0 });
});

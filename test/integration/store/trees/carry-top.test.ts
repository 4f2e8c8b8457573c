// All of a tree's top level goes to another tree in its buckets: what is done before the two are taken, and what comes meanwhile (decision 0037).
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Tree } from '#domain/tree/tree.ts';
import { treeLimits } from '#domain/tree/limits.ts';
import { sql } from '#store/connection/sql.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import { carryTop, placeTop } from '#store/trees/carry-top.ts';
import { insertNodes } from '#store/trees/insert.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { moveNodes } from '#store/trees/move.ts';
import { readOutline } from '#store/trees/outline.ts';
import { childrenIds } from '#store/trees/read.ts';
import { taking, takingLeft } from '#store/trees/shifts.ts';
import { counting } from '#test/support/count-statements.ts';
import { outside } from '#test/support/outside.ts';
import type { Forest } from './forest.ts';
import { openForest, treeOfRoot } from './forest.ts';

let forest: Forest;
beforeAll(async () => {
  forest = await openForest();
});
afterAll(async () => {
  expect(await checkTrees(forest.database.reader)).toEqual([]);
  await forest[Symbol.asyncDispose]();
});

const insert = (tree: Tree, parentId: number | null, ids: readonly number[]): Promise<void> =>
  forest.database.transaction((tx) =>
    insertNodes(
      tx,
      tree,
      { parentId, position: null },
      ids.map((id) => ({ id, visible: true, level: 'file' })),
    ),
  );
const inList = (tree: Tree, parentId: number | null = null): Promise<readonly number[]> =>
  childrenIds(forest.database.reader, tree, parentId);
const from = (first: number, count: number): readonly number[] => Array.from({ length: count }, (_, n) => first + n);

test('takes what came meanwhile below what goes, leaves what came beside it, and holds the trees for a number of statements that their size does not change', async () => {
  const held = async (nth: number, count: number): Promise<number> => {
    const id = nth * 100_000;
    const tops = from(id, count);
    const source = await forest.plant(nth, { 0: tops, [id]: [id + 90_001], [id + 90_001]: [id + 90_002] });
    const target = await forest.plant(nth + 1, { 0: [id + 95_001] });
    const statements = await forest.database.transaction(async (tx) => {
      const counted = counting(tx);
      const carried = await carryTop(counted.tx, source, target, null);
      expect(carried.top).toEqual(tops);
      expect(carried.ids.toSorted((a, b) => a - b)).toEqual([id + 90_001, id + 90_002]);
      await outside(async () => {
        await insert(source, id + 90_002, [id + 90_003]);
        await insert(target, null, [id + 95_002]);
        await insert(target, id + 95_001, [id + 95_003]);
      });
      const before = counted.count();
      const { late, isGone } = await placeTop(counted.tx, source, target, carried, { isEmptied: true });
      // What came below went, but the tree was looked at before.
      expect([late, isGone]).toEqual([[id + 90_003], false]);
      return counted.count() - before;
    });
    expect(await inList(target)).toEqual([id + 95_001, id + 95_002, ...tops]);
    expect([...(await readOutline(forest.database.reader, target)).ids].slice(0, 7)).toEqual([
      id + 95_001,
      id + 95_003,
      id + 95_002,
      id,
      id + 90_001,
      id + 90_002,
      id + 90_003,
    ]);
    expect(await inList(source)).toEqual([]);
    return statements;
  };
  const few = await held(10, 2);
  // With what came below: two statements of it.
  expect(few).toBeLessThanOrEqual(8);
  expect(await held(20, 1500)).toBe(few);
});

test('a list whose last bucket is full keeps what is added to it meanwhile', async () => {
  const source = await forest.plant(30, { 0: from(3001, treeLimits.max) });
  const target = await forest.plant(31, { 0: [3801] });
  await forest.database.transaction(async (tx) => {
    const carried = await carryTop(tx, source, target, null);
    await outside(() => insert(source, null, [3901, 3902]));
    expect(carried.top).toEqual(from(3001, treeLimits.max));
    expect(await placeTop(tx, source, target, carried, { isEmptied: true })).toEqual({ late: [], isGone: false });
  });
  expect(await inList(source)).toEqual([3901, 3902]);
  // And again, behind those that came before.
  await forest.database.transaction(async (tx) => {
    const counted = counting(tx);
    const carried = await carryTop(tx, source, target, null);
    expect(await placeTop(counted.tx, source, target, carried, { isEmptied: true })).toEqual({
      late: [],
      isGone: true,
    });
    expect(counted.turns()).toBe(1);
  });
  expect(await inList(target)).toEqual([3801, ...from(3001, treeLimits.max), 3901, 3902]);
  await forest.database.transaction((tx) => moveNodes(tx, target, { parentId: null, position: 0, ids: [3902] }));
  await insert(target, null, from(4001, treeLimits.max));
  expect(await inList(target)).toEqual([
    3902,
    3801,
    ...from(3001, treeLimits.max),
    3901,
    ...from(4001, treeLimits.max),
  ]);
});

test('keys that would go beyond their bound are written anew, in order', async () => {
  const source = await forest.plant(40, { 0: from(5001, 600) });
  const target = await forest.plant(41, { 0: from(6001, 600) });
  const limits = { ...treeLimits, bound: 2 * treeLimits.keyStep };
  await forest.database.transaction(async (tx) => {
    await placeTop(tx, source, target, await carryTop(tx, source, target, null), { limits });
  });
  expect(await inList(target)).toEqual([...from(6001, 600), ...from(5001, 600)]);
  const { n } = await forest.database.reader.one(
    sql.type(
      NumberRow,
    )`SELECT max(key / ${treeLimits.keyStep}::bigint)::int AS n FROM tree_bucket WHERE repo_id = 2 AND root_id = 41`,
  );
  expect(n).toBe(4);
});

test('of an empty list nothing goes, and a tree that is not there is not found', async () => {
  const source = await forest.plant(50, {});
  const target = await forest.plant(51, { 0: [7001] });
  await forest.database.transaction(async (tx) => {
    const carried = await carryTop(tx, source, target, null);
    expect(await placeTop(tx, source, target, carried)).toEqual({ late: [], isGone: false });
  });
  expect(await inList(target)).toEqual([7001]);
  await expect(
    forest.database.transaction(async (tx) =>
      placeTop(tx, source, treeOfRoot(404), await carryTop(tx, source, treeOfRoot(404), null)),
    ),
  ).rejects.toMatchObject({ code: 'not_found' });
});

const PlanRow = z.strictObject({ 'QUERY PLAN': column.text });
const ShiftRow = z.strictObject({ list_id: column.int, taken: column.bool, ids: column.ints, ranks: column.ints });
const shiftsOf = (tree: Tree): Promise<readonly z.infer<typeof ShiftRow>[]> =>
  forest.database.reader.any(
    sql.type(
      ShiftRow,
    )`SELECT list_id, taken, ids, ranks FROM tree_shift WHERE repo_id = 2 AND root_id = ${tree.rootId} ORDER BY id`,
  );

test('some nodes of a list go in the order given, and their former ranks are noted, as they are when they are taken', async () => {
  await forest.database.write(sql`ANALYZE tree_node, tree_bucket`);
  const source = await forest.plant(60, { 0: [...from(8001, 1000), 80_900], 8003: [88_001], 80_900: [80_990] });
  const target = await forest.plant(61, { 0: [9001] });
  const odd = from(8001, 1000).filter((id) => id % 2 === 1);
  const ids = odd.toReversed();
  await forest.database.transaction(async (tx) => {
    const carried = await carryTop(tx, source, target, ids);
    expect(carried.ids).toEqual([88_001]);
    // The planner expects one bucket, or one node, of a tree that is younger than its statistics: it is not to compare all with all. Nor once it knows better.
    for (const known of [sql`SELECT`, sql`ANALYZE tree_node, tree_bucket`]) {
      await tx.run(known);
      for (const parts of [takingLeft(source, target.rootId), taking(source, ids)]) {
        const plan = await tx.any(sql.type(PlanRow)`EXPLAIN WITH ${parts} SELECT FROM t`);
        expect(plan.map((row) => row['QUERY PLAN']).join('\n')).not.toContain('Join Filter');
      }
    }
    // Nobody in the list waits for it but who would write these nodes.
    await outside(async () => {
      await insert(source, null, [80_901]);
      await forest.database.transaction((other) =>
        moveNodes(other, source, { parentId: null, position: 0, ids: [80_900] }),
      );
    });
    await placeTop(tx, source, target, carried);
  });
  expect(await inList(target)).toEqual([9001, ...ids]);
  expect(await inList(source)).toEqual([80_900, ...from(8001, 1000).filter((id) => id % 2 === 0), 80_901]);
  expect(await inList(target, 8003)).toEqual([88_001]);
  expect((await shiftsOf(source)).at(-1)).toEqual({
    list_id: 0,
    taken: true,
    ids: odd,
    ranks: odd.map((id) => id - 8000),
  });
  expect(await shiftsOf(target)).toEqual([]);
});

test('several go to one list at once, in the order in which they are placed', async () => {
  const [one, two] = [await forest.plant(70, { 0: from(10_001, 3) }), await forest.plant(71, { 0: from(11_001, 600) })];
  const target = await forest.plant(72, {});
  await forest.database.transaction(async (tx) => {
    const first = await carryTop(tx, one, target, null);
    const second = await carryTop(tx, two, target, null);
    await placeTop(tx, one, target, first);
    await placeTop(tx, two, target, second);
  });
  expect(await inList(target)).toEqual([...from(10_001, 3), ...from(11_001, 600)]);
});

test('nothing goes where a node is in another tree', async () => {
  const source = await forest.plant(80, { 0: [12_001, 12_002] });
  const target = await forest.plant(81, { 0: [12_101] });
  await expect(
    forest.database.transaction((tx) => carryTop(tx, source, target, [12_001, 12_101])),
  ).rejects.toMatchObject({ code: 'not_found', error: 'ArchivalObject not found' });
  expect(await inList(source)).toEqual([12_001, 12_002]);
});

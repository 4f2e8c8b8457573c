// Many nodes to another place of their tree: laid before the tree is taken, what others do meanwhile, and how long it is held.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { treeLimits } from '#domain/tree/limits.ts';
import type { Tree } from '#domain/tree/tree.ts';
import { deleteSubtree } from '#store/trees/delete.ts';
import { insertNodes } from '#store/trees/insert.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { layMove } from '#store/trees/move-many.ts';
import { moveNodes } from '#store/trees/move.ts';
import { childrenIds, countChildren } from '#store/trees/read.ts';
import { isChangedMeanwhile } from '#store/trees/reorder.ts';
import { setVisible } from '#store/trees/visibility.ts';
import { counting } from '#test/support/count-statements.ts';
import { amount } from '#test/support/long.ts';
import { outside } from '#test/support/outside.ts';
import type { Forest } from './forest.ts';
import { openForest } from './forest.ts';
import { ModelTree } from './model.ts';

let forest: Forest;
beforeAll(async () => {
  forest = await openForest();
});
afterAll(async () => {
  expect(await checkTrees(forest.database.reader)).toEqual([]);
  await forest[Symbol.asyncDispose]();
});

const many = treeLimits.max + 50;
const few = { ...treeLimits, min: 2, target: 6, max: 8 };
const from = (first: number, count = many): readonly number[] => Array.from({ length: count }, (_, n) => first + n);
const list = (tree: Tree, parentId: number | null = null): Promise<readonly number[]> =>
  childrenIds(forest.database.reader, tree, parentId);
const insert = (tree: Tree, parentId: number | null, ids: readonly number[], visible = true) =>
  forest.database.transaction((tx) =>
    insertNodes(
      tx,
      tree,
      { parentId, position: null },
      ids.map((id) => ({ id, visible, level: 'file' })),
    ),
  );
const move = (tree: Tree, parentId: number | null, position: number | null, ids: readonly number[]) =>
  forest.database.transaction((tx) => moveNodes(tx, tree, { parentId, position, ids }));

/** Moves nodes as records are moved; gives how often the database waited with the tree held. `meanwhile` is done before it is taken. */
const moved = (
  tree: Tree,
  parentId: number | null,
  position: number | null,
  ids: readonly number[],
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<number> =>
  forest.database.transaction(async (tx) => {
    const counted = counting(tx);
    const place = await layMove(counted.tx, tree, { parentId, position, ids });
    await outside(meanwhile);
    const before = counted.turns();
    await place();
    return counted.turns() - before;
  });

test.each([
  ['the front', 1, 0, 0],
  ['the middle', 2, 5, 5],
  ['where a bucket begins', 3, treeLimits.max, treeLimits.max],
  ['the end', 4, null, 2 * treeLimits.max],
  ['a place beyond it', 5, 99_999, 2 * treeLimits.max],
] as const)(
  'come to %s of another list in the order given, beside what is added there meanwhile',
  async (_, rootId, position, at) => {
    const base = rootId * 100_000;
    const there = from(base + 10_000, 2 * treeLimits.max);
    const movers = from(base + 20_000);
    const tree = await forest.plant(rootId, {
      0: [base, base + 1, base + 2],
      [base]: there.slice(0, treeLimits.max),
      [base + 1]: movers,
    });
    await insert(tree, base, there.slice(treeLimits.max));
    const [added, other] = [base + 30_000, base + 30_001];
    const ids = movers.toReversed();
    const turns = await moved(tree, base, position, ids, async () => {
      await insert(tree, base, [added]);
      await insert(tree, base + 1, [other]);
      await move(tree, base + 2, 0, [there[0] ?? 0]);
      await move(tree, base, 0, [there[0] ?? 0]);
    });
    expect(turns).toBe(1);
    const end = position === null || position > there.length;
    expect(await list(tree, base)).toEqual(
      end ? [...there, added, ...ids] : [...there.slice(0, at), ...ids, ...there.slice(at), added],
    );
    expect(await list(tree, base + 1)).toEqual([other]);
  },
);

test('of their own list come to another place of it, with what is below them, and their former positions are known', async () => {
  const all = from(600_001, 3 * treeLimits.target);
  const tree = await forest.plant(6, { 0: all, 600_700: [690_001] });
  const ids = all.filter((_, n) => n % 2 === 1 && n < 2 * many);
  const rest = all.filter((id) => !ids.includes(id));
  await moved(tree, null, 3, ids);
  expect(await list(tree)).toEqual([...rest.slice(0, 3), ...ids, ...rest.slice(3)]);
  expect(await list(tree, 600_700)).toEqual([690_001]);
  const had = (id: number, position: number): Promise<boolean> => forest.everAt(tree, id, null, position);
  const [mover, other] = [ids[10] ?? 0, rest[400] ?? 0];
  for (const id of [mover, other]) {
    expect(await had(id, all.indexOf(id))).toBe(true);
    expect(await had(id, all.indexOf(id) + 300)).toBe(false);
  }
});

/** A list of one tree and one of another list, of which some are moved in some order, told by places. */
const mixtures = fc.record({
  length: fc.integer({ min: 1, max: 40 }),
  elsewhere: fc.integer({ min: 1, max: 25 }),
  moving: fc.array(fc.nat(64), { minLength: 9, maxLength: 40 }),
  position: fc.option(fc.nat(45)),
});

test('of which some are in the list and some are not come where the contract has them one after the other, and so do those between them', async () => {
  let planted = 1000;
  await fc.assert(
    fc.asyncProperty(mixtures, async ({ length, elsewhere, moving, position }) => {
      for (const isLaid of [true, false]) {
        const base = (planted += 1) * 1000;
        const [here, there] = [[base, ...from(base + 100, length)], from(base + 200, elsewhere)];
        const tree = await forest.plant(planted, { 0: here, [base]: there });
        const model = new ModelTree();
        for (const [parentId, ids] of [
          [null, here],
          [base, there],
        ] as const) {
          const nodes = ids.map((id) => ({ id, visible: true }));
          model.insert(parentId, null, nodes);
        }
        const all = [...here.slice(1), ...there];
        const ids = [...new Set(moving.map((n) => all[n % all.length] ?? 0))];
        model.move(null, position, ids);
        await forest.database.transaction(async (tx) => {
          const place = { parentId: null, position, ids };
          if (!isLaid) return moveNodes(tx, tree, place, few);
          return (await layMove(tx, tree, place, few))();
        });
        expect([await list(tree), await list(tree, base)]).toEqual([model.list(null), model.list(base)]);
        for (const [n, id] of here.slice(0, 4).entries()) expect(await forest.everAt(tree, id, null, n)).toBe(true);
      }
    }),
    { numRuns: amount(25, 300) },
  );
});

test('of which some are in the list and some are not are laid before the tree is taken', async () => {
  const [here, elsewhere] = [from(700_001, 3 * many), from(710_001, many)];
  const tree = await forest.plant(7, { 0: [...here, 720_000], 720_000: elsewhere });
  const own = here.filter((_, n) => n % 3 === 0);
  const ids = elsewhere.flatMap((id, n) => [id, own[n] ?? 0]);
  const turns = await moved(tree, null, 2 * many, ids, () => insert(tree, null, [730_000]));
  // Behind what all moves take, what is left of a bucket of which most left joins its neighbour.
  expect(turns).toBeLessThanOrEqual(6);
  expect((await list(tree)).filter((id) => !ids.includes(id))).toEqual([
    ...here.filter((id) => !ids.includes(id)),
    720_000,
    730_000,
  ]);
  expect(await list(tree, 720_000)).toEqual([]);
  // Who comes between them meanwhile would have to come to lie there: it is done anew.
  const again = moved(tree, null, 5, [...ids.toReversed(), here[1] ?? 0], () => move(tree, null, 7, [730_000]));
  await expect(again).rejects.toSatisfy(isChangedMeanwhile);
});

test('two who lay nodes for one list at once both do it', async () => {
  const base = 2_200_000;
  const there = from(base + 1000, 10);
  const [some, others] = [from(base + 2000), from(base + 3000)];
  const lists = { 0: [base, base + 1, base + 2], [base]: there, [base + 1]: some, [base + 2]: others };
  const tree = await forest.plant(22, lists);
  await moved(tree, base, 4, some, () => moved(tree, base, null, others));
  expect(await list(tree, base)).toEqual([...there.slice(0, 4), ...some, ...there.slice(4), ...others]);
});

test('to where they are, nothing is written', async () => {
  const all = from(900_001);
  const tree = await forest.plant(9, { 0: all });
  expect(await moved(tree, null, 0, all)).toBeLessThanOrEqual(2);
  expect(await list(tree)).toEqual(all);
});

test('is refused as a move of a few is', async () => {
  const all = from(1_000_001);
  const tree = await forest.plant(10, { 0: [1_000_000, ...all], 1_000_001: [1_090_000] });
  await expect(moved(tree, 1_090_000, 0, all)).rejects.toMatchObject({ code: 'conflict' });
  await expect(moved(tree, 404, 0, all)).rejects.toMatchObject({ code: 'bad_parameter' });
  await expect(moved(tree, 1_000_000, 0, [...all, 404])).rejects.toMatchObject({ code: 'not_found' });
  expect(await list(tree)).toEqual([1_000_000, ...all]);
});

const changes: readonly (readonly [string, object, (tree: Tree, base: number) => Promise<unknown>])[] = [
  [
    'the parent goes',
    { code: 'bad_parameter' },
    (tree, base) => forest.database.transaction((tx) => deleteSubtree(tx, tree, [base])),
  ],
  ['the parent comes below one of them', { code: 'conflict' }, (tree, base) => move(tree, base + 10_000, 0, [base])],
  [
    'what is above them is hidden',
    { code: 'conflict', error: 'The children were changed meanwhile' },
    (tree, base) => forest.database.transaction((tx) => setVisible(tx, tree, [base], false)),
  ],
  [
    'another of their list comes before them',
    { code: 'conflict', error: 'The children were changed meanwhile' },
    (tree, base) => move(tree, base + 1, 0, [base + 20_000]),
  ],
];

test.each(changes.map(([what, failure, change], nth) => ({ what, failure, change, rootId: 11 + nth })))(
  'changes nothing where $what meanwhile',
  async ({ what, failure, change, rootId }) => {
    const base = rootId * 100_000;
    const movers = from(base + 10_000);
    const other = base + 20_000;
    const tree = await forest.plant(rootId, { 0: [base, base + 1], [base + 1]: [...movers, other] });
    const error = await moved(tree, base, 0, movers, () => change(tree, base)).catch((reason: unknown) => reason);
    expect(error).toMatchObject(failure);
    expect(isChangedMeanwhile(error)).toBe('error' in failure);
    const isShifted = (await list(tree, base + 1))[0] === other;
    expect(isShifted).toBe(what.startsWith('another'));
    expect(await list(tree, base + 1)).toEqual(isShifted ? [other, ...movers] : [...movers, other]);
  },
);

test('count as visible where they come to as they are', async () => {
  const tree = await forest.plant(20, { 0: [2_000_000, 2_000_001] });
  const [shown, hidden] = [from(2_010_000, 300), from(2_020_000, 300)];
  await insert(tree, 2_000_001, shown);
  await insert(tree, 2_000_001, hidden, false);
  await moved(
    tree,
    2_000_000,
    0,
    shown.flatMap((id, n) => [id, hidden[n] ?? 0]),
  );
  expect(await countChildren(forest.database.reader, tree, 2_000_000, { publishedOnly: true })).toBe(300);
  expect(await countChildren(forest.database.reader, tree, 2_000_000)).toBe(600);
});

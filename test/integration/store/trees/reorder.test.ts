// A list of siblings in another order: what follows for positions, counts and the log of shifts, and what others do between its reading and the end.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tree } from '#domain/tree/tree.ts';
import { sql } from '#store/connection/sql.ts';
import { deleteSubtree } from '#store/trees/delete.ts';
import { insertNodes } from '#store/trees/insert.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { moveNodes } from '#store/trees/move.ts';
import { childrenIds, countChildren, waypoint } from '#store/trees/read.ts';
import { ListChanged } from '#store/trees/reorder.ts';
import { treeVersion } from '#store/trees/root.ts';
import { setVisibleEach } from '#store/trees/visibility.ts';
import { counting } from '#test/support/count-statements.ts';
import { outside } from '#test/support/outside.ts';
import { openForest } from './forest.ts';
import type { Forest } from './forest.ts';
import { reorderAs } from './reorder-as.ts';
import type { Between } from './reorder-as.ts';

let forest: Forest;
beforeAll(async () => {
  forest = await openForest();
});
afterAll(async () => {
  expect(await checkTrees(forest.database.reader)).toEqual([]);
  await forest[Symbol.asyncDispose]();
});

const list = (tree: Tree, parentId: number | null = null): Promise<readonly number[]> =>
  childrenIds(forest.database.reader, tree, parentId);
const reordered = (tree: Tree, order: readonly number[], between: Between = {}): Promise<void> =>
  forest.database.transaction((tx) => reorderAs(tx, tree, null, order, between));
const insert = (tree: Tree, parentId: number | null, position: number | null, ...ids: readonly number[]) =>
  forest.database.transaction((tx) =>
    insertNodes(
      tx,
      tree,
      { parentId, position },
      ids.map((id) => ({ id, visible: id % 3 > 0, level: 'file' })),
    ),
  );
const move = (tree: Tree, parentId: number | null, position: number | null, ...ids: readonly number[]) =>
  forest.database.transaction((tx) => moveNodes(tx, tree, { parentId, position, ids }));
const remove = (tree: Tree, id: number) => forest.database.transaction((tx) => deleteSubtree(tx, tree, [id]));
const show = (tree: Tree, id: number, visible: boolean) =>
  forest.database.transaction((tx) => setVisibleEach(tx, tree, [{ id, visible }]));

test('puts a list of several buckets in order, counts who is visible in each, and leaves what is below where it is', async () => {
  const tree = await forest.plant(1, { 0: [11], 11: [111] });
  const ids = Array.from({ length: 1200 }, (_, at) => 10_000 + at);
  await insert(tree, null, null, ...ids);
  const order = [...ids.toReversed(), 11];
  const version = (await treeVersion(forest.database.reader, tree)) ?? 0;
  await reordered(tree, order);
  expect(await list(tree)).toEqual(order);
  expect(await list(tree, 11)).toEqual([111]);
  expect(await treeVersion(forest.database.reader, tree)).toBeGreaterThan(version);
  expect(await checkTrees(forest.database.reader)).toEqual([]);
  const shown = order.filter((id) => id === 11 || id % 3 > 0);
  const publishedOnly = true;
  expect(await countChildren(forest.database.reader, tree, null, { publishedOnly })).toBe(shown.length);
  const window = await waypoint(forest.database.reader, tree, null, 2, { publishedOnly });
  expect(window.map(({ id }) => id)).toEqual(shown.slice(400, 600));
});

test('tells positions from before it, and those from before what was done earlier and later, from such as are asked for', async () => {
  const tree = await forest.plant(2, { 0: [21, 22, 23, 24, 25] });
  await move(tree, null, 0, 23);
  expect(await list(tree)).toEqual([23, 21, 22, 24, 25]);
  await reordered(tree, [25, 21, 23, 24, 22]);
  await reordered(tree, [21, 25, 24, 23, 22]);
  await insert(tree, null, 1, 26);
  expect(await list(tree)).toEqual([21, 26, 25, 24, 23, 22]);
  const had = async (id: number): Promise<readonly number[]> => {
    const positions: number[] = [];
    for (let position = 0; position < 7; position++)
      if (await forest.everAt(tree, id, null, position)) positions.push(position);
    return positions;
  };
  // Each of them stood at five, of which some are the same.
  expect(await had(21)).toEqual([0, 1]);
  expect(await had(22)).toEqual([1, 2, 4, 5]);
  expect(await had(23)).toEqual([0, 2, 3, 4]);
  expect(await had(24)).toEqual([2, 3]);
  expect(await had(25)).toEqual([0, 1, 2, 4]);
});

const changes: readonly (readonly [string, (tree: Tree) => Promise<unknown>])[] = [
  ['is added at the end', (tree) => insert(tree, null, null, tree.rootId * 10 + 9)],
  ['is added before others', (tree) => insert(tree, null, 0, tree.rootId * 10 + 9)],
  ['is moved, of those that change their places', (tree) => move(tree, null, 5, tree.rootId * 10 + 1)],
  ['is moved, of those that do not', (tree) => move(tree, null, 5, tree.rootId * 10 + 3)],
  ['is moved away', (tree) => move(tree, tree.rootId * 10 + 6, 0, tree.rootId * 10 + 4)],
  ['is moved here', (tree) => move(tree, null, null, tree.rootId * 10 + 7)],
  ['is deleted', (tree) => remove(tree, tree.rootId * 10 + 3)],
  [
    'is deleted and another added, so that there are as many',
    async (tree) => {
      await remove(tree, tree.rootId * 10 + 3);
      await insert(tree, null, null, tree.rootId * 10 + 9);
    },
  ],
];
const moments = ['before it writes', 'before it takes the tree'] as const;
// What would wait for the nodes that are written, and be waited for.
const waits = new Set(['is moved, of those that change their places']);

test.each(
  changes
    .flatMap(([what, change]) => moments.map((moment) => ({ what, moment, change })))
    .filter(({ what, moment }) => moment === moments[0] || !waits.has(what))
    .map((row, nth) => ({ ...row, rootId: 100 + nth })),
)('changes nothing where one $what $moment', async ({ rootId, moment, change }) => {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = [1, 2, 3, 4, 5, 6, 7].map((n) => rootId * 10 + n);
  const tree = await forest.plant(rootId, { 0: [a, b, c, d, e, f], [f]: [g] });
  let after: readonly number[] = [];
  const meanwhile = (): Promise<void> =>
    outside(async () => {
      await change(tree);
      after = await list(tree);
    });
  await expect(
    reordered(
      tree,
      [b, a, c, d, f, e],
      moment === moments[0] ? { beforeWriting: meanwhile } : { beforeTree: meanwhile },
    ),
  ).rejects.toThrow(ListChanged);
  expect(await list(tree)).toEqual(after);
  await reordered(
    tree,
    after.toSorted((x, y) => x - y),
  );
  expect(await list(tree)).toEqual(after.toSorted((x, y) => x - y));
});

test('changes nothing where those that it leaves alone were laid anew without a note, as by a load over an earlier one', async () => {
  const tree = await forest.plant(3, { 0: [31, 32, 33, 34] });
  const relaid = (): Promise<unknown> =>
    forest.database.transaction((tx) =>
      tx.run(sql`
        UPDATE tree_node t SET ord = o.ord FROM tree_node o
        WHERE t.root_id = 3 AND o.root_id = 3 AND (t.id, o.id) IN ((31, 32), (32, 31))`),
    );
  await expect(
    reordered(tree, [31, 32, 34, 33], { beforeWriting: () => outside(relaid).then(() => undefined) }),
  ).rejects.toThrow(ListChanged);
  expect(await list(tree)).toEqual([32, 31, 33, 34]);
});

test('goes on where others work in other lists of the tree, and where some are shown and hidden meanwhile', async () => {
  const tree = await forest.plant(4, { 0: [41, 42, 43], 43: [431, 432] });
  // Two buckets, so that who is visible in which changes with the order.
  await insert(tree, null, null, ...Array.from({ length: 600 }, (_, at) => 40_000 + at));
  const order = [...(await list(tree))].reverse();
  await reordered(tree, order, {
    beforeWriting: () => outside(() => show(tree, 42, false)).then(() => undefined),
    beforeTree: () =>
      outside(async () => {
        await insert(tree, 43, 0, 433);
        await move(tree, 43, 0, 432);
        await insert(tree, 41, null, 411);
      }),
  });
  expect(await list(tree)).toEqual(order);
  expect(await list(tree, 43)).toEqual([432, 433, 431]);
  expect(await checkTrees(forest.database.reader)).toEqual([]);
});

test('holds the tree for two statements, however many are moved', async () => {
  const held = (tree: Tree, order: readonly number[]): Promise<number> =>
    forest.database.transaction(async (tx) => {
      const { tx: counted, count } = counting(tx);
      let before = 0;
      await reorderAs(counted, tree, null, order, {
        beforeTree: async () => {
          before = count();
          // Nobody is held up yet.
          await outside(() => insert(tree, order[0] ?? 0, null, tree.rootId * 10_000));
        },
      });
      return count() - before;
    });
  const few = await forest.plant(5, { 0: [51, 52, 53] });
  const many = await forest.plantWide(6, 60_001, 3000);
  expect(await held(few, [53, 52, 51])).toBe(2);
  expect(await held(many, (await list(many)).toReversed())).toBe(2);
});

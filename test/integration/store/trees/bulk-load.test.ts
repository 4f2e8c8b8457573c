// Many nodes at once: new trees, lists that exist, positions with gaps, and what is refused.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { treeLimits } from '#domain/tree/limits.ts';
import type { Tree } from '#domain/tree/tree.ts';
import { NumberRow } from '#store/connection/columns.ts';
import type { Fragment } from '#store/connection/sql.ts';
import { sql } from '#store/connection/sql.ts';
import { bulkLoadTree, prepareLoad } from '#store/trees/bulk-load.ts';
import type { Loaded } from '#store/trees/bulk-load.ts';
import { createRoot, insertNodes } from '#store/trees/insert.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { childrenIds, waypoint } from '#store/trees/read.ts';
import { lockTree } from '#store/trees/root.ts';
import { moveToRoot } from '#store/trees/transfer.ts';
import { counting } from '#test/support/count-statements.ts';
import { seededRandom } from '#test/support/random.ts';
import { outside } from '#test/support/outside.ts';
import { openForest, treeOfRoot } from './forest.ts';
import type { Forest } from './forest.ts';

let forest: Forest;
beforeAll(async () => {
  forest = await openForest();
});
afterAll(async () => {
  expect(await checkTrees(forest.database.reader)).toEqual([]);
  await forest[Symbol.asyncDispose]();
});

type Staged = readonly [id: number, rootId: number, parentId: number | null, position: number | null];

const load = (staged: readonly Staged[], keepsPositions = true): Promise<Loaded> =>
  forest.database.transaction((tx) => bulkLoadTree(tx, { repoId: 2, code: 1 }, sourceOf(staged), { keepsPositions }));

function sourceOf(staged: readonly Staged[]): Fragment {
  const rows = sql.unnest(
    staged.map((row, seq) => [...row, seq]),
    ['int4', 'int4', 'int4', 'int4', 'int4'],
  );
  return sql.fragment`SELECT id, root_id, parent_id, position, seq, id % 2 = 0 AS visible, 'file' AS level FROM ${rows} AS u(id, root_id, parent_id, position, seq)`;
}

test('lays new trees by position, then by order in the file', async () => {
  expect(
    await load([
      [15, 1, null, null],
      [13, 1, null, 7],
      [12, 1, null, 3],
      [14, 1, null, 7],
      [121, 1, 12, null],
      [122, 1, 12, null],
      [21, 2, null, 0],
    ]),
  ).toEqual({ nodes: 7, roots: [1, 2], splicedLists: 0 });
  expect(await childrenIds(forest.database.reader, treeOfRoot(1), null)).toEqual([12, 13, 14, 15]);
  expect(await waypoint(forest.database.reader, treeOfRoot(1), null, 0, { publishedOnly: true })).toEqual([
    { id: 12, position: 0, child_count: 1 },
    { id: 14, position: 1, child_count: 0 },
  ]);
});

test('puts new nodes into lists that exist, at their positions or at the end', async () => {
  await forest.plant(3, { 0: [31, 32, 33], 31: [311] });
  expect(
    await load([
      [34, 3, null, 1],
      [35, 3, null, 2],
      [36, 3, null, 99],
      [312, 3, 31, null],
      [341, 3, 34, 0],
    ]),
  ).toMatchObject({ nodes: 5, splicedLists: 2 });
  expect(await childrenIds(forest.database.reader, treeOfRoot(3), null)).toEqual([31, 34, 35, 32, 33, 36]);
  await load([[37, 3, null, 0]], false);
  expect((await childrenIds(forest.database.reader, treeOfRoot(3), null)).at(-1)).toBe(37);
  expect(await childrenIds(forest.database.reader, treeOfRoot(3), 31)).toEqual([311, 312]);
});

test.each([
  [
    'a parent that is not there',
    [
      [41, 4, null, 0],
      [42, 4, 999, 0],
    ],
  ],
  [
    'a parent of another root',
    [
      [51, 5, null, 0],
      [61, 6, 51, 0],
    ],
  ],
  [
    'a cycle',
    [
      [71, 7, 72, 0],
      [72, 7, 71, 0],
      [73, 7, null, 0],
    ],
  ],
] as const)('refuses %s and loads nothing', async (_name, staged) => {
  await expect(load(staged)).rejects.toMatchObject({ code: 'bad_parameter' });
  expect(await childrenIds(forest.database.reader, treeOfRoot(staged[0][1]), null)).toEqual([]);
});

test('fills buckets evenly enough that invariants hold for thousands of siblings', async () => {
  await forest.plantWide(8, 100_000, 5000);
  expect((await childrenIds(forest.database.reader, treeOfRoot(8), null)).length).toBe(5000);
  expect((await waypoint(forest.database.reader, treeOfRoot(8), null, 24)).at(-1)).toEqual({
    id: 104_999,
    position: 4999,
    child_count: 0,
  });
});

const insert = (tree: Tree, parentId: number | null, id: number): Promise<void> =>
  forest.database.transaction((tx) =>
    insertNodes(tx, tree, { parentId, position: null }, [{ id, visible: true, level: 'file' }]),
  );

/** Loads as a batch does that others work beside, and gives how many statements there were with the trees taken. */
async function loadBeside(staged: readonly Staged[], work: () => Promise<void>): Promise<number> {
  return forest.database.transaction(async (tx) => {
    const counted = counting(tx);
    const { place } = await prepareLoad(counted.tx, { repoId: 2, code: 1 }, sourceOf(staged), { keepsPositions: true });
    await outside(work);
    const before = counted.count();
    await place();
    return counted.count() - before;
  });
}

test('takes no tree before all is laid that hangs on what is loaded, and many for the end of a list', async () => {
  const held = async (nth: number, count: number): Promise<number> => {
    const id = nth * 100_000;
    const tree = await forest.plant(nth, { 0: [id + 1, id + 2], [id + 1]: [id + 11] });
    const children = Array.from({ length: count }, (_, n) => id + 2000 + n);
    const statements = await loadBeside(
      [
        [id + 20, nth, null, null],
        [id + 21, nth, id + 1, 0],
        ...children.map((child): Staged => [child, nth, id + 20, null]),
        [id + 30, nth, id + 2, null],
      ],
      async () => {
        await insert(tree, null, id + 3);
        await insert(tree, id + 1, id + 12);
        await insert(tree, id + 2, id + 31);
      },
    );
    const inList = (parent: number | null): Promise<readonly number[]> =>
      childrenIds(forest.database.reader, tree, parent);
    expect(await inList(null)).toEqual([id + 1, id + 2, id + 3, id + 20]);
    expect(await inList(id + 1)).toEqual([id + 21, id + 11, id + 12]);
    expect(await inList(id + 20)).toEqual(children);
    expect(await inList(id + 2)).toEqual([id + 31, id + 30]);
    return statements;
  };
  expect(await held(21, 1500)).toBe(await held(20, 2));
});

test('many for the end of lists come in buckets of their own, behind what came meanwhile', async () => {
  const held = async (nth: number, count: number): Promise<number> => {
    const id = nth * 100_000;
    const tree = await forest.plant(nth, { 0: [id + 1, id + 2] });
    const nodes = Array.from({ length: count }, (_, n) => id + 2000 + n);
    const below = Array.from({ length: count }, (_, n) => id + 50_000 + n);
    const statements = await loadBeside(
      [
        ...nodes.map((node): Staged => [node, nth, null, null]),
        ...below.map((node): Staged => [node, nth, id + 2, null]),
      ],
      () => insert(tree, null, id + 3),
    );
    expect(await childrenIds(forest.database.reader, tree, null)).toEqual([id + 1, id + 2, id + 3, ...nodes]);
    expect(await childrenIds(forest.database.reader, tree, id + 2)).toEqual(below);
    return statements;
  };
  expect(await held(22, 600)).toBe(await held(23, 3000));
});

test('refuses all where the parent of one has left the tree meanwhile', async () => {
  const tree = await forest.plant(24, { 0: [2_400_001, 2_400_002] });
  const other = await forest.plant(25, { 0: [2_500_001] });
  await expect(
    loadBeside(
      [
        [2_400_011, 24, 2_400_001, null],
        [2_400_012, 24, 2_400_002, null],
      ],
      async () => {
        await forest.database.transaction((tx) => moveToRoot(tx, tree, other, [2_400_002]));
      },
    ),
  ).rejects.toMatchObject({ code: 'bad_parameter' });
  expect(await childrenIds(forest.database.reader, tree, 2_400_001)).toEqual([]);
});

test('a tree that the transaction itself made is laid at once, whoever made its root', async () => {
  const tree = treeOfRoot(26);
  const nodes = Array.from({ length: 600 }, (_, n) => 2_600_001 + n);
  await forest.database.transaction(async (tx) => {
    await createRoot(tx, tree);
    const { place } = await prepareLoad(
      tx,
      { repoId: 2, code: 1 },
      sourceOf(nodes.map((node): Staged => [node, 26, null, null])),
      { keepsPositions: true },
    );
    expect(await childrenIds(tx, tree, null)).toEqual(nodes);
    expect(await place()).toEqual({ nodes: 600, roots: [26], splicedLists: 0 });
  });
  // Taken by it, and not empty: as one that is there.
  await forest.database.transaction(async (tx) => {
    await lockTree(tx, tree);
    await bulkLoadTree(tx, { repoId: 2, code: 1 }, sourceOf([[2_600_900, 26, null, null]]), { keepsPositions: true });
  });
  expect((await childrenIds(forest.database.reader, tree, null)).at(-1)).toBe(2_600_900);
});

test('many for places of a list are laid before its tree is taken, as few are put there', async () => {
  const random = seededRandom(291_130);
  const below = (n: number): number => Math.floor(random() * n);
  // So small that nearly every list has places that get more than a bucket holds, and others that do not.
  const limits = { ...treeLimits, max: 8, target: 6, min: 3 };
  let laid = 0;
  for (let nth = 0; nth < 12; nth++) {
    const rootId = 30 + nth;
    const id = rootId * 100_000;
    const list = Array.from({ length: 1 + below(30) }, (_, n) => id + n);
    const tree = await forest.plant(rootId, { 0: list });
    // Places side by side, the same one again and again, beyond the end, and none.
    const start = below(40);
    const staged = Array.from({ length: 20 + below(30) }, (_, n): Staged => {
      const place = [start + n, below(12), nth % 2 === 0 ? start : null, 99][below(nth % 3 === 0 ? 4 : 1)];
      return [id + 1000 + n, rootId, null, place ?? null];
    });
    const ordered = staged
      .map(([node, , , position], seq) => ({ node, position: position ?? Infinity, seq }))
      .toSorted((a, b) => (a.position === b.position ? a.seq - b.seq : a.position - b.position));
    for (const { node, position } of ordered) list.splice(Math.min(position, list.length), 0, node);
    await forest.database.transaction(async (tx) => {
      const { place } = await prepareLoad(tx, { repoId: 2, code: 1 }, sourceOf(staged), {
        keepsPositions: true,
        limits,
      });
      const { n } = await tx.one(
        sql.type(
          NumberRow,
        )`SELECT count(*)::int AS n FROM tree_node WHERE repo_id = 2 AND root_id = ${rootId} AND bucket < 0`,
      );
      if (n > 0) laid += 1;
      // Nobody waits for the tree.
      await outside(() => forest.database.transaction((other) => lockTree(other, tree)));
      expect(await place()).toEqual({ nodes: staged.length, roots: [rootId], splicedLists: 1 });
    });
    expect(await childrenIds(forest.database.reader, tree, null)).toEqual(list);
  }
  expect(laid).toBeGreaterThan(6);
});

test('many for the front of a list are put before all that is there, however many, in as many statements', async () => {
  const held = async (rootId: number, count: number): Promise<number> => {
    const id = rootId * 100_000;
    const tree = await forest.plant(rootId, { 0: [id, id + 1] });
    const nodes = Array.from({ length: count }, (_, n) => id + 1000 + n);
    const statements = await loadBeside(
      nodes.map((node, n): Staged => [node, rootId, null, n]),
      () => insert(tree, null, id + 2),
    );
    expect(await childrenIds(forest.database.reader, tree, null)).toEqual([...nodes, id, id + 1, id + 2]);
    return statements;
  };
  expect(await held(60, 600)).toBe(await held(61, 3000));
});

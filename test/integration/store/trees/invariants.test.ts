// Ordered trees against plain arrays under random operations, with limits so small that every rewriting path is taken, and the
// invariants of the tables. TREE_SEED and TREE_OPERATIONS repeat or lengthen a run.
import { amount } from '#test/support/long.ts';
import { seededRandom } from '#test/support/random.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { treeLimits } from '#domain/tree/limits.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import { Database } from '#store/connection/database.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { carryTop, placeTop } from '#store/trees/carry-top.ts';
import { deleteBelow, deleteSubtree } from '#store/trees/delete.ts';
import { createRoot, insertNodes } from '#store/trees/insert.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import { layMove } from '#store/trees/move-many.ts';
import { moveNodes } from '#store/trees/move.ts';
import { childrenIds, pathsFromRoot, positionsOf, previousNode, subtreeIds, waypoint } from '#store/trees/read.ts';
import { setSubtreeVisible, setVisible, setVisibleEach } from '#store/trees/visibility.ts';
import { nodesOf, readOutline } from '#store/trees/outline.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { ModelTree } from './model.ts';
import { reorderAs } from './reorder-as.ts';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 4 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

const tiny: TreeLimits = { max: 8, target: 6, min: 3, ordStep: 4, keyStep: 8, bound: 60 };

/** Numbers from 0 up to `below`, the same for a seed. */
function randomFrom(seed: number): (below: number) => number {
  const random = seededRandom(seed);
  return (below) => Math.floor(random() * below);
}

type Run = {
  readonly rootId: number;
  readonly seed: number;
  readonly operations: number;
  readonly limits: TreeLimits;
  readonly group: number;
};

async function play({ rootId, seed, operations, limits, group }: Run): Promise<Record<string, number>> {
  const tree = { repoId: 2, code: 1, rootId, nodeModel: 'ArchivalObject', rootModel: 'Resource' };
  const random = randomFrom(seed);
  const model = new ModelTree();
  const done: Record<string, number> = {};
  const count = (name: string): void => {
    done[name] = (done[name] ?? 0) + 1;
  };
  await database.transaction((tx) => createRoot(tx, tree));
  let nextId = rootId * 1_000_000;
  const newNodes = (length: number): { id: number; visible: boolean; level: string }[] =>
    Array.from({ length }, () => ({ id: ++nextId, visible: random(3) > 0, level: 'file' }));
  const anyNode = (): number | null =>
    model.nodes.size === 0 ? null : ([...model.nodes.keys()][random(model.nodes.size)] ?? null);
  // A few parents get most children, so that their lists split and merge.
  const anyParent = (): number | null =>
    random(3) === 0 ? anyNode() : random(2) === 0 ? null : ([...model.nodes.keys()][random(4)] ?? null);
  const anyPosition = (parentId: number | null): number | null =>
    random(6) === 0 ? null : random(model.list(parentId).length + 4);
  const topmost = (id: number): number => {
    const above = model.nodes.get(id)?.parentId ?? null;
    return above === null ? id : topmost(above);
  };
  let otherRoot = rootId * 1_000_000;
  let samePlace: { parentId: number | null; position: number | null } | null = null;

  const operate = async (): Promise<readonly (number | null)[]> => {
    const dice = random(100);
    if (dice < (model.nodes.size > 2500 ? 15 : 34)) {
      if (random(40) === 0) samePlace = random(2) === 0 ? null : { parentId: anyParent(), position: 3 };
      if (samePlace?.parentId != null && !model.nodes.has(samePlace.parentId)) samePlace = null;
      const parentId = samePlace?.parentId ?? anyParent();
      const position = samePlace === null ? anyPosition(parentId) : samePlace.position;
      const nodes = newNodes(1 + random(random(3) === 0 ? group : 3));
      await database.transaction((tx) => insertNodes(tx, tree, { parentId, position }, nodes, limits));
      model.insert(parentId, position, nodes);
      count('insert');
      return [parentId];
    }
    if (dice < 40) {
      const parentId = anyParent();
      const order = [...model.list(parentId)];
      for (let at = order.length - 1, times = random(order.length + 1); at > 0 && times > 0; at -= 1, times -= 1) {
        const other = random(at + 1);
        [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
      }
      await database.transaction((tx) => reorderAs(tx, tree, parentId, order));
      model.list(parentId).splice(0, order.length, ...order);
      count('reorder');
      return [parentId];
    }
    if (dice < 78) {
      const parentId = anyParent();
      const pool = random(2) === 0 ? model.list(parentId) : [...model.nodes.keys()];
      // By chance alone, some runs would try no cycle.
      const ids =
        parentId !== null && random(20) === 0
          ? [topmost(parentId)]
          : [
              ...new Set(
                Array.from({ length: random(2) === 0 ? 1 : 1 + random(group) }, () => pool[random(pool.length)]).filter(
                  (id) => id !== undefined,
                ),
              ),
            ];
      if (ids.length === 0) return [];
      const position = anyPosition(parentId);
      const touched = [parentId, ...ids.map((id) => model.nodes.get(id)?.parentId ?? null)];
      // Sometimes many are laid before the tree is taken, as in moves of records.
      const isLaid = random(2) === 0;
      const moved = await database
        .transaction(async (tx) =>
          isLaid
            ? (await layMove(tx, tree, { parentId, position, ids }, limits))()
            : moveNodes(tx, tree, { parentId, position, ids }, limits),
        )
        .then(
          () => true,
          (error: Error) => {
            expect(error.message).toBe("Can't make a parent into its own child");
            return false;
          },
        );
      expect(model.move(parentId, position, ids)).toBe(moved);
      count(moved ? (ids.length === 1 ? 'move one' : isLaid ? 'move laid' : 'move many') : 'cycle refused');
      return touched;
    }
    // All of another tree comes, with the buckets of its top level.
    if (dice === 78) {
      const from = { ...tree, rootId: (otherRoot += 1) };
      const arriving = new ModelTree();
      const put = async (parentId: number | null, position: number | null, length: number): Promise<void> => {
        const nodes = newNodes(length);
        await database.transaction((tx) => insertNodes(tx, from, { parentId, position }, nodes, limits));
        arriving.insert(parentId, position, nodes);
      };
      await database.transaction((tx) => createRoot(tx, from));
      for (let n = 0; n <= random(5); n++) await put(null, random(arriving.list(null).length + 1), 1 + random(group));
      const top = arriving.list(null);
      await put(top[0] ?? null, null, 2);
      await database.transaction(async (tx) => {
        const carried = await carryTop(tx, from, tree, null);
        expect(carried.top).toEqual(top);
        expect(await placeTop(tx, from, tree, carried, { limits, isEmptied: true })).toEqual({
          late: [],
          isGone: true,
        });
      });
      for (const parentId of [null, top[0] ?? null])
        model.insert(
          parentId,
          null,
          arriving.list(parentId).flatMap((id) => arriving.nodes.get(id) ?? []),
        );
      count('arrival');
      return [null, top[0] ?? null];
    }
    // Some of the top level go to another tree, in an order of their own.
    if (dice === 79) {
      const to = { ...tree, rootId: (otherRoot += 1) };
      const list = model.list(null);
      const ids = [...new Set(Array.from({ length: random(group) }, () => list[random(list.length)]))].filter(
        (one) => one !== undefined,
      );
      await database.transaction((tx) => createRoot(tx, to));
      const below = ids.flatMap((one) => model.list(one).map((child) => [one, child] as const));
      await database.transaction(async (tx) => {
        const carried = await carryTop(tx, tree, to, ids, limits);
        expect(await placeTop(tx, tree, to, carried, { limits })).toEqual({ late: [], isGone: false });
      });
      expect(await childrenIds(database.reader, to, null)).toEqual(ids);
      for (const one of new Set(below.map(([above]) => above)))
        expect(await childrenIds(database.reader, to, one)).toEqual(model.list(one));
      for (const one of ids) model.delete(one);
      count('departure');
      return [null];
    }
    const id = anyNode();
    if (id === null) return [];
    const parentId = model.nodes.get(id)?.parentId ?? null;
    if (dice < 90) {
      if (model.below(id).length > 60) return [];
      // Sometimes what is below goes before the tree is taken, as in deletions of records.
      const isEmptied = random(2) === 0;
      const gone = await database.transaction(async (tx) => {
        const emptied = isEmptied ? await deleteBelow(tx, tree, [id]) : undefined;
        return [...(emptied?.ids ?? []), ...(await deleteSubtree(tx, tree, [id], { limits, emptied }))];
      });
      expect(gone.toSorted((a, b) => a - b)).toEqual(model.delete(id).toSorted((a, b) => a - b));
      count('delete');
      return [parentId];
    }
    const visible = random(2) === 0;
    const set = (ids: readonly number[], value: boolean): void => {
      for (const one of ids) {
        const node = model.nodes.get(one);
        if (node !== undefined) node.visible = value;
      }
    };
    count('visibility');
    if (dice < 94) {
      await database.transaction((tx) => setVisible(tx, tree, [id], visible));
      set([id], visible);
    } else if (dice < 97) {
      await database.transaction((tx) => setSubtreeVisible(tx, tree, [id], visible));
      set(model.below(id), visible);
    } else {
      const other = anyNode() ?? id;
      await database.transaction((tx) =>
        setVisibleEach(
          tx,
          tree,
          other === id
            ? [{ id, visible }]
            : [
                { id, visible },
                { id: other, visible: !visible },
              ],
        ),
      );
      set([other], !visible);
      set([id], visible);
      return [parentId, model.nodes.get(other)?.parentId ?? null, id];
    }
    return [parentId, id];
  };

  const compareList = async (parentId: number | null): Promise<void> => {
    if (parentId !== null && !model.nodes.has(parentId)) return;
    const expected = model.shown(parentId, false);
    expect(await childrenIds(database.reader, tree, parentId)).toEqual(expected);
    const publishedOnly = random(2) === 0;
    const shown = model.shown(parentId, publishedOnly);
    const offset = random(Math.ceil(shown.length / 200) + 1);
    const window = shown.slice(offset * 200, offset * 200 + 200);
    expect(await waypoint(database.reader, tree, parentId, offset, { publishedOnly })).toEqual(
      window.map((id, i) => ({ id, position: offset * 200 + i, child_count: model.shown(id, publishedOnly).length })),
    );
    const some = [expected[0], expected[random(expected.length || 1)], expected.at(-1)].filter(
      (id) => id !== undefined,
    );
    expect(await positionsOf(database.reader, tree, some)).toEqual(
      new Map(some.map((id) => [id, expected.indexOf(id)])),
    );
    const last = some[1];
    if (last !== undefined)
      expect(await previousNode(database.reader, tree, last)).toBe(expected[expected.indexOf(last) - 1] ?? parentId);
  };

  for (let i = 1; i <= operations; i++) {
    const touched = await operate();
    for (const parentId of new Set(touched)) await compareList(parentId);
    if (i % 100 === 0) {
      // Autovacuum does this in life; the plans of whole-table checks need it.
      await database.reader.any(sql.type(AnyRow)`ANALYZE tree_node, tree_bucket`);
      expect(await checkTrees(database.reader, [], limits)).toEqual([]);
    }
    if (i % 250 === 0) {
      for (const publishedOnly of [false, true]) {
        const walked = nodesOf(await readOutline(database.reader, tree, { publishedOnly }));
        expect(walked).toEqual(model.walk(null, 1, publishedOnly));
      }
      const id = anyNode();
      if (id !== null) {
        expect((await subtreeIds(database.reader, tree, [id])).toSorted((a, b) => a - b)).toEqual(
          model.below(id).toSorted((a, b) => a - b),
        );
        const path: number[] = [];
        for (let at = model.nodes.get(id)?.parentId ?? null; at !== null; at = model.nodes.get(at)?.parentId ?? null)
          path.unshift(at);
        expect((await pathsFromRoot(database.reader, tree, [id])).get(id)?.ancestors).toEqual(path);
      }
    }
  }
  return done;
}

const operations = Number(process.env['TREE_OPERATIONS'] ?? amount(500, 2000));
const seed = Number(process.env['TREE_SEED'] ?? Date.now() % 1_000_000);

test(`keeps every list as arrays would through random operations, with tiny buckets (seed ${seed})`, async () => {
  const done = await play({ rootId: 1, seed, operations, limits: tiny, group: 15 });
  expect(Object.keys(done).toSorted()).toEqual([
    'arrival',
    'cycle refused',
    'delete',
    'departure',
    'insert',
    'move laid',
    'move many',
    'move one',
    'reorder',
    'visibility',
  ]);
});

test(`keeps every list as arrays would through random operations, with real buckets (seed ${seed})`, async () => {
  await play({ rootId: 2, seed, operations: Math.ceil(operations / 6), limits: treeLimits, group: 700 });
});

test('names each kind of damage', async () => {
  const tree = { repoId: 3, code: 1, rootId: 9, nodeModel: 'ArchivalObject', rootModel: 'Resource' };
  await database.transaction(async (tx) => {
    await createRoot(tx, tree);
    await insertNodes(tx, tree, { parentId: null, position: null }, [
      { id: 1, visible: true, level: null },
      { id: 2, visible: true, level: null },
    ]);
  });
  expect((await checkTrees(database.reader)).join()).not.toContain('counts differ');
  await database.transaction((tx) => tx.run(sql`UPDATE tree_node SET parent_id = 2 WHERE repo_id = 3 AND id = 2`));
  const found = await checkTrees(database.reader);
  expect(found).toContainEqual(expect.stringContaining('counts differ'));
  expect(found).toContainEqual('1 nodes that are not reached from their root');
});

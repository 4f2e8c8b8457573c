// A database with trees in it, for the tests of libs/store/trees.
import { Database } from '#store/connection/database.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { bulkLoadTree } from '#store/trees/bulk-load.ts';
import { createRoot, insertNodes } from '#store/trees/insert.ts';
import { positionsOf } from '#store/trees/read.ts';
import { isEarlierPosition } from '#store/trees/shifts.ts';
import { createDatabase } from '#test/support/database.ts';
import type { Tree } from '#domain/tree/tree.ts';

/** A database and what tests do with trees. */
export type Forest = {
  readonly database: Database;
  /** Makes a tree: each key is a parent (0: the root), its value the children in order. Parents come before their children. */
  plant(rootId: number, lists: { readonly [parentId: number]: readonly number[] }): Promise<Tree>;
  /** Makes a tree of `count` nodes directly under the root, with ids from `firstId` on, and the planner's statistics. */
  plantWide(rootId: number, firstId: number, count: number): Promise<Tree>;
  /** Whether a node is at a position, or ever was. */
  everAt(tree: Tree, id: number, parentId: number | null, position: number): Promise<boolean>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** The tree of a resource in repository 2. */
export const treeOfRoot = (rootId: number): Tree => ({
  repoId: 2,
  code: 1,
  rootId,
  nodeModel: 'ArchivalObject',
  rootModel: 'Resource',
});

/** Opens a database of its own. */
export async function openForest(): Promise<Forest> {
  const own = await createDatabase();
  const database = new Database({ url: own.url, poolSize: 8 });
  return {
    database,
    plant: async (rootId, lists) => {
      const tree = treeOfRoot(rootId);
      await database.transaction(async (tx) => {
        await createRoot(tx, tree);
        for (const [parent, children] of Object.entries(lists)) {
          const nodes = children.map((id) => ({ id, visible: true, level: 'file' }));
          await insertNodes(tx, tree, { parentId: Number(parent) || null, position: null }, nodes);
        }
      });
      return tree;
    },
    plantWide: async (rootId, firstId, count) => {
      const tree = treeOfRoot(rootId);
      const source = sql.fragment`SELECT i AS id, ${rootId}::int AS root_id, NULL::int AS parent_id, i AS position, i AS seq, true AS visible, 'file' AS level
        FROM generate_series(${firstId}::int, ${firstId + count - 1}::int) i`;
      await database.transaction((tx) => bulkLoadTree(tx, tree, source, { keepsPositions: true }));
      await database.reader.any(sql.type(AnyRow)`ANALYZE tree_node, tree_bucket`);
      return tree;
    },
    everAt: (tree, id, parentId, position) =>
      database.transaction(async (tx) => {
        const rank = (await positionsOf(tx, tree, [id])).get(id);
        return isEarlierPosition(tx, tree, { id, parentId, position, rank, savedAt: '2000-01-01T00:00:00Z' });
      }),
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await own.drop();
    },
  };
}

// Which nodes count as visible (published and not suppressed), kept beside the order so that published_only windows are
// counted and not filtered; and the level that `ancestors` shows.
import { z } from 'zod';
import type { Tree } from '#domain/tree/tree.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { Fragment } from '../connection/sql.ts';
import { idArray, inScope, inTree } from './conditions.ts';
import { subtreeIds } from './read.ts';
import { lockTree } from './root.ts';

/** Sets the flag of the given nodes alone. Gives the number of nodes that changed. `not_found` where the root has no tree. */
export async function setVisible(
  tx: Transaction,
  tree: Tree,
  ids: readonly number[],
  visible: boolean,
): Promise<number> {
  if (ids.length === 0) return 0;
  await lockTree(tx, tree);
  return apply(
    tx,
    tree,
    sql.fragment`s AS (SELECT t.id, ${visible}::boolean AS visible FROM tree_node t WHERE ${inTree('t', tree)} AND t.id = ANY(${idArray(ids)}))`,
  );
}

/** Sets the flag of nodes and of all that is below them; `ids` null is the whole tree. Gives the number of nodes that changed. */
export async function setSubtreeVisible(
  tx: Transaction,
  tree: Tree,
  ids: readonly number[] | null,
  visible: boolean,
): Promise<number> {
  await lockTree(tx, tree);
  return apply(
    tx,
    tree,
    sql.fragment`s AS (SELECT below.id, ${visible}::boolean AS visible FROM ${await below(tx, tree, ids)})`,
  );
}

/** Sets each node's flag to a value of its own. Gives the number of nodes that changed. */
export async function setVisibleEach(
  tx: Transaction,
  tree: Tree,
  nodes: readonly { readonly id: number; readonly visible: boolean }[],
): Promise<number> {
  if (nodes.length === 0) return 0;
  await lockTree(tx, tree);
  const values = sql.unnest(
    nodes.map((node) => [node.id, node.visible]),
    ['int4', 'bool'],
  );
  return apply(tx, tree, sql.fragment`s AS (SELECT u.id, u.visible FROM ${values} AS u(id, visible))`);
}

const StrayRow = z.strictObject({ root_id: column.int, ids: column.ints });

/**
 * Sets the flags of nodes to what their records say now; call it after a cascade of publish or suppress wrote the records. `nodeKind` is the kind of the
 * nodes. What is held before is short: the tree is taken for these nodes, and its counts; those that were moved to another tree since they were
 * read have their flags there. Gives the number that changed.
 */
export async function matchVisibleEach(
  tx: Transaction,
  tree: Tree,
  nodeKind: string,
  ids: readonly number[],
): Promise<number> {
  await lockTree(tx, tree);
  let changed = await matchAmong(tx, tree, nodeKind, ids);
  const strays = await tx.any(sql.type(StrayRow)`
    SELECT t.root_id, array_agg(t.id ORDER BY t.id) AS ids FROM tree_node t WHERE ${inScope('t', tree)} AND t.id = ANY(${idArray(ids)}) AND t.root_id <> ${tree.rootId} GROUP BY 1 ORDER BY 1`);
  for (const stray of strays)
    changed += await matchVisibleEach(tx, { ...tree, rootId: stray.root_id }, nodeKind, stray.ids);
  return changed;
}

/** Sets the flags of those of the nodes that are in the tree to what their records say. */
const matchAmong = (tx: Transaction, tree: Tree, nodeKind: string, ids: readonly number[]): Promise<number> =>
  apply(
    tx,
    tree,
    sql.fragment`s AS (
    SELECT r.id, coalesce(r.publish, true) AND NOT r.suppressed AS visible FROM unnest(${idArray(ids)}) AS below (id) JOIN record r ON r.kind = ${nodeKind} AND r.id = below.id)`,
  );

/** What a tree keeps of a node's record. */
export const NodeFlags = z.strictObject({ visible: column.bool, level: column.maybeText });
export type NodeFlags = z.infer<typeof NodeFlags>;

/**
 * Keeps a node's flag and level in step with its record, which is held, after an update; `old` is what the tree has. Takes the tree's lock only where one of them changes,
 * so that most updates of records under one root do not wait for each other, and send no statement.
 */
export async function describeNode(
  tx: Transaction,
  tree: Tree,
  node: NodeFlags & { readonly id: number },
  old: NodeFlags,
): Promise<void> {
  if (old.visible !== node.visible) await setVisible(tx, tree, [node.id], node.visible);
  if (old.level === node.level) return;
  if (old.visible === node.visible) await lockTree(tx, tree);
  await tx.run(sql`UPDATE tree_node t SET level = ${node.level} WHERE ${inTree('t', tree)} AND t.id = ${node.id}`);
}

// A table below(id). Ids are read first: joined to the recursion itself, the planner would read all records for a single node.
async function below(tx: Transaction, tree: Tree, ids: readonly number[] | null): Promise<Fragment> {
  if (ids === null) return sql.fragment`(SELECT t.id FROM tree_node t WHERE ${inTree('t', tree)}) below`;
  return sql.fragment`unnest(${idArray(await subtreeIds(tx, tree, ids))}) AS below(id)`;
}

const ChangedRow = z.strictObject({ changed: column.int });

// `source` defines s(id, visible). Flags and the counts of their buckets change in one statement.
async function apply(tx: Transaction, tree: Tree, source: Fragment): Promise<number> {
  const row = await tx.one(sql.type(ChangedRow)`
    WITH ${source},
    ch AS (UPDATE tree_node t SET visible = s.visible FROM s WHERE ${inScope('t', tree)} AND t.root_id = ${tree.rootId} AND t.id = s.id AND t.visible <> s.visible
           RETURNING t.list_id, t.bucket, CASE WHEN t.visible THEN 1 ELSE -1 END AS d),
    counted AS (SELECT list_id, bucket, sum(d)::int AS d FROM ch GROUP BY 1, 2),
    x AS (UPDATE tree_bucket b SET nv = b.nv + counted.d FROM counted WHERE ${inTree('b', tree)} AND b.list_id = counted.list_id AND b.bucket = counted.bucket)
    SELECT count(*)::int AS changed FROM ch`);
  return row.changed;
}

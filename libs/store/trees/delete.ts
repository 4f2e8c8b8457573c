// Deleting nodes with all that is below them, or a whole tree. Ranks of the siblings that stay close up by themselves.
import { treeLimits } from '#domain/tree/limits.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import type { Tree } from '#domain/tree/tree.ts';
import type { Transaction } from '../connection/database.ts';
import { IdRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { idArray, inScope, inTree } from './conditions.ts';
import { discount, tidy } from './discount.ts';
import { subtreeIds } from './read.ts';
import { lockTree } from './root.ts';
import { forgetShifts } from './shifts.ts';

/**
 * Deletes nodes and their subtrees from a tree; gives the ids of all that went, for records, links and tombstones. Ids that
 * are not in the tree are passed over. `not_found` where the root has no tree. Cost: the size of the subtree.
 */
export async function deleteSubtree(
  tx: Transaction,
  tree: Tree,
  ids: readonly number[],
  limits: TreeLimits = treeLimits,
): Promise<readonly number[]> {
  if (ids.length === 0) return [];
  await lockTree(tx, tree);
  const here = (
    await tx.any(sql.type(IdRow)`
      SELECT t.id FROM tree_node t WHERE ${inTree('t', tree)} AND t.id = ANY(${idArray(ids)})`)
  ).map((row) => row.id);
  if (here.length === 0) return [];
  const small = await discount(tx, tree, here, limits);
  // Ids first: joined to the recursion itself, the planner would read the whole table for a single node.
  const gone = await subtreeIds(tx, tree, here);
  const all = sql.fragment`unnest(${idArray(gone)}) AS s(id)`;
  await tx.run(sql`DELETE FROM tree_bucket b USING ${all} WHERE ${inTree('b', tree)} AND b.list_id = s.id`);
  await tx.run(sql`DELETE FROM tree_node t USING ${all} WHERE ${inScope('t', tree)} AND t.id = s.id`);
  await tidy(tx, tree, small, limits);
  return gone;
}

/** Deletes a whole tree with its root; gives the ids of its nodes. `not_found` where there is no such tree. */
export async function deleteRoot(tx: Transaction, tree: Tree): Promise<readonly number[]> {
  await lockTree(tx, tree);
  const gone = await tx.any(sql.type(IdRow)`DELETE FROM tree_node t WHERE ${inTree('t', tree)} RETURNING t.id`);
  await tx.run(sql`DELETE FROM tree_bucket b WHERE ${inTree('b', tree)}`);
  await tx.run(sql`DELETE FROM tree_root r WHERE ${inTree('r', tree)}`);
  await forgetShifts(tx, tree);
  return gone.map((row) => row.id);
}

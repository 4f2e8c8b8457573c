// New nodes in a tree. Insert and check the records first: the tree's lock, taken here, is then held for about a millisecond.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import { treeLimits } from '#domain/tree/limits.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import { planInsertions } from '#domain/tree/placement.ts';
import type { Tree } from '#domain/tree/tree.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { inScope } from './conditions.ts';
import { countChildren } from './read.ts';
import { lockTree } from './root.ts';
import { atEnd, splice } from './splice.ts';
import type { Arrival } from './splice.ts';

export { createRoot } from './root.ts';

/** A node to make. `visible`: published and not suppressed; `level`: as `ancestors` shows it (other_level, else level). */
export type NewNode = { readonly id: number; readonly visible: boolean; readonly level: string | null };

/** A place for nodes: `parentId` null is directly under the root, `position` null the end. */
export type Place = { readonly parentId: number | null; readonly position: number | null };

/**
 * Puts new nodes side by side under a parent, in the given order, the first at `position` (beyond the end: at the end; contract
 * 1.9, 1.11). Fails with `not_found` where the root has no tree, `bad_parameter` on `parent` where the parent is not in this
 * tree, and on `position` where that is negative. Two statements where the last bucket of a list has room at its end, else five; one more below a node. The first of them are sent together.
 */
export async function insertNodes(
  tx: Transaction,
  tree: Tree,
  place: Place,
  nodes: readonly NewNode[],
  limits: TreeLimits = treeLimits,
): Promise<void> {
  if (nodes.length === 0) return;
  refuseNegative(place.position);
  const { parentId, position } = place;
  await tx.together(() => [
    lockTree(tx, tree),
    requireParent(tx, tree, parentId),
    splice(tx, tree, { parentId, rank: position ?? atEnd, arrivals: nodes, mode: 'insert' }, limits),
  ]);
}

/** As insertNodes for nodes that each have a position of their own: each is appended, then moved there, in order (contract 1.15). */
export async function insertPlacedNodes(
  tx: Transaction,
  tree: Tree,
  parentId: number | null,
  nodes: readonly (NewNode & { readonly position: number | null })[],
  limits: TreeLimits = treeLimits,
): Promise<void> {
  if (nodes.every((node) => node.position === null))
    return insertNodes(tx, tree, { parentId, position: null }, nodes, limits);
  for (const node of nodes) refuseNegative(node.position);
  await lockTree(tx, tree);
  await requireParent(tx, tree, parentId);
  const byId = new Map<number, Arrival>(nodes.map((node) => [node.id, node]));
  const runs = planInsertions(await countChildren(tx, tree, parentId), nodes);
  // One splice for each place in the list; nodes that come to lie side by side share one.
  for (const run of runs) {
    const arrivals = run.ids.flatMap((id) => byId.get(id) ?? []);
    await splice(tx, tree, { parentId, rank: run.rank, arrivals, mode: 'insert' }, limits);
  }
}

const RootIdRow = z.strictObject({ root_id: column.int });

/** Fails with `bad_parameter` on `parent` where a parent is named that is no node of this tree. */
export async function requireParent(tx: Transaction, tree: Tree, parentId: number | null): Promise<void> {
  if (parentId === null) return;
  const parent = await tx.maybeOne(sql.type(RootIdRow)`
    SELECT t.root_id FROM tree_node t WHERE ${inScope('t', tree)} AND t.id = ${parentId}`);
  if (parent?.root_id !== tree.rootId)
    throw fail('bad_parameter', { parent: [`Not a node of this ${tree.rootModel}`] });
}

/** Fails with `bad_parameter` on `position` where that is negative. */
export function refuseNegative(position: number | null): void {
  if (position !== null && position < 0) throw fail('bad_parameter', { position: ['Must not be negative'] });
}

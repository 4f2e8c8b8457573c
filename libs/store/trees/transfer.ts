// A subtree to another root (component transfers, a changed root ref), and a whole tree to another repository.
// Every row below changes, as each names its root; the inner order is kept as it is.
import { fail } from '#domain/errors.ts';
import { treeLimits } from '#domain/tree/limits.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import type { Tree, TreeScope } from '#domain/tree/tree.ts';
import type { Transaction } from '../connection/database.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import { tellByItself } from '../search/hiding.ts';
import { takeOver } from './append.ts';
import type { Carried } from './carry.ts';
import { carryIn, hideArrived, nothingCarried } from './carry.ts';
import { idArray, inScope, inTree } from './conditions.ts';
import type { TreeKey } from './conditions.ts';
import { tidy } from './discount.ts';
import { requireParent } from './insert.ts';
import { moveNodes } from './move.ts';
import { lockTree, lockTrees } from './root.ts';
import { atEnd, splice, Arrival } from './splice.ts';

/**
 * Moves nodes with all that is below them to the end of a list of another tree of the same repository (contract 1.10, 1.17);
 * to the same tree it is a move to that end. `ids` must not lie below each other; `carried` is what carryBelow gave for them. Gives the ids of all nodes that
 * changed their root, but for those carried. Fails with `not_found` for unknown nodes and roots, `bad_parameter` on `parent` where that is
 * not in the target. Takes both trees. Cost: the size of what was not carried before.
 */
export async function moveToRoot(
  tx: Transaction,
  from: Tree,
  to: Tree,
  ids: readonly number[],
  parentId: number | null = null,
  { limits = treeLimits, carried = nothingCarried }: { readonly limits?: TreeLimits; readonly carried?: Carried } = {},
): Promise<readonly number[]> {
  if (from.rootId === to.rootId) return moveNodes(tx, to, { parentId, position: null, ids }, limits);
  if (ids.length === 0) return [];
  await tellByItself(tx, true);
  await lockTrees(tx, from, to);
  await requireParent(tx, to, parentId);
  const { isPlaced, small, filled } = await takeOver(
    tx,
    from,
    to,
    { ids, parentId, lists: carried.lists ?? idArray(ids) },
    limits,
  );
  if (!isPlaced) await place(tx, from, to, ids, parentId, limits);
  const late = await carryIn(tx, from, to, filled);
  await hideArrived(tx, to, ids, carried, late);
  await tidy(tx, from, small, limits);
  return [...ids, ...late];
}

/** Puts nodes that are counted nowhere at the end of a list of another tree. Fails with `not_found` where one is not in the first. */
async function place(
  tx: Transaction,
  from: Tree,
  to: Tree,
  ids: readonly number[],
  parentId: number | null,
  limits: TreeLimits,
): Promise<void> {
  const rows = await tx.any(sql.type(Arrival)`
    SELECT t.id, t.visible FROM tree_node t WHERE ${inTree('t', from)} AND t.id = ANY(${idArray(ids)})`);
  if (rows.length < ids.length) throw fail('not_found', `${from.nodeModel} not found`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const arrivals = ids.flatMap((id) => byId.get(id) ?? []);
  // They are in no list of the tree that they come to, so none of its places is theirs yet.
  await splice(tx, to, { parentId, rank: atEnd, arrivals, mode: 'move', pending: [] }, limits);
}

/** Takes a whole tree to another repository; nothing of its order changes. Three statements; `not_found` where there is no such tree. */
export async function moveToRepository(tx: Transaction, tree: Tree, repoId: number): Promise<void> {
  await lockTree(tx, tree);
  const to: TreeKey = { ...tree, repoId };
  await tx.run(sql`UPDATE tree_root r SET repo_id = ${to.repoId} WHERE ${inTree('r', tree)}`);
  await tx.run(sql`UPDATE tree_bucket b SET repo_id = ${to.repoId} WHERE ${inTree('b', tree)}`);
  await tx.run(sql`UPDATE tree_node t SET repo_id = ${to.repoId} WHERE ${inTree('t', tree)}`);
}

/** Takes the trees of many roots, given by a SELECT of their ids, to another repository. Three statements; roots without a tree are passed over. */
export async function moveTreesToRepository(
  tx: Transaction,
  from: TreeScope,
  repoId: number,
  roots: Fragment,
): Promise<void> {
  await tx.run(
    sql`UPDATE tree_root r SET repo_id = ${repoId}, version = version + 1 WHERE ${inScope('r', from)} AND r.root_id IN (${roots})`,
  );
  await tx.run(
    sql`UPDATE tree_bucket b SET repo_id = ${repoId} WHERE ${inScope('b', from)} AND b.root_id IN (${roots})`,
  );
  await tx.run(sql`UPDATE tree_node t SET repo_id = ${repoId} WHERE ${inScope('t', from)} AND t.root_id IN (${roots})`);
}

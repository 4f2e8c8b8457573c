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
import { asksHidden, follow, nothingCarried } from './carry.ts';
import { idArray, inScope, inTree } from './conditions.ts';
import type { TreeKey } from './conditions.ts';
import { deleteEmptyTree } from './delete.ts';
import { requireParent } from './insert.ts';
import { moveNodes } from './move.ts';
import { lockTree, lockTrees } from './root.ts';
import { atEnd, splice, Arrival } from './splice.ts';
import { tidy } from './tidy.ts';

/** What a move to another root came to: the ids of what changed its root besides what was moved and what was carried with it, and whether the former tree is gone. */
export type Moved = { readonly late: readonly number[]; readonly isGone: boolean };

/** What a move may be told: `carried`, what carryBelow gave for its nodes; `isEmptied`, that the former tree is to be deleted where nothing is left in it. */
export type MoveSettings = { readonly limits?: TreeLimits; readonly carried?: Carried; readonly isEmptied?: boolean };

/**
 * Moves nodes with all that is below them to the end of a list of another tree of the same repository (contract 1.10, 1.17);
 * to the same tree it is a move to that end. `ids` must not lie below each other. Fails with `not_found` for unknown nodes and roots, `bad_parameter` on `parent` where that is
 * not in the target. Takes both trees. Cost: the size of what was not carried before. All statements are sent together, but where the list has no room at its end or something came meanwhile.
 */
export async function moveToRoot(
  tx: Transaction,
  from: Tree,
  to: Tree,
  ids: readonly number[],
  parentId: number | null = null,
  { limits = treeLimits, carried = nothingCarried, isEmptied = false }: MoveSettings = {},
): Promise<Moved> {
  if (from.rootId === to.rootId) {
    await moveNodes(tx, to, { parentId, position: null, ids }, limits);
    return { late: [], isGone: false };
  }
  if (ids.length === 0) return { late: [], isGone: false };
  const lists = carried.lists ?? idArray(ids);
  const [, , , { isPlaced, small, filled }, isHiddenAtOnce, isGone] = await tx.together(() => [
    tellByItself(tx, true),
    lockTrees(tx, from, to),
    requireParent(tx, to, parentId),
    takeOver(tx, from, to, { ids, parentId, lists }, limits),
    asksHidden(tx, to, ids, carried),
    isEmptied ? deleteEmptyTree(tx, from) : false,
  ]);
  const isHidden = isPlaced ? isHiddenAtOnce : await placeQuietly(tx, from, to, { ids, parentId, carried }, limits);
  const late = await follow(tx, from, to, ids, carried, { filled, isHidden });
  if (!isGone) await tidy(tx, from, small, limits);
  return { late, isGone };
}

type Placed = { readonly ids: readonly number[]; readonly parentId: number | null; readonly carried: Carried };

/** Places nodes while the triggers are quiet; gives whether something above them is hidden. */
async function placeQuietly(
  tx: Transaction,
  from: Tree,
  to: Tree,
  { ids, parentId, carried }: Placed,
  limits: TreeLimits,
): Promise<boolean> {
  await tellByItself(tx, true);
  await place(tx, from, to, ids, parentId, limits);
  return asksHidden(tx, to, ids, carried);
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
  await splice(tx, to, { parentId, rank: atEnd, arrivals, mode: 'move' }, limits);
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

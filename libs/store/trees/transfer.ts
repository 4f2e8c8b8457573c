// A subtree to another root (component transfers, a changed root ref), and a whole tree to another repository.
// Every row below changes, as each names its root; the inner order is kept as it is.
import { fail } from '#domain/errors.ts';
import { treeLimits } from '#domain/tree/limits.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import type { Tree, TreeScope } from '#domain/tree/tree.ts';
import type { Transaction } from '../connection/database.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import { noteHiding, tellByItself } from '../search/hiding.ts';
import { idArray, inScope, inTree } from './conditions.ts';
import type { TreeKey } from './conditions.ts';
import { discount, tidy } from './discount.ts';
import { requireParent } from './insert.ts';
import { moveNodes } from './move.ts';
import { subtreeIds } from './read.ts';
import { lockTree } from './root.ts';
import { atEnd, splice, Arrival } from './splice.ts';

/**
 * Moves nodes with all that is below them to the end of a list of another tree of the same repository (contract 1.10, 1.17);
 * to the same tree it is a move to that end. `ids` must not lie below each other. Gives the ids of all nodes that changed their
 * root, the moved ones included. Fails with `not_found` for unknown nodes and roots, `bad_parameter` on `parent` where that is
 * not in the target. Locks both trees, the smaller id first. Cost: the size of the subtree.
 */
export async function moveToRoot(
  tx: Transaction,
  from: Tree,
  to: Tree,
  ids: readonly number[],
  parentId: number | null = null,
  limits: TreeLimits = treeLimits,
): Promise<readonly number[]> {
  if (from.rootId === to.rootId) return moveNodes(tx, to, { parentId, position: null, ids }, limits);
  const [first, second] = from.rootId < to.rootId ? [from, to] : [to, from];
  await lockTree(tx, first);
  await lockTree(tx, second);
  await requireParent(tx, to, parentId);
  const rows = await tx.any(sql.type(Arrival)`
    SELECT t.id, t.visible FROM tree_node t WHERE ${inTree('t', from)} AND t.id = ANY(${idArray(ids)})`);
  if (rows.length < ids.length) throw fail('not_found', `${from.nodeModel} not found`);
  const byId = new Map(rows.map((row) => [row.id, row]));

  const small = await discount(tx, from, ids, limits);
  // Ids first: joined to the recursion itself, the planner would read the whole table for a single node.
  const moved = await subtreeIds(tx, from, ids);
  const all = sql.fragment`unnest(${idArray(moved)}) AS s(id)`;
  await tx.run(
    sql`UPDATE tree_bucket b SET root_id = ${to.rootId} FROM ${all} WHERE ${inTree('b', from)} AND b.list_id = s.id`,
  );
  await tellByItself(tx, true);
  // The moved nodes wait in bucket -1: in the new root their old bucket number may be another bucket's.
  await tx.run(sql`
    UPDATE tree_node t SET root_id = ${to.rootId}, bucket = CASE WHEN t.id = ANY(${idArray(ids)}) THEN -1 ELSE t.bucket END
    FROM ${all} WHERE ${inScope('t', from)} AND t.id = s.id`);
  await splice(
    tx,
    to,
    { parentId, rank: atEnd, arrivals: ids.flatMap((id) => byId.get(id) ?? []), mode: 'move', pending: ids },
    limits,
  );
  await tellByItself(tx, false);
  await hideArrived(tx, to, ids, moved);
  await tidy(tx, from, small, limits);
  return moved;
}

/** Hides from searches of the public what came below something hidden, as the triggers would, in one statement (decision 0025). */
async function hideArrived(
  tx: Transaction,
  to: Tree,
  [first]: readonly number[],
  moved: readonly number[],
): Promise<void> {
  if (first === undefined) return;
  // All came under one parent. Where nothing above is hidden, what was hidden among them stays so, and nothing else is.
  const hidden = await tx.run(sql`
    INSERT INTO search_hidden (kind, id, reach)
    SELECT n.kind, s.id, 'public' FROM (SELECT tree_node_kind(${to.code}::smallint) AS kind) AS n, unnest(${idArray(moved)}) AS s(id) WHERE (SELECT has_hidden_ancestor(n.kind, ${first}::int, ${to.repoId}::int))`);
  if (hidden > 0) await noteHiding(tx);
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

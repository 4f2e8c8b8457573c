// A subtree to another root (component transfers, a changed root ref), and a whole tree to another repository.
// Every row below changes, as each names its root; the inner order is kept as it is.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import { treeLimits } from '#domain/tree/limits.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import type { Tree, TreeScope } from '#domain/tree/tree.ts';
import type { Transaction } from '../connection/database.ts';
import { column, NumberRow } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import { noteHiding, notesHiding, spreadHiding, tellByItself, tellsByItself } from '../search/hiding.ts';
import { takeOver } from './append.ts';
import { countedIn, listsOf, placesAs, readBelow } from './below.ts';
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
  { limits = treeLimits, carried = nothing }: { readonly limits?: TreeLimits; readonly carried?: Carried } = {},
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

/**
 * What has the new root already: the ids of what is below the nodes to be moved, the lists in which more of it may come (null where none was read), and whether
 * the nodes and it were hidden from the public's searches, as the target is.
 */
export type Carried = { readonly ids: readonly number[]; readonly lists: Fragment | null; readonly isHidden: boolean };

const nothing: Carried = { ids: [], lists: null, isHidden: false };
const HiddenRow = z.strictObject({ is_hidden: column.bool });

/**
 * Does what takes time where much is moved to the top level of another tree, without taking either tree, so that nobody is held up who works in other parts of them (decision 0037): all that is
 * below the nodes gets the new root with its lists, and is hidden where that is. The nodes themselves stay until moveToRoot moves them, which has to follow in the same transaction. The caller holds the
 * records of what it knows to be below; fails with `conflict` where some of it is moved meanwhile.
 */
export async function carryBelow(tx: Transaction, from: Tree, to: Tree, nodes: readonly number[]): Promise<Carried> {
  await tellByItself(tx, true);
  const ids = await carryIn(tx, from, to, nodes);
  await tellByItself(tx, false);
  const lists = ids.length === 0 ? null : idArray([...nodes, ...ids]);
  const target = await tx.maybeOne(sql.type(HiddenRow)`
    SELECT NOT (r.publish AND NOT r.suppressed) AS is_hidden FROM record r WHERE r.kind = tree_root_kind(${to.code}::smallint) AND r.id = ${to.rootId}`);
  if (target?.is_hidden !== true) return { ids, lists, isHidden: false };
  await hide(tx, to, [...nodes, ...ids]);
  await spreadHiding(tx);
  return { ids, lists, isHidden: true };
}

/** Gives what is in lists of a tree and below the new root, with the lists; gives its ids. The triggers of single nodes are quiet. */
async function carryIn(tx: Transaction, from: Tree, to: Tree, lists: readonly number[]): Promise<readonly number[]> {
  if (lists.length === 0) return [];
  const below = await readBelow(tx, from, lists);
  const taken = await tx.any(sql.type(NumberRow)`
    UPDATE tree_bucket b SET root_id = ${to.rootId} FROM unnest(${idArray(listsOf(lists, below))}) AS l(id) WHERE ${inTree('b', from)} AND b.list_id = l.id RETURNING b.n`);
  if (below.length === 0 && countedIn(taken) === 0) return [];
  const changed = await tx.run(
    sql`UPDATE tree_node t SET root_id = ${to.rootId} FROM ${placesAs(below)} WHERE ${inTree('t', from)} AND t.id = s.id AND t.list_id = s.list_id`,
  );
  if (changed < below.length) throw fail('conflict', 'What is to be moved was moved meanwhile');
  // What came between the two readings is counted in the lists, and has the former root.
  const late = countedIn(taken) > below.length ? await carryIn(tx, from, to, lists) : [];
  return below.map(({ id }) => id).concat(late);
}

/** Hides from searches of the public what came below something hidden, as the triggers would, in one statement (decision 0025), and lets these speak again. */
async function hideArrived(
  tx: Transaction,
  to: Tree,
  ids: readonly number[],
  carried: Carried,
  late: readonly number[],
): Promise<void> {
  // All came under one parent. Where nothing above is hidden, what was hidden among them stays so, and nothing else is. Where something was hidden, what was counted before this moment is not to be shown after it.
  const { is_hidden: isHidden } = await tx.one(sql.type(HiddenRow)`
    SELECT has_hidden_ancestor(tree_node_kind(${to.code}::smallint), ${ids[0] ?? 0}::int, ${to.repoId}::int) AS is_hidden
    ${carried.isHidden ? notesHiding : sql.fragment``} WHERE ${tellsByItself(false)}`);
  const hidden = carried.isHidden ? late : [...ids, ...carried.ids, ...late];
  if (isHidden && hidden.length > 0) await hide(tx, to, hidden);
}

async function hide(tx: Transaction, { code }: Tree, ids: readonly number[]): Promise<void> {
  if (ids.length > 0)
    await tx.run(sql`
    INSERT INTO search_hidden (kind, id, reach)
    SELECT tree_node_kind(${code}::smallint), s.id, 'public' FROM unnest(${idArray(ids)}) AS s(id)`);
  await noteHiding(tx);
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

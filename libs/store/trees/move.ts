// Moving nodes inside their tree: POST …/parent and …/accept_children (contract, trees 1.11 to 1.13). A moved node keeps its
// id and its whole subtree; nobody's position is stored, so nothing else is written but a bucket or two.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import { treeLimits } from '#domain/tree/limits.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import { countBetween, isUnmoved, joinRuns, planAcceptChildren } from '#domain/tree/placement.ts';
import type { Tree } from '#domain/tree/tree.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { tellByItself } from '../search/hiding.ts';
import { idArray, inList, inScope, inTree } from './conditions.ts';
import type { TreeKey } from './conditions.ts';
import { discount } from './discount.ts';
import { refuseNegative, requireParent } from './insert.ts';
import type { Place } from './insert.ts';
import { countChildren, positionsOf } from './read.ts';
import { lockTree } from './root.ts';
import { atEnd, splice, Arrival } from './splice.ts';
import type { Splice } from './splice.ts';
import { tidy } from './tidy.ts';

/** What to move where; `ids` in the wanted order. An id given twice counts once. */
export type Move = Place & { readonly ids: readonly number[] };

const Mover = Arrival.extend({ root_id: column.int, parent_id: column.maybeInt });
type Mover = z.infer<typeof Mover>;

/**
 * Moves nodes under a parent of the same tree, the first to rank `position` (of the list as it is after the move; beyond the end
 * means last, null too). Gives the ids whose place may have changed, none where everything was in its place already.
 *
 * Fails with `not_found` for an unknown node or root; `bad_parameter` on `children` for a node of another tree, on `parent`
 * for a parent outside this tree, on `position` when negative; `conflict` where a node would go below itself.
 */
export async function moveNodes(
  tx: Transaction,
  tree: Tree,
  move: Move,
  limits: TreeLimits = treeLimits,
): Promise<readonly number[]> {
  const { parentId } = move;
  const ids = await idsToMove(tx, tree, move);
  if (ids.length === 0) return [];
  const [, seen] = await tx.together(() => [lockTree(tx, tree), lookAt(tx, tree, ids, parentId)]);
  const run = await planRun(tx, tree, move, ids, seen.movers);
  if (run === null) return [];
  const all = run.arrivals.map(({ id }) => id);
  const [, small] = await tx.together(() => [
    seen.isQuiet ? tellByItself(tx, true) : undefined,
    discount(tx, tree, all, limits),
    splice(tx, tree, { parentId, ...run, mode: 'move' }, limits),
  ]);
  if (seen.isQuiet) await tellByItself(tx, false);
  await tidy(tx, tree, small, limits);
  return ids;
}

/** Whether a move would change anything, as it looks before the tree is taken. Fails as moveNodes does. */
export async function isMove(tx: Transaction, tree: Tree, move: Move): Promise<boolean> {
  const ids = await idsToMove(tx, tree, move);
  if (ids.length === 0) return false;
  const { movers } = await lookAt(tx, tree, ids, move.parentId);
  return (await planRun(tx, tree, move, ids, movers)) !== null;
}

/** The nodes of a move, each once; none where the only one is in its place already. */
async function idsToMove(tx: Transaction, tree: Tree, { ids, parentId, position }: Move): Promise<readonly number[]> {
  if (ids.length > 0) refuseNegative(position);
  const once = [...new Set(ids)];
  const [only] = once;
  if (once.length !== 1 || only === undefined || position === null) return once;
  return (await isInPlace(tx, tree, only, { parentId, position })) ? [] : once;
}

/** Nodes that are to move, and whether the triggers hear nothing of it: of those that stay below their parent they do not anyway. */
export type Seen = {
  readonly movers: ReadonlyMap<number, Mover>;
  readonly isHiding: boolean;
  readonly isQuiet: boolean;
};

/** Looks at nodes and the parent that they are to come under. Fails as moveNodes does. */
export async function lookAt(
  tx: Transaction,
  tree: Tree,
  ids: readonly number[],
  parentId: number | null,
): Promise<Seen> {
  const [movers, , isHiding] = await tx.together(() => [
    requireNodes(tx, tree, ids),
    requireParent(tx, tree, parentId),
    lookAbove(tx, tree, ids, parentId),
  ]);
  const isQuiet = !isHiding && [...movers.values()].some((mover) => mover.parent_id !== parentId);
  return { movers, isHiding, isQuiet };
}

/** Nodes to put side by side, the first to a rank of the list without them. */
type Planned = Pick<Splice, 'rank' | 'arrivals'>;

/**
 * The nodes to put in place, or null where all is in place. Ranks and the length of the list matter only to several nodes of which some are in the list: one alone was looked at before, and a splice takes any rank beyond the end as the end.
 *
 * Where some are in the list and some are not they may come to lie apart, but never with more of the others between them than they are: these leave their places with them, and come to where they would have stood.
 */
export async function planRun(
  tx: Transaction,
  tree: Tree,
  { parentId, position }: Move,
  ids: readonly number[],
  movers: ReadonlyMap<number, Mover>,
): Promise<Planned | null> {
  const arriving = (order: readonly number[], others: ReadonlyMap<number, Arrival>): readonly Arrival[] =>
    order.flatMap((id) => movers.get(id) ?? others.get(id) ?? []);
  const present = ids.filter((id) => movers.get(id)?.parent_id === parentId);
  if (present.length === 0 || ids.length === 1) return { rank: position ?? atEnd, arrivals: arriving(ids, new Map()) };
  const [ranks, length] = await tx.together(() => [positionsOf(tx, tree, present), countChildren(tx, tree, parentId)]);
  const children = ids.map((id) => ({ id, rank: ranks.get(id) ?? null }));
  const runs = planAcceptChildren(length, children, position);
  if (isUnmoved(runs, children)) return null;
  const between = await othersFrom(tx, tree, parentId, ids, runs[0]?.rank ?? 0, countBetween(runs));
  const run = joinRuns(runs, [...between.keys()]);
  return { rank: run.rank, arrivals: arriving(run.ids, between) };
}

/** So many nodes of a list in order, from a rank among those that do not move. */
async function othersFrom(
  tx: Transaction,
  tree: TreeKey,
  parentId: number | null,
  ids: readonly number[],
  rank: number,
  count: number,
): Promise<ReadonlyMap<number, Arrival>> {
  if (count === 0) return new Map();
  const rows = await tx.any(sql.type(Arrival)`
    SELECT t.id, t.visible FROM tree_bucket b JOIN tree_node t ON ${inList('t', tree, parentId)} AND t.bucket = b.bucket
    WHERE ${inList('b', tree, parentId)} AND t.id <> ALL(${idArray(ids)}) ORDER BY b.key, t.ord OFFSET ${rank} LIMIT ${count}`);
  return new Map(rows.map((row) => [row.id, row]));
}

const RankRow = z.strictObject({ rank: column.int, n: column.int });

// Saves of a record carry its position: those that do not move it must not wait for each other at the tree's lock. Read without
// it, this is the answer of the moment before whatever another session does now.
async function isInPlace(
  tx: Transaction,
  tree: Tree,
  id: number,
  place: { readonly parentId: number | null; readonly position: number },
): Promise<boolean> {
  const now = await tx.maybeOne(sql.type(RankRow)`
    SELECT (l.before + (SELECT count(*) FROM tree_node m WHERE ${inList('m', tree, place.parentId)} AND m.bucket = t.bucket AND m.ord < t.ord))::int AS rank, l.n
    FROM tree_node t JOIN LATERAL (
      SELECT sum(b.n)::int AS n, coalesce(sum(b.n) FILTER (WHERE b.key < (SELECT o.key FROM tree_bucket o WHERE ${inList('o', tree, place.parentId)} AND o.bucket = t.bucket)), 0) AS before
      FROM tree_bucket b WHERE ${inList('b', tree, place.parentId)}) l ON true
    WHERE ${inScope('t', tree)} AND t.root_id = ${tree.rootId} AND t.list_id = ${place.parentId ?? 0} AND t.id = ${id}`);
  return now !== null && now.rank === Math.min(place.position, now.n - 1);
}

async function requireNodes(tx: Transaction, tree: Tree, ids: readonly number[]): Promise<ReadonlyMap<number, Mover>> {
  const rows = await tx.any(sql.type(Mover)`
    SELECT t.id, t.root_id, t.parent_id, t.visible FROM tree_node t WHERE ${inScope('t', tree)} AND t.id = ANY(${idArray(ids)})`);
  if (rows.length < ids.length) throw fail('not_found', `${tree.nodeModel} not found`);
  if (rows.some((row) => row.root_id !== tree.rootId))
    throw fail('bad_parameter', { children: [`Must be in the same ${tree.rootModel}`] });
  return new Map(rows.map((row) => [row.id, row]));
}

const AboveRow = z.strictObject({ is_hidden: column.bool, movers: column.int });

/**
 * Refuses nodes that would go below themselves. Gives whether the triggers are to hear of the move, since it comes below a node that is hidden, and all below the movers is hidden
 * with it. What the root hides is hidden in both places. Who shows or hides a node takes the tree, as the mover has (decision 0037).
 */
export async function lookAbove(
  tx: Transaction,
  tree: Tree,
  ids: readonly number[],
  parentId: number | null,
): Promise<boolean> {
  if (parentId === null) return false;
  // The target itself counts as above the target. One step for each level, by primary key.
  const above = await tx.one(sql.type(AboveRow)`
    WITH RECURSIVE a AS (
      SELECT t.id, t.parent_id, t.visible FROM tree_node t WHERE ${inTree('t', tree)} AND t.id = ${parentId}
      UNION ALL SELECT t.id, t.parent_id, t.visible FROM a JOIN tree_node t ON ${inScope('t', tree)} AND t.id = a.parent_id
    ) CYCLE id SET looped USING trail
    SELECT bool_or(NOT visible) AS is_hidden, (count(*) FILTER (WHERE id = ANY(${idArray(ids)})))::int AS movers FROM a`);
  if (above.movers > 0) throw fail('conflict', "Can't make a parent into its own child");
  return above.is_hidden;
}

// Deleting nodes with all that is below them, or a whole tree. Ranks of the siblings that stay close up by themselves.
import type { Failure } from '#domain/errors.ts';
import { fail } from '#domain/errors.ts';
import { treeLimits } from '#domain/tree/limits.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import type { Tree } from '#domain/tree/tree.ts';
import type { Transaction } from '../connection/database.ts';
import { IdRow, NumberRow, column } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import { idArray, inScope, inTree } from './conditions.ts';
import type { TreeKey } from './conditions.ts';
import type { SmallBucket } from './discount.ts';
import { Discounted, discounted, smallAmong } from './discount.ts';
import { countedIn, filledLists, listsOf, placesAs, readBelow } from './below.ts';
import { lockTree } from './root.ts';
import { forgetShifts, taking } from './shifts.ts';
import { tidy } from './tidy.ts';

/**
 * Deletes nodes and their subtrees from a tree; gives the ids of all that went, but for those deleted before, for records, links and tombstones. Ids that
 * are not in the tree are passed over. `emptied` is what deleteBelow gave for them. `not_found` where the root has no tree,
 * `conflict` where none of the nodes is in it any more after much below them was deleted. Cost: the size of what was not deleted before.
 */
export async function deleteSubtree(
  tx: Transaction,
  tree: Tree,
  ids: readonly number[],
  {
    limits = treeLimits,
    emptied = nothing,
  }: { readonly limits?: TreeLimits; readonly emptied?: Emptied | undefined } = {},
): Promise<readonly number[]> {
  if (ids.length === 0) return [];
  const [, rows] = await tx.together(() => [
    lockTree(tx, tree),
    tx.any(sql.type(IdRow)`SELECT t.id FROM tree_node t WHERE ${inTree('t', tree)} AND t.id = ANY(${idArray(ids)})`),
  ]);
  const here = rows.map((row) => row.id);
  if (here.length === 0 && emptied.ids.length > 0) throw movedMeanwhile();
  if (here.length === 0) return [];
  const { small, filled } = await takeOut(tx, tree, here, emptied.lists ?? idArray(here), limits);
  const late = await deleteIn(tx, tree, filled);
  await tidy(tx, tree, small, limits);
  return [...new Set([...here, ...late])];
}

const OutRow = Discounted.extend({ filled: column.ints });

/** Deletes nodes of a tree and takes them out of its counts. Gives the buckets that are small now, and those of `lists`, an array of ids, that hold anything. One statement. */
async function takeOut(
  tx: Transaction,
  tree: TreeKey,
  ids: readonly number[],
  lists: Fragment,
  limits: TreeLimits,
): Promise<{
  readonly small: readonly SmallBucket[];
  readonly filled: readonly number[];
}> {
  const rows = await tx.any(sql.type(OutRow)`
    WITH ${taking(tree, ids)}, ${discounted(tree, limits)},
    gone AS (DELETE FROM tree_node n USING t WHERE ${inScope('n', tree)} AND n.id = t.id)
    SELECT c.list_id, c.bucket, c.n, c.is_loose, ${filledLists(tree, lists)} AS filled FROM discounted c`);
  return { small: smallAmong(rows, limits), filled: rows[0]?.filled ?? [] };
}

/** Another has moved what is to be deleted, and its record is there with it. */
export const movedMeanwhile = (): Failure => fail('conflict', 'What is to be deleted was moved meanwhile');

/** What was deleted below nodes: its ids, and the lists in which more may come (null where none was read). */
export type Emptied = { readonly ids: readonly number[]; readonly lists: Fragment | null };

const nothing: Emptied = { ids: [], lists: null };

/**
 * Deletes all that is below nodes, with its lists and without taking the tree, so that who works in other parts of it is not held up by the size of the subtree (decision 0037);
 * the nodes themselves stay until deleteSubtree, which has to follow in the same transaction. The caller holds the records of what it knows to be below; fails with `conflict` where
 * some of it is moved meanwhile.
 */
export async function deleteBelow(tx: Transaction, tree: Tree, nodes: readonly number[]): Promise<Emptied> {
  const ids = await deleteIn(tx, tree, nodes);
  return { ids, lists: ids.length === 0 ? null : idArray([...nodes, ...ids]) };
}

/** Deletes what is in lists of a tree and below, and the lists. */
async function deleteIn(tx: Transaction, tree: Tree, lists: readonly number[]): Promise<readonly number[]> {
  if (lists.length === 0) return [];
  const below = await readBelow(tx, tree, lists);
  const emptied = await tx.any(sql.type(NumberRow)`
    DELETE FROM tree_bucket b USING unnest(${idArray(listsOf(lists, below))}) AS l(id) WHERE ${inTree('b', tree)} AND b.list_id = l.id RETURNING b.n`);
  const changed =
    below.length === 0
      ? 0
      : await tx.run(
          sql`DELETE FROM tree_node t USING ${placesAs(below)} WHERE ${inTree('t', tree)} AND t.id = s.id AND t.list_id = s.list_id`,
        );
  if (changed < below.length) throw movedMeanwhile();
  // What came between the two readings is counted in the lists, and has none any more.
  const late = countedIn(emptied) > below.length ? await deleteIn(tx, tree, lists) : [];
  return below.map(({ id }) => id).concat(late);
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

/** Deletes a tree in which nothing is counted any more, with its root; false, and nothing is changed, where something is. The caller holds it. One statement. */
export async function deleteEmptyTree(tx: Transaction, tree: TreeKey): Promise<boolean> {
  // Rows of nodes that went would still have to be passed, in their index.
  const { n } = await tx.one(sql.type(NumberRow)`
    WITH left_in AS MATERIALIZED (SELECT coalesce(sum(b.n), 0)::int AS n FROM tree_bucket b WHERE ${inTree('b', tree)}),
    roots AS (DELETE FROM tree_root r USING left_in WHERE left_in.n = 0 AND ${inTree('r', tree)}),
    buckets AS (DELETE FROM tree_bucket b USING left_in WHERE left_in.n = 0 AND ${inTree('b', tree)}),
    shifts AS (DELETE FROM tree_shift s USING left_in WHERE left_in.n = 0 AND ${inTree('s', tree)})
    SELECT n FROM left_in`);
  return n === 0;
}

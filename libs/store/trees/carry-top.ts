// Many nodes to the end of the top level of another tree: their rows are laid in new buckets before the trees are taken, and with the trees taken these buckets are added to the list there (decision 0037).
// What fits into a bucket needs none of this (moveToRoot).
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import { treeLimits } from '#domain/tree/limits.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import type { Tree } from '#domain/tree/tree.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { tellByItself } from '../search/hiding.ts';
import type { LaidBucket } from './append.ts';
import { appendAnew, appending } from './append.ts';
import { bucketNumbers } from './buckets.ts';
import { countedIn, filledLists } from './below.ts';
import type { Carried } from './carry.ts';
import { carryBelow, follow, isHiddenNow, movedMeanwhile } from './carry.ts';
import { idArray, inList } from './conditions.ts';
import { deleteEmptyTree } from './delete.ts';
import { discountLeft, discountShifted } from './discount.ts';
import { lockTrees, treeVersion } from './root.ts';
import type { Moved, MoveSettings } from './transfer.ts';
import type { LeftNoted } from './shifts.ts';
import { leavePlaces, noteLeft } from './shifts.ts';
import { layNodes } from './splice-laid.ts';
import { tidy } from './tidy.ts';

/** What carryTop carried besides what is below it: `top`, the ids of nodes in their new order, their buckets in theirs, and what is noted of their former lists, where these count them still. */
export type CarriedTop = Carried & {
  readonly top: readonly number[];
  readonly buckets: readonly LaidBucket[];
  readonly noted: LeftNoted | null;
};

/**
 * Does what takes time where nodes are moved to the top level of another tree with all that is below them, as carryBelow does: `ids`, in the wanted order, or all that lies directly under the root (null). Takes neither tree; placeTop,
 * which has to follow in the same transaction, takes both. Fails with `not_found` where a node is not in the tree, `conflict` where something is moved meanwhile.
 */
export async function carryTop(
  tx: Transaction,
  from: Tree,
  to: Tree,
  ids: readonly number[] | null,
  limits: TreeLimits = treeLimits,
): Promise<CarriedTop> {
  await tellByItself(tx, true);
  const laid = ids === null ? await layAll(tx, from, to) : await layEach(tx, from, to, ids, limits);
  return { ...(await carryBelow(tx, from, to, laid.top)), ...laid };
}

type Laid = Pick<CarriedTop, 'top' | 'buckets' | 'noted'>;

const TakenRow = z.strictObject({
  old: column.int,
  key: column.int,
  n: column.int,
  nv: column.int,
});
const TopRow = z.strictObject({ id: column.int, nth: column.int, ord: column.int });

/** A whole list keeps its buckets, under other numbers: its order needs no writing. */
async function layAll(tx: Transaction, from: Tree, to: Tree): Promise<Laid> {
  // What changes the place of a node changes the row of its bucket, which is gone now. So the nodes of these stay as they were counted; others may come in new ones.
  const taken = await tx.any(sql.type(TakenRow)`
    DELETE FROM tree_bucket b WHERE ${inList('b', from, null)} RETURNING b.bucket AS old, b.key, b.n, b.nv`);
  const fresh = await bucketNumbers(tx, taken.length);
  const buckets = taken
    .toSorted((a, b) => a.key - b.key)
    .map((bucket, nth) => ({ ...bucket, bucket: fresh[nth] ?? 0 }));
  const numbers = sql.unnest(
    buckets.map(({ old, bucket }, nth) => [old, bucket, nth]),
    ['int4', 'int4', 'int4'],
  );
  const nodes = await tx.any(sql.type(TopRow)`
    UPDATE tree_node t SET root_id = ${to.rootId}, bucket = o.bucket FROM ${numbers} AS o(old, bucket, nth)
    WHERE ${inList('t', from, null)} AND t.bucket = o.old RETURNING t.id, o.nth, t.ord`);
  if (nodes.length < countedIn(buckets)) throw movedMeanwhile();
  const top = nodes.toSorted((a, b) => a.nth - b.nth || a.ord - b.ord).map(({ id }) => id);
  return { top, buckets, noted: null };
}

/** Some nodes get new buckets. Others of their lists are free. */
async function layEach(
  tx: Transaction,
  from: Tree,
  to: Tree,
  ids: readonly number[],
  limits: TreeLimits,
): Promise<Laid> {
  const version = (await treeVersion(tx, from)) ?? 0;
  const left = await leavePlaces(tx, from, to.rootId, ids);
  if (left.length < ids.length) throw fail('not_found', `${from.nodeModel} not found`);
  const buckets = await layNodes(tx, to, null, ids, left, limits);
  return { top: ids, buckets, noted: await noteLeft(tx, from, to.rootId, version) };
}

const AddedRow = z.strictObject({ added: column.int, lists: column.ints, is_hidden: column.bool });

/**
 * Puts what carryTop carried at the end of the top level of its new tree, and takes it out of the counts of its former lists. What came below it meanwhile follows it, and is told; what came directly under the
 * former root is still there, and where nothing is, `isEmptied` has that tree deleted. Takes both trees; `not_found` where there is none. Cost: the number of buckets, and for given nodes theirs. All statements are sent
 * together, but where something came meanwhile.
 */
export async function placeTop(
  tx: Transaction,
  from: Tree,
  to: Tree,
  carried: CarriedTop,
  { limits = treeLimits, isEmptied = false }: Pick<MoveSettings, 'limits' | 'isEmptied'> = {},
): Promise<Moved> {
  const { top, buckets, noted } = carried;
  const [, { added, lists, is_hidden: isHidden }, small, isGone] = await tx.together(() => [
    lockTrees(tx, from, to),
    tx.one(sql.type(AddedRow)`
      WITH added AS (${appending(to, null, buckets, limits)} RETURNING 1)
      SELECT (SELECT count(*) FROM added)::int AS added, ${filledLists(from, carried.lists ?? idArray(top))} AS lists, ${isHiddenNow(to, top, carried)}`),
    noted === null ? [] : discountLeft(tx, from, to.rootId, noted, limits),
    isEmptied ? deleteEmptyTree(tx, from) : false,
  ]);
  if (added < buckets.length) await appendAnew(tx, to, null, buckets, limits);
  const late = await follow(tx, from, to, top, carried, { filled: lists, isHidden });
  const left = small ?? (noted === null ? [] : await discountShifted(tx, from, to.rootId, noted, limits));
  await tidy(tx, from, left, limits);
  return { late, isGone };
}

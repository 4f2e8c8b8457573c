// Taking nodes out of the counts of their buckets, and tidying the buckets that became small. The rows of the nodes themselves
// stay where they are until the caller places or deletes them.
import { z } from 'zod';
import { spreadBetween } from '#domain/tree/order-values.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import type { Transaction } from '../connection/database.ts';
import { column, IdRow } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import { inList, inScope, inTree } from './conditions.ts';
import type { TreeKey } from './conditions.ts';
import { taking, takingLeft } from './shifts.ts';

/** A bucket of which something was taken, with what is left. */
export const Discounted = z.strictObject({
  list_id: column.int,
  bucket: column.int,
  n: column.int,
  is_only: column.bool,
});

/** A bucket that fell below the minimum and is to be tidied at the end of the operation. */
export type SmallBucket = Pick<z.infer<typeof Discounted>, 'list_id' | 'bucket' | 'n'>;

/** The part of a statement that takes the nodes of `taking` out of the counts of their buckets in a tree: `discounted`, these buckets with what is left, and whether they are alone in their lists. */
export const discounted = (tree: TreeKey): Fragment => sql.fragment`
    discounted AS (
      UPDATE tree_bucket b SET n = b.n - d.n, nv = b.nv - d.nv
      FROM (SELECT list_id, bucket, count(*)::int AS n, (count(*) FILTER (WHERE visible))::int AS nv FROM t WHERE root_id = ${tree.rootId} GROUP BY 1, 2) d
      WHERE ${inTree('b', tree)} AND b.list_id = d.list_id AND b.bucket = d.bucket
      RETURNING b.list_id, b.bucket, b.n,
        NOT EXISTS (SELECT FROM tree_bucket o WHERE ${inTree('o', tree)} AND o.list_id = b.list_id AND o.bucket <> b.bucket) AS is_only)`;

/** Those of buckets that are to be tidied: they are below `limits.min`, and empty or beside others. */
export const smallAmong = (
  buckets: readonly z.infer<typeof Discounted>[],
  limits: TreeLimits,
): readonly SmallBucket[] => buckets.filter((row) => row.n < limits.min && (row.n === 0 || !row.is_only));

/** Takes nodes out of the counts of their buckets, and notes it; gives the buckets that are to be tidied. One statement. */
export const discount = (
  tx: Transaction,
  tree: TreeKey,
  ids: readonly number[],
  limits: TreeLimits,
): Promise<readonly SmallBucket[]> => countOut(tx, tree, taking(tree, ids), limits);

/** The same for nodes that have left their places for another root (leavePlaces). */
export const discountLeft = (
  tx: Transaction,
  tree: TreeKey,
  toRootId: number,
  limits: TreeLimits,
): Promise<readonly SmallBucket[]> => countOut(tx, tree, takingLeft(tree, toRootId), limits);

async function countOut(
  tx: Transaction,
  tree: TreeKey,
  taken: Fragment,
  limits: TreeLimits,
): Promise<readonly SmallBucket[]> {
  const counted = await tx.any(
    sql.type(Discounted)`WITH ${taken}, ${discounted(tree)} SELECT list_id, bucket, n, is_only FROM discounted`,
  );
  return smallAmong(counted, limits);
}

const Merge = z.strictObject({
  list_id: column.int,
  bucket: column.int,
  n: column.int,
  nv: column.int,
  previous: column.maybeInt,
  previous_n: column.maybeInt,
  next: column.maybeInt,
  next_n: column.maybeInt,
});
type Merge = z.infer<typeof Merge>;

/** Deletes the small buckets that are empty and merges the others with a neighbour where both fit into `limits.target`. */
export async function tidy(
  tx: Transaction,
  tree: TreeKey,
  small: readonly SmallBucket[],
  limits: TreeLimits,
): Promise<void> {
  if ((await deleteEmpty(tx, tree, small)) === small.length) return;
  const pairs = pairsOf(small);
  // Each round removes a bucket, so this ends; more than one round is rare, and none the rule.
  for (;;) {
    const merge = await tx.maybeOne(sql.type(Merge)`
      SELECT w.* FROM (
        SELECT b.list_id, b.bucket, b.n, b.nv,
          lag(b.bucket) OVER o AS previous, lag(b.n) OVER o AS previous_n, lead(b.bucket) OVER o AS next, lead(b.n) OVER o AS next_n
        FROM (SELECT DISTINCT u.list_id FROM ${pairs} AS u(list_id, bucket)) l JOIN tree_bucket b ON ${inTree('b', tree)} AND b.list_id = l.list_id
        WINDOW o AS (PARTITION BY b.list_id ORDER BY b.key)) w
      JOIN ${pairs} AS u(list_id, bucket) USING (list_id, bucket)
      WHERE w.n < ${limits.min} AND (w.n + w.previous_n <= ${limits.target} OR w.n + w.next_n <= ${limits.target})
      LIMIT 1`);
    if (merge === null) return;
    await mergeBucket(tx, tree, merge, limits);
  }
}

const pairsOf = (buckets: readonly SmallBucket[]): Fragment =>
  sql.unnest(
    buckets.map((bucket) => [bucket.list_id, bucket.bucket]),
    ['int4', 'int4'],
  );

// Gives how many. Of those that had something left none was emptied since; one that was empty may have been filled.
async function deleteEmpty(tx: Transaction, tree: TreeKey, small: readonly SmallBucket[]): Promise<number> {
  const empty = small.filter(({ n }) => n === 0);
  if (empty.length === 0) return 0;
  return tx.run(sql`
    DELETE FROM tree_bucket b USING ${pairsOf(empty)} AS u(list_id, bucket)
    WHERE ${inTree('b', tree)} AND b.list_id = u.list_id AND b.bucket = u.bucket AND b.n = 0`);
}

const EdgeRow = z.strictObject({ first: column.maybeInt, last: column.maybeInt });

async function mergeBucket(tx: Transaction, tree: TreeKey, merge: Merge, limits: TreeLimits): Promise<void> {
  const parentId = merge.list_id === 0 ? null : merge.list_id;
  const usesPrevious =
    merge.previous !== null && merge.previous_n !== null && merge.n + merge.previous_n <= limits.target;
  const [neighbour, neighbourN] = usesPrevious ? [merge.previous, merge.previous_n] : [merge.next, merge.next_n];
  // The side with fewer nodes is rewritten: it goes before the other's first or after its last.
  const intoNeighbour = (neighbourN ?? 0) >= merge.n;
  const [into, from] = intoNeighbour ? [neighbour, merge.bucket] : [merge.bucket, neighbour];
  const goesAfter = usesPrevious === intoNeighbour;
  const moving = await tx.any(sql.type(IdRow)`
    SELECT t.id FROM tree_node t WHERE ${inList('t', tree, parentId)} AND t.bucket = ${from} ORDER BY t.ord`);
  const edge = await tx.one(sql.type(EdgeRow)`
    SELECT min(t.ord) AS first, max(t.ord) AS last FROM tree_node t WHERE ${inList('t', tree, parentId)} AND t.bucket = ${into}`);
  const values = spreadBetween(goesAfter ? edge.last : null, goesAfter ? null : edge.first, moving.length, {
    step: limits.ordStep,
    bound: limits.bound,
  });
  if (values === null) {
    await rewriteTogether(tx, tree, { parentId, into, from, intoFirst: goesAfter, limits });
  } else {
    const rows = sql.unnest(
      moving.map((row, i) => [row.id, values[i] ?? 0]),
      ['int4', 'int8'],
    );
    await tx.run(
      sql`UPDATE tree_node t SET bucket = ${into}, ord = u.ord FROM ${rows} AS u(id, ord) WHERE ${inScope('t', tree)} AND t.id = u.id`,
    );
  }
  await tx.run(sql`
    WITH gone AS (DELETE FROM tree_bucket b WHERE ${inList('b', tree, parentId)} AND b.bucket = ${from} RETURNING n, nv)
    UPDATE tree_bucket b SET n = b.n + gone.n, nv = b.nv + gone.nv FROM gone WHERE ${inList('b', tree, parentId)} AND b.bucket = ${into}`);
}

type Together = {
  readonly parentId: number | null;
  readonly into: number | null;
  readonly from: number | null;
  readonly intoFirst: boolean;
  readonly limits: TreeLimits;
};

async function rewriteTogether(
  tx: Transaction,
  tree: TreeKey,
  { parentId, into, from, intoFirst, limits }: Together,
): Promise<void> {
  await tx.run(sql`
    UPDATE tree_node t SET bucket = ${into}, ord = s.i * ${limits.ordStep}::bigint
    FROM (SELECT t.id, row_number() OVER (ORDER BY (t.bucket = ${into}) = ${intoFirst} DESC, t.ord) AS i
          FROM tree_node t WHERE ${inList('t', tree, parentId)} AND t.bucket IN (${into}, ${from})) s
    WHERE ${inScope('t', tree)} AND t.id = s.id`);
}

// Taking nodes out of the counts of their buckets. The rows of the nodes themselves stay where they are until the caller places or deletes them.
import { z } from 'zod';
import type { TreeLimits } from '#domain/tree/limits.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import type { TreeKey } from './conditions.ts';
import type { LeftNoted } from './shifts.ts';
import { dating, takeBackNotes, taking, takingLeft } from './shifts.ts';

/** A bucket of which something was taken, with what is left, and whether that may be tidied: it is empty, or goes together with what is left in a neighbour. */
export const Discounted = z.strictObject({
  list_id: column.int,
  bucket: column.int,
  n: column.int,
  is_loose: column.bool,
});

/** A bucket that fell below the minimum and is to be tidied (tidy.ts) at the end of the operation. */
export type SmallBucket = Pick<z.infer<typeof Discounted>, 'list_id' | 'bucket' | 'n'>;

/**
 * The parts of a statement that take nodes, of which there are so many in buckets (`taken`), out of the counts of these in a tree: `discounted`, what is left of these buckets. Those in which nothing is left are deleted, but for
 * 'kept': where some of the nodes may come back to them.
 */
export const discounted = (
  tree: TreeKey,
  { target }: Pick<TreeLimits, 'target'>,
  empty: 'kept' | 'deleted' = 'deleted',
): Fragment => {
  const isDeleted = sql.fragment`${empty === 'deleted'}::boolean`;
  // NOTE: the tree comes along, and is no condition of the buckets: of one that is younger than the statistics the planner would expect a single bucket, and go through all of them for each. So it would in a
  // join of buckets and what is taken from them, which are summed up instead.
  const isList = (other: Fragment): Fragment =>
    sql.fragment`b.repo_id = ${other}.repo_id AND b.kind = ${other}.kind AND b.root_id = ${other}.root_id AND b.list_id = ${other}.list_id`;
  return sql.fragment`
    d AS MATERIALIZED (
      SELECT ${tree.repoId}::int AS repo_id, ${tree.code}::smallint AS kind, root_id, list_id, bucket, n, nv FROM taken WHERE root_id = ${tree.rootId}),
    rest AS MATERIALIZED (
      SELECT s.*, least(lag(s.n) OVER o, lead(s.n) OVER o) + s.n <= ${target} OR s.n = 0 AS is_loose FROM (
        SELECT repo_id, kind, root_id, list_id, bucket, max(key) AS key, sum(n)::int AS n, max(taken) AS taken, max(taken_nv) AS taken_nv FROM (
          SELECT l.*, b.bucket, b.key, b.n, NULL::int AS taken, NULL::int AS taken_nv FROM (SELECT DISTINCT repo_id, kind, root_id, list_id FROM d) AS l JOIN tree_bucket b ON ${isList(sql.fragment`l`)}
          UNION ALL SELECT repo_id, kind, root_id, list_id, bucket, NULL, -n, n, nv FROM d) AS u
        GROUP BY repo_id, kind, root_id, list_id, bucket HAVING NOT (${isDeleted} AND sum(n) = 0)) AS s
      WINDOW o AS (PARTITION BY s.list_id ORDER BY s.key)),
    emptied AS (
      DELETE FROM tree_bucket b USING d WHERE ${isList(sql.fragment`d`)} AND b.bucket = d.bucket AND b.n = d.n AND ${isDeleted}
      RETURNING b.list_id, b.bucket, 0 AS n, false AS is_loose),
    lessened AS (
      UPDATE tree_bucket b SET n = b.n - r.taken, nv = b.nv - r.taken_nv FROM rest r
      WHERE ${isList(sql.fragment`r`)} AND b.bucket = r.bucket AND r.taken IS NOT NULL
      RETURNING b.list_id, b.bucket, b.n, coalesce(r.is_loose, false) AS is_loose),
    discounted AS (SELECT * FROM emptied UNION ALL SELECT * FROM lessened)`;
};

/** Those of buckets that are to be tidied. */
export const smallAmong = (
  buckets: readonly z.infer<typeof Discounted>[],
  limits: TreeLimits,
): readonly SmallBucket[] => buckets.filter((row) => row.n < limits.min && row.is_loose);

/** Takes nodes out of the counts of their buckets, to which they may come back, and notes it; gives the buckets that are to be tidied. One statement. */
export const discount = async (
  tx: Transaction,
  tree: TreeKey,
  ids: readonly number[],
  limits: TreeLimits,
): Promise<readonly SmallBucket[]> =>
  smallAmong(await countOut(tx, sql.fragment`${taking(tree, ids)}, ${discounted(tree, limits, 'kept')}`), limits);

/** The same for nodes that have left their places (leavePlaces), and are noted (noteLeft); null, and nothing is changed, where somebody has shifted their lists since. */
export async function discountLeft(
  tx: Transaction,
  tree: TreeKey,
  toRootId: number,
  noted: LeftNoted,
  limits: TreeLimits,
): Promise<readonly SmallBucket[] | null> {
  const counted = await countOut(tx, sql.fragment`${dating(tree, toRootId, noted)}, ${discounted(tree, limits)}`);
  return counted.length === 0 ? null : smallAmong(counted, limits);
}

/** The same where they have: they are noted anew. */
export async function discountShifted(
  tx: Transaction,
  tree: TreeKey,
  toRootId: number,
  noted: LeftNoted,
  limits: TreeLimits,
): Promise<readonly SmallBucket[]> {
  const [, counted] = await tx.together(() => [
    takeBackNotes(tx, noted),
    countOut(tx, sql.fragment`${takingLeft(tree, toRootId)}, ${discounted(tree, limits)}`),
  ]);
  return smallAmong(counted, limits);
}

const countOut = (tx: Transaction, counting: Fragment): Promise<readonly z.infer<typeof Discounted>[]> =>
  tx.any(sql.type(Discounted)`WITH ${counting} SELECT list_id, bucket, n, is_loose FROM discounted`);

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
import type { LeftNoted } from './shifts.ts';
import { dating, takeBackNotes, taking, takingLeft } from './shifts.ts';

/** A bucket of which something was taken, with what is left, and whether that may be tidied: it is empty, or goes together with what is left in a neighbour. */
export const Discounted = z.strictObject({
  list_id: column.int,
  bucket: column.int,
  n: column.int,
  is_loose: column.bool,
});

/** A bucket that fell below the minimum and is to be tidied at the end of the operation. */
export type SmallBucket = Pick<z.infer<typeof Discounted>, 'list_id' | 'bucket' | 'n'>;

/**
 * The parts of a statement that take the nodes of `taking` out of the counts of their buckets in a tree: `discounted`, what is left of these buckets. Those in which nothing is left are deleted, but for
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
      SELECT ${tree.repoId}::int AS repo_id, ${tree.code}::smallint AS kind, root_id, list_id, bucket, count(*)::int AS n, (count(*) FILTER (WHERE visible))::int AS nv
      FROM t WHERE root_id = ${tree.rootId} GROUP BY root_id, list_id, bucket),
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
  const [moving, edge] = await tx.together(() => [
    tx.any(sql.type(IdRow)`
      SELECT t.id FROM tree_node t WHERE ${inList('t', tree, parentId)} AND t.bucket = ${from} ORDER BY t.ord`),
    tx.one(sql.type(EdgeRow)`
      SELECT min(t.ord) AS first, max(t.ord) AS last FROM tree_node t WHERE ${inList('t', tree, parentId)} AND t.bucket = ${into}`),
  ]);
  const values = spreadBetween(goesAfter ? edge.last : null, goesAfter ? null : edge.first, moving.length, {
    step: limits.ordStep,
    bound: limits.bound,
  });
  const lay = (): Promise<unknown> => {
    if (values === null) return rewriteTogether(tx, tree, { parentId, into, from, intoFirst: goesAfter, limits });
    const rows = sql.unnest(
      moving.map((row, i) => [row.id, values[i] ?? 0]),
      ['int4', 'int8'],
    );
    return tx.run(
      sql`UPDATE tree_node t SET bucket = ${into}, ord = u.ord FROM ${rows} AS u(id, ord) WHERE ${inScope('t', tree)} AND t.id = u.id`,
    );
  };
  await tx.together(() => [
    lay(),
    tx.run(sql`
      WITH gone AS (DELETE FROM tree_bucket b WHERE ${inList('b', tree, parentId)} AND b.bucket = ${from} RETURNING n, nv)
      UPDATE tree_bucket b SET n = b.n + gone.n, nv = b.nv + gone.nv FROM gone WHERE ${inList('b', tree, parentId)} AND b.bucket = ${into}`),
  ]);
}

type Both = {
  readonly parentId: number | null;
  readonly into: number | null;
  readonly from: number | null;
  readonly intoFirst: boolean;
  readonly limits: TreeLimits;
};

async function rewriteTogether(
  tx: Transaction,
  tree: TreeKey,
  { parentId, into, from, intoFirst, limits }: Both,
): Promise<void> {
  await tx.run(sql`
    UPDATE tree_node t SET bucket = ${into}, ord = s.i * ${limits.ordStep}::bigint
    FROM (SELECT t.id, row_number() OVER (ORDER BY (t.bucket = ${into}) = ${intoFirst} DESC, t.ord) AS i
          FROM tree_node t WHERE ${inList('t', tree, parentId)} AND t.bucket IN (${into}, ${from})) s
    WHERE ${inScope('t', tree)} AND t.id = s.id`);
}

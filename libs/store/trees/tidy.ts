// Tidying the buckets of lists that became small: they join their neighbours, however many there are in as many turns as of one.
import { z } from 'zod';
import { joinSmall } from '#domain/tree/join-small.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { idArray, inScope, inTree } from './conditions.ts';
import type { TreeKey } from './conditions.ts';
import type { SmallBucket } from './discount.ts';

const BucketRow = z.strictObject({ list_id: column.int, bucket: column.int, n: column.int });

/** Deletes the small buckets that are empty; in the lists of the others those that are small join a neighbour where both fit into `limits.target`. */
export async function tidy(
  tx: Transaction,
  tree: TreeKey,
  small: readonly SmallBucket[],
  limits: TreeLimits,
): Promise<void> {
  if ((await deleteEmpty(tx, tree, small)) === small.length) return;
  const lists = [...new Set(small.map((bucket) => bucket.list_id))];
  const buckets = await tx.any(sql.type(BucketRow)`
    SELECT b.list_id, b.bucket, b.n FROM tree_bucket b WHERE ${inTree('b', tree)} AND b.list_id = ANY(${idArray(lists)}) ORDER BY b.list_id, b.key`);
  const groups = [...Map.groupBy(buckets, (bucket) => bucket.list_id).values()].flatMap((list) =>
    joinSmall(list, limits),
  );
  if (groups.length > 0) await join(tx, tree, groups, limits);
}

// Gives how many. Of those that had something left none was emptied since; one that was empty may have been filled.
async function deleteEmpty(tx: Transaction, tree: TreeKey, small: readonly SmallBucket[]): Promise<number> {
  const empty = small.filter(({ n }) => n === 0);
  if (empty.length === 0) return 0;
  const pairs = sql.unnest(
    empty.map((bucket) => [bucket.list_id, bucket.bucket]),
    ['int4', 'int4'],
  );
  return tx.run(sql`
    DELETE FROM tree_bucket b USING ${pairs} AS u(list_id, bucket)
    WHERE ${inTree('b', tree)} AND b.list_id = u.list_id AND b.bucket = u.bucket AND b.n = 0`);
}

/**
 * Puts the nodes of neighbouring buckets into the largest of them: before its first or after its last, or all anew where the numbers do not reach. NOTE: the nodes of each bucket are looked up by themselves, as of a tree that is
 * younger than the statistics the planner would expect one, and compare all with the buckets one by one.
 */
async function join(
  tx: Transaction,
  tree: TreeKey,
  groups: readonly (readonly z.infer<typeof BucketRow>[])[],
  { ordStep: step, bound }: TreeLimits,
): Promise<void> {
  const given = sql.unnest(
    groups.flatMap((group) => {
      const largest = group.reduce((most, bucket) => (bucket.n > most.n ? bucket : most));
      const at = group.indexOf(largest);
      return group.map((bucket, place) => [bucket.list_id, bucket.bucket, largest.bucket, place - at]);
    }),
    ['int4', 'int4', 'int4', 'int4'],
  );
  await tx.together(() => [
    tx.run(sql`
      WITH found AS (
        SELECT t.id, u.place, row_number() OVER w AS i, min(t.ord) FILTER (WHERE u.place = 0) OVER g AS first, max(t.ord) FILTER (WHERE u.place = 0) OVER g AS last,
          count(*) FILTER (WHERE u.place < 0) OVER g AS before, count(*) FILTER (WHERE u.place > 0) OVER g AS after, count(*) OVER g AS n, u.target
        FROM ${given} AS u(list_id, bucket, target, place) CROSS JOIN LATERAL (
          SELECT t.id, t.ord FROM tree_node t WHERE ${inTree('t', tree)} AND t.list_id = u.list_id AND t.bucket = u.bucket OFFSET 0) AS t
        WINDOW g AS (PARTITION BY u.list_id, u.target), w AS (PARTITION BY u.list_id, u.target ORDER BY u.place, t.ord)),
      laid AS (SELECT f.*, f.first - f.before * ${step}::bigint >= ${-bound} AND f.last + f.after * ${step}::bigint <= ${bound} AS fits FROM found f)
      UPDATE tree_node t SET bucket = l.target, ord = CASE WHEN NOT l.fits THEN l.i * ${step}::bigint WHEN l.place < 0 THEN l.first - (l.before - l.i + 1) * ${step}::bigint
        ELSE l.last + (l.i - (l.n - l.after)) * ${step}::bigint END
      FROM laid l WHERE ${inScope('t', tree)} AND t.id = l.id AND NOT (l.fits AND l.place = 0)`),
    tx.run(sql`
      WITH gone AS (
        DELETE FROM tree_bucket b USING ${given} AS u(list_id, bucket, target, place) WHERE ${inTree('b', tree)} AND b.list_id = u.list_id AND b.bucket = u.bucket AND u.place <> 0
        RETURNING b.list_id, u.target, b.n, b.nv)
      UPDATE tree_bucket b SET n = b.n + s.n, nv = b.nv + s.nv FROM (SELECT list_id, target, sum(n) AS n, sum(nv) AS nv FROM gone GROUP BY list_id, target) AS s
      WHERE ${inTree('b', tree)} AND b.list_id = s.list_id AND b.bucket = s.target`),
  ]);
}

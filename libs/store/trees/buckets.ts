// The buckets of a list: which one a rank is in, keys for new ones, and their rows.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import { spreadBetween } from '#domain/tree/order-values.ts';
import type { Transaction } from '../connection/database.ts';
import { column, NumberRow } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import type { LaidBucket } from './append.ts';
import { renumberKeys } from './append.ts';
import { inList } from './conditions.ts';
import type { TreeKey } from './conditions.ts';

/** The bucket of a rank: how many nodes are before it, the keys of its neighbours, and the largest number of those that are counted up from 0. */
const Located = z.strictObject({
  bucket: column.int,
  key: column.int,
  n: column.int,
  before: column.int,
  next_key: column.maybeInt,
  previous_key: column.maybeInt,
  top: column.int,
});
export type Located = z.infer<typeof Located>;

/** The SELECT of the bucket of a rank, the last one where that is beyond the end. All buckets of the list are read through the primary key: n/384 rows. */
export const bucketAt = (tree: TreeKey, parentId: number | null, rank: number): Fragment => sql.fragment`
    SELECT * FROM (SELECT b.bucket, b.key, b.n, (sum(b.n) OVER w - b.n)::int AS before, lead(b.key) OVER w AS next_key, lag(b.key) OVER w AS previous_key, greatest(max(b.bucket) OVER (), -1) AS top
      FROM tree_bucket b WHERE ${inList('b', tree, parentId)} WINDOW w AS (ORDER BY b.key)) s
    WHERE before <= ${rank} ORDER BY before DESC, key DESC LIMIT 1`;

/** Finds the bucket of a rank (bucketAt); null where the list has none. */
export const locate = (
  tx: Transaction,
  tree: TreeKey,
  parentId: number | null,
  rank: number,
): Promise<Located | null> => tx.maybeOne(sql.type(Located)`${bucketAt(tree, parentId, rank)}`);

/** Where new buckets are to stand: behind a bucket (null: before the first) of a key, and before that of another (null: there is none). */
export type Gap = { readonly bucket: number | null; readonly key: number | null; readonly next_key: number | null };

/** The gap behind a bucket; without one, that of an empty list. */
export const behind = (located: Located | null): Gap => ({
  bucket: located?.bucket ?? null,
  key: located?.key ?? null,
  next_key: located?.next_key ?? null,
});

const FreshRow = z.strictObject({ key: column.maybeInt, next_key: column.maybeInt });

/** Gives keys for new buckets in a gap, in order. Where it has not so many, those of the list are written anew. The caller holds the tree. */
export async function keysBetween(
  tx: Transaction,
  tree: TreeKey,
  parentId: number | null,
  gap: Gap,
  count: number,
  limits: TreeLimits,
): Promise<readonly number[]> {
  const room = spreadBetween(gap.key, gap.next_key, count, { step: limits.keyStep, bound: limits.bound });
  if (room !== null) return room;
  await renumberKeys(tx, tree, parentId, limits);
  const fresh = await tx.one(sql.type(FreshRow)`
    SELECT g.key, (SELECT min(m.key) FROM tree_bucket m WHERE ${inList('m', tree, parentId)} AND (g.key IS NULL OR m.key > g.key)) AS next_key
    FROM (SELECT (SELECT b.key FROM tree_bucket b WHERE ${inList('b', tree, parentId)} AND b.bucket = ${gap.bucket}::int) AS key) g`);
  // 2^52 / 2^32 keys are a million buckets, some 400 million siblings; the bound is therefore not looked at again.
  const again = spreadBetween(fresh.key, fresh.next_key, count, { step: limits.keyStep, bound: Infinity });
  if (again === null) throw fail('internal', `no room for ${count} buckets between fresh keys`);
  return again;
}

/** Numbers for new buckets of any list, which nobody else is given: for those whose nodes are laid before the tree is taken. */
export async function bucketNumbers(tx: Transaction, count: number): Promise<readonly number[]> {
  const rows = await tx.any(
    sql.type(NumberRow)`SELECT -nextval('tree_bucket_number')::int AS n FROM generate_series(1, ${count}::int)`,
  );
  return rows.map(({ n }) => n);
}

/** Makes buckets of a list, whose nodes are there. One statement. */
export async function writeBuckets(
  tx: Transaction,
  tree: TreeKey,
  parentId: number | null,
  buckets: readonly (LaidBucket & { readonly key: number })[],
): Promise<void> {
  if (buckets.length === 0) return;
  const values = sql.unnest(
    buckets.map(({ bucket, key, n, nv }) => [bucket, key, n, nv]),
    ['int4', 'int8', 'int4', 'int4'],
  );
  await tx.run(sql`
    INSERT INTO tree_bucket (repo_id, kind, root_id, list_id, bucket, key, n, nv)
    SELECT ${tree.repoId}::int, ${tree.code}::smallint, ${tree.rootId}::int, ${parentId ?? 0}::int, u.* FROM ${values} AS u(bucket, key, n, nv)`);
}

// Many nodes into the middle of a list: laid in new buckets before the tree is taken, and put there with it taken (decision 0037).
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import { cutEvenly } from '#domain/tree/order-values.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { Fragment, RowQuery } from '../connection/sql.ts';
import type { LaidBucket } from './append.ts';
import { renumberKeys } from './append.ts';
import { bucketAt, bucketNumbers } from './buckets.ts';
import { idArray, inList, inScope, inTree } from './conditions.ts';
import type { TreeKey } from './conditions.ts';
import type { Arrival, Splice } from './splice.ts';
import { writeLaid } from './splice.ts';

/**
 * Lays nodes that left their places (leavePlaces) in new buckets of a list, in the order of `ids`, which the list does not count yet; gives these. Takes no tree: nobody else is given these numbers, and who would write the rows of these nodes
 * meanwhile waits for them.
 */
export async function layNodes(
  tx: Transaction,
  tree: TreeKey,
  parentId: number | null,
  ids: readonly number[],
  left: readonly Arrival[],
  limits: TreeLimits,
): Promise<readonly LaidBucket[]> {
  const byId = new Map(left.map((node) => [node.id, node]));
  const parts = cutEvenly(
    ids.flatMap((id) => byId.get(id) ?? []),
    limits.target,
  );
  const numbers = await bucketNumbers(tx, parts.length);
  const laid = parts.map((nodes, nth) => ({ bucket: numbers[nth] ?? 0, nodes }));
  await writeLaid(tx, tree, parentId, laid, limits);
  return laid.map(({ bucket, nodes }) => ({
    bucket,
    n: nodes.length,
    nv: nodes.filter((node) => node.visible).length,
  }));
}

const FitsRow = z.strictObject({ fits: column.bool });

/** Puts buckets whose nodes are laid (layNodes) into a list at a rank, beyond the end at its end, as splice puts nodes. The caller holds the tree. One statement, but where keys have no room. Cost: the bucket of that rank, and the number of buckets. */
export async function spliceLaid(
  tx: Transaction,
  tree: TreeKey,
  what: Pick<Splice, 'parentId' | 'rank'> & {
    readonly ids: readonly number[];
    readonly buckets: readonly LaidBucket[];
  },
  limits: TreeLimits,
): Promise<void> {
  const { fits } = await tx.one(spliceStatement(tree, what, limits));
  if (fits) return;
  await renumberKeys(tx, tree, what.parentId, limits);
  // 2^52 / 2^32 keys are a million buckets, some 400 million siblings; the bound is therefore not looked at again.
  const again = await tx.one(spliceStatement(tree, what, { ...limits, bound: Number.MAX_SAFE_INTEGER }));
  if (!again.fits) throw fail('internal', `no room for ${what.buckets.length} buckets between fresh keys`);
}

/**
 * `place`: between which keys the buckets come (null: there is no other on that side), and whether the bucket of the rank is cut, of which then the nodes from `from` on become one more, the last. Their keys are as spreadBetween
 * gives them; nothing is changed where they do not fit.
 */
function spliceStatement(
  tree: TreeKey,
  { parentId, rank, ids, buckets }: Parameters<typeof spliceLaid>[2],
  { keyStep, bound }: TreeLimits,
): RowQuery<z.infer<typeof FitsRow>> {
  const list = sql.fragment`${tree.repoId}::int, ${tree.code}::smallint, ${tree.rootId}::int, ${parentId ?? 0}::int`;
  const step = sql.fragment`${keyStep}::bigint`;
  const key = (nth: Fragment): Fragment => sql.fragment`CASE
    WHEN p.low IS NULL THEN coalesce(p.high - (p.count + 1) * ${step}, 0) + ${nth} * ${step} WHEN p.high IS NULL THEN p.low + ${nth} * ${step}
    ELSE p.low + floor((p.high - p.low)::numeric * ${nth} / (p.count + 1))::bigint END`;
  const laid = sql.unnest(
    buckets.map(({ bucket, n, nv }, i) => [bucket, i + 1, n, nv]),
    ['int4', 'int8', 'int4', 'int4'],
  );
  return sql.type(FitsRow)`
    WITH located AS MATERIALIZED (SELECT b.*, least(${rank} - b.before, b.n)::int AS "from" FROM (${bucketAt(tree, parentId, rank)}) AS b),
    place AS MATERIALIZED (
      SELECT g.*, ${buckets.length} + g.is_cut::int AS count, CASE
          WHEN low IS NULL AND high IS NULL THEN ${buckets.length} * ${step} <= ${bound}::bigint WHEN low IS NULL THEN high - ${buckets.length} * ${step} >= ${-bound}::bigint
          WHEN high IS NULL THEN low + (${buckets.length} + g.is_cut::int) * ${step} <= ${bound}::bigint ELSE high - low > ${buckets.length} + g.is_cut::int END AS fits
      FROM (
        SELECT l.bucket, l.top, l."from", coalesce(l.before + l."from", 0) AS rank, coalesce(l."from" > 0 AND l."from" < l.n, false) AS is_cut, coalesce(l."from" = l.n AND l.next_key IS NULL, true) AS is_end,
          CASE WHEN l."from" > 0 THEN l.key ELSE l.previous_key END AS low, CASE WHEN l."from" > 0 THEN l.next_key ELSE l.key END AS high
        FROM (SELECT) AS one LEFT JOIN located l ON true) AS g),
    logged AS (
      INSERT INTO tree_shift (version, repo_id, kind, root_id, list_id, taken, ids, ranks)
      SELECT r.version, ${list}, false, ${idArray(ids)}, ARRAY(SELECT generate_series(p.rank, p.rank + ${ids.length}::int - 1))
      FROM place p JOIN tree_root r ON ${inTree('r', tree)} WHERE p.fits AND NOT p.is_end),
    cut AS (
      UPDATE tree_node t SET bucket = p.top + 1 FROM place p CROSS JOIN LATERAL (
        SELECT c.id FROM tree_node c WHERE ${inList('c', tree, parentId)} AND c.bucket = p.bucket ORDER BY c.ord OFFSET p."from") AS o
      WHERE p.fits AND p.is_cut AND ${inScope('t', tree)} AND t.id = o.id RETURNING t.visible),
    counted AS MATERIALIZED (SELECT count(*)::int AS n, (count(*) FILTER (WHERE visible))::int AS nv FROM cut),
    left_there AS (
      UPDATE tree_bucket b SET n = b.n - c.n, nv = b.nv - c.nv FROM place p CROSS JOIN counted c WHERE p.fits AND p.is_cut AND ${inList('b', tree, parentId)} AND b.bucket = p.bucket),
    added AS (
      INSERT INTO tree_bucket (repo_id, kind, root_id, list_id, bucket, key, n, nv)
      SELECT ${list}, u.bucket, ${key(sql.fragment`u.nth`)}, u.n, u.nv FROM place p CROSS JOIN ${laid} AS u(bucket, nth, n, nv) WHERE p.fits
      UNION ALL SELECT ${list}, p.top + 1, ${key(sql.fragment`p.count`)}, c.n, c.nv FROM place p CROSS JOIN counted c WHERE p.fits AND p.is_cut)
    SELECT fits FROM place`;
}

// Nodes at the end of a list in one statement, where its last bucket has room for them, or it has none yet: what nearly every new node is, and every move to another root. Whoever holds a
// tree meanwhile holds up all who work in it, so each turn of the statements counts there (decision 0037).
import type { TreeLimits } from '#domain/tree/limits.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import { idArray, inList, inScope } from './conditions.ts';
import type { TreeKey } from './conditions.ts';
import { filledLists } from './below.ts';
import type { SmallBucket } from './discount.ts';
import { Discounted, discounted, smallAmong } from './discount.ts';
import { taking } from './shifts.ts';

/**
 * The parts of a statement (WITH …) that find where nodes go at the end of a list: `edge`, its last bucket, or else the first that it gets, with the largest `ord` there. No row where it has no room for `count` more
 * and where `condition` does not hold.
 */
const edge = (
  tree: TreeKey,
  parentId: number | null,
  count: number,
  { max, ordStep, bound }: TreeLimits,
  condition: Fragment = sql.fragment`true`,
): Fragment => sql.fragment`
    last AS MATERIALIZED (SELECT b.bucket, b.n FROM tree_bucket b WHERE ${inList('b', tree, parentId)} ORDER BY b.key DESC LIMIT 1),
    edge AS MATERIALIZED (
      SELECT l.bucket, e.ord FROM (SELECT bucket, n FROM last UNION ALL SELECT 0, 0 WHERE NOT EXISTS (SELECT FROM last)) l
      CROSS JOIN LATERAL (SELECT coalesce(max(t.ord), 0) AS ord FROM tree_node t WHERE ${inList('t', tree, parentId)} AND t.bucket = l.bucket) e
      WHERE l.n + ${count} <= ${max} AND e.ord + ${count} * ${ordStep}::bigint <= ${bound}::bigint AND ${condition})`;

/** Counts nodes in the bucket of `edge`, which it makes where there is none: the one of a list without buckets. */
const counting = (
  tree: TreeKey,
  parentId: number | null,
  counts: { readonly n: Fragment; readonly nv: Fragment },
  { keyStep }: TreeLimits,
): Fragment => sql.fragment`
    INSERT INTO tree_bucket AS b (repo_id, kind, root_id, list_id, bucket, key, n, nv)
    SELECT ${tree.repoId}::int, ${tree.code}::smallint, ${tree.rootId}::int, ${parentId ?? 0}::int, e.bucket, ${keyStep}::bigint, ${counts.n}, ${counts.nv} FROM edge e
    ON CONFLICT (repo_id, kind, root_id, list_id, bucket) DO UPDATE SET n = b.n + excluded.n, nv = b.nv + excluded.nv`;

/** A new node as it is written. */
type Fresh = { readonly id: number; readonly visible: boolean; readonly level?: string | null | undefined };

/** Puts new nodes at the end of a list; false, and nothing is changed, where its last bucket has no room for them. The caller holds the tree. One statement. */
export async function appendNew(
  tx: Transaction,
  tree: TreeKey,
  parentId: number | null,
  nodes: readonly Fresh[],
  limits: TreeLimits,
): Promise<boolean> {
  const values = sql.unnest(
    nodes.map((node, nth) => [node.id, nth + 1, node.visible, node.level ?? null]),
    ['int4', 'int4', 'bool', 'text'],
  );
  const visible = nodes.filter((node) => node.visible).length;
  const counted = await tx.run(sql`
    WITH ${edge(tree, parentId, nodes.length, limits)},
    made AS (
      INSERT INTO tree_node (repo_id, kind, root_id, parent_id, id, bucket, ord, visible, level)
      SELECT ${tree.repoId}::int, ${tree.code}::smallint, ${tree.rootId}::int, ${parentId}::int, u.id, e.bucket, e.ord + u.nth * ${limits.ordStep}::bigint, u.visible, u.level
      FROM ${values} AS u(id, nth, visible, level) CROSS JOIN edge e)
    ${counting(tree, parentId, { n: sql.fragment`${nodes.length}::int`, nv: sql.fragment`${visible}::int` }, limits)}`);
  return counted > 0;
}

const CarriedRow = Discounted.extend({ placed: column.int, filled: column.ints });

/** What takeOver did: whether the nodes lie in their new places, the buckets of their old ones that are small now, and those of `lists` in which something is left. */
export type TakenOver = {
  readonly isPlaced: boolean;
  readonly small: readonly SmallBucket[];
  readonly filled: readonly number[];
};

/**
 * Takes nodes out of the counts of one tree, notes it, and puts them at the end of a list of another, all at once or, where its last bucket has no room or not all of them are in the first tree, not at all: then they are to be
 * placed (splice), or all is to be rolled back. `lists`: an array of the ids of lists of the first tree, of which those are given that hold anything. The caller holds both trees. One statement.
 */
export async function takeOver(
  tx: Transaction,
  from: TreeKey,
  to: TreeKey,
  what: { readonly ids: readonly number[]; readonly parentId: number | null; readonly lists: Fragment },
  limits: TreeLimits,
): Promise<TakenOver> {
  const { ids, parentId, lists } = what;
  const rows = await tx.any(sql.type(CarriedRow)`
    WITH ${taking(from, ids)},
    ${discounted(from, limits)},
    ${edge(to, parentId, ids.length, limits, sql.fragment`(SELECT count(*) FROM t WHERE root_id = ${from.rootId}) = ${ids.length}`)},
    placed AS (
      UPDATE tree_node n SET root_id = ${to.rootId}, parent_id = ${parentId}::int, bucket = e.bucket, ord = e.ord + u.nth * ${limits.ordStep}::bigint
      FROM unnest(${idArray(ids)}) WITH ORDINALITY AS u(id, nth) CROSS JOIN edge e WHERE ${inScope('n', from)} AND n.id = u.id RETURNING n.visible),
    raised AS (${counting(
      to,
      parentId,
      {
        n: sql.fragment`(SELECT count(*)::int FROM placed)`,
        nv: sql.fragment`(SELECT (count(*) FILTER (WHERE visible))::int FROM placed)`,
      },
      limits,
    )})
    SELECT c.list_id, c.bucket, c.n, c.is_loose, (SELECT count(*) FROM placed)::int AS placed, ${filledLists(from, lists)} AS filled FROM discounted c`);
  return {
    isPlaced: rows.length > 0 && rows.every((row) => row.placed === ids.length),
    small: smallAmong(rows, limits),
    filled: rows[0]?.filled ?? [],
  };
}

/** A bucket whose nodes are laid, and which no list counts yet. */
export type LaidBucket = { readonly bucket: number; readonly n: number; readonly nv: number };

/** The statement that adds buckets at the end of a list, in order: none where their keys would go beyond the bound. */
export const appending = (
  tree: TreeKey,
  parentId: number | null,
  buckets: readonly LaidBucket[],
  { keyStep, bound }: Pick<TreeLimits, 'keyStep' | 'bound'>,
): Fragment => sql.fragment`
    INSERT INTO tree_bucket (repo_id, kind, root_id, list_id, bucket, key, n, nv)
    SELECT ${tree.repoId}::int, ${tree.code}::smallint, ${tree.rootId}::int, ${parentId ?? 0}::int, u.bucket, last.key + u.nth * ${keyStep}::bigint, u.n, u.nv
    FROM ${sql.unnest(
      buckets.map(({ bucket, n, nv }, nth) => [bucket, nth + 1, n, nv]),
      ['int4', 'int8', 'int4', 'int4'],
    )} AS u(bucket, nth, n, nv)
    CROSS JOIN (SELECT coalesce(max(b.key), 0) AS key FROM tree_bucket b WHERE ${inList('b', tree, parentId)}) AS last
    WHERE last.key + ${buckets.length} * ${keyStep}::bigint <= ${bound}::bigint`;

/** Adds buckets at the end of a list where its keys go too far: they are written anew before. The caller holds the tree. */
export async function appendAnew(
  tx: Transaction,
  tree: TreeKey,
  parentId: number | null,
  buckets: readonly LaidBucket[],
  limits: TreeLimits,
): Promise<void> {
  await renumberKeys(tx, tree, parentId, limits);
  // The bound is not looked at again, as in keysBetween.
  await tx.run(sql`${appending(tree, parentId, buckets, { ...limits, bound: Number.MAX_SAFE_INTEGER })}`);
}

/** Writes the keys of all buckets of a list anew, a step from each to the next, in their order. The caller holds the tree. */
export async function renumberKeys(
  tx: Transaction,
  tree: TreeKey,
  parentId: number | null,
  { keyStep }: TreeLimits,
): Promise<void> {
  await tx.run(sql`
    UPDATE tree_bucket b SET key = r.i * ${keyStep}::bigint
    FROM (SELECT b.bucket, row_number() OVER (ORDER BY b.key) AS i FROM tree_bucket b WHERE ${inList('b', tree, parentId)}) r
    WHERE ${inList('b', tree, parentId)} AND b.bucket = r.bucket`);
}

// Many nodes into the middle of a list: laid in new buckets before the tree is taken, and put there with it taken (decision 0037).
import type { TreeLimits } from '#domain/tree/limits.ts';
import { cutEvenly } from '#domain/tree/order-values.ts';
import type { Transaction } from '../connection/database.ts';
import { NumberRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { LaidBucket } from './append.ts';
import { appendBuckets, lowestBucket } from './append.ts';
import type { Gap, Located } from './buckets.ts';
import { behind, keysBetween, locate, writeBuckets } from './buckets.ts';
import { inList, inScope } from './conditions.ts';
import type { TreeKey } from './conditions.ts';
import { logPutting } from './shifts.ts';
import type { Arrival, Splice } from './splice.ts';
import { atEnd, writeLaid } from './splice.ts';

/**
 * Lays nodes that left their places (leavePlaces) in new buckets of a list, in the order of `ids`, which the list does not count yet; gives these. Takes no tree: nobody else makes buckets of these numbers, and who would write the rows of these nodes
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
  const { n: lowest } = await tx.one(sql.type(NumberRow)`SELECT ${lowestBucket(tree, parentId)} AS n`);
  const laid = cutEvenly(
    ids.flatMap((id) => byId.get(id) ?? []),
    limits.target,
  ).map((nodes, nth) => ({ bucket: lowest - nth, nodes }));
  await writeLaid(tx, tree, parentId, laid, limits);
  return laid.map(({ bucket, nodes }) => ({
    bucket,
    n: nodes.length,
    nv: nodes.filter((node) => node.visible).length,
  }));
}

/** Puts buckets whose nodes are laid (layNodes) into a list at a rank, beyond the end at its end, as splice puts nodes. The caller holds the tree. Cost: the bucket of that rank, and the number of buckets. */
export async function spliceLaid(
  tx: Transaction,
  tree: TreeKey,
  what: Pick<Splice, 'parentId' | 'rank'> & {
    readonly ids: readonly number[];
    readonly buckets: readonly LaidBucket[];
  },
  limits: TreeLimits,
): Promise<void> {
  const { parentId, rank, ids, buckets } = what;
  const located = rank === atEnd ? null : await locate(tx, tree, parentId, rank);
  const offset = located === null ? 0 : Math.min(rank - located.before, located.n);
  if (located === null || (offset === located.n && located.next_key === null))
    return appendBuckets(tx, tree, parentId, buckets, limits);
  const isCut = offset > 0 && offset < located.n;
  const gap: Gap =
    offset > 0 ? behind(located) : { bucket: located.previous, key: located.previous_key, next_key: located.key };
  const keys = await keysBetween(tx, tree, parentId, gap, buckets.length + (isCut ? 1 : 0), limits);
  await tx.together(() => [
    logPutting(tx, tree, { parentId, rank: located.before + offset, ids }),
    isCut ? cutOff(tx, tree, parentId, located, { offset, key: keys.at(-1) ?? 0 }) : undefined,
    writeBuckets(
      tx,
      tree,
      parentId,
      buckets.map((bucket, nth) => ({ ...bucket, key: keys[nth] ?? 0 })),
    ),
  ]);
}

/** The nodes of a bucket from one on become a bucket of their own, of this key. One statement. */
async function cutOff(
  tx: Transaction,
  tree: TreeKey,
  parentId: number | null,
  { bucket, top }: Located,
  { offset, key }: { readonly offset: number; readonly key: number },
): Promise<void> {
  await tx.run(sql`
    WITH cut AS (
      UPDATE tree_node t SET bucket = ${top + 1} FROM (SELECT c.id FROM tree_node c WHERE ${inList('c', tree, parentId)} AND c.bucket = ${bucket} ORDER BY c.ord OFFSET ${offset}) AS o
      WHERE ${inScope('t', tree)} AND t.id = o.id RETURNING t.visible),
    counted AS MATERIALIZED (SELECT count(*)::int AS n, (count(*) FILTER (WHERE visible))::int AS nv FROM cut),
    left_there AS (UPDATE tree_bucket b SET n = b.n - c.n, nv = b.nv - c.nv FROM counted c WHERE ${inList('b', tree, parentId)} AND b.bucket = ${bucket})
    INSERT INTO tree_bucket (repo_id, kind, root_id, list_id, bucket, key, n, nv)
    SELECT ${tree.repoId}::int, ${tree.code}::smallint, ${tree.rootId}::int, ${parentId ?? 0}::int, ${top + 1}::int, ${key}::bigint, c.n, c.nv FROM counted c`);
}

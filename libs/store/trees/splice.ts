// Putting nodes into a list at a rank: the other half of every write. Finds the bucket of the rank by counts, lays the nodes
// between their neighbours, and cuts the bucket where it overflows. Only that bucket's rows and new ones are written.
import { z } from 'zod';
import { largestInt4 } from '#domain/int4.ts';
import { cutEvenly, spreadBetween } from '#domain/tree/order-values.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { idArray, inList, inScope } from './conditions.ts';
import type { TreeKey } from './conditions.ts';
import { appendNew } from './append.ts';
import type { Located } from './buckets.ts';
import { behind, keysBetween, locate, writeBuckets } from './buckets.ts';
import { logPutting } from './shifts.ts';

/** A node to be put into a list. `level` is written for new nodes alone. */
export const Arrival = z.strictObject({ id: column.int, visible: column.bool, level: column.maybeText.optional() });
export type Arrival = z.infer<typeof Arrival>;

/** What to put where: `rank` beyond the end means the end; `parentId` null is the root's own list. */
export type Splice = {
  readonly parentId: number | null;
  readonly rank: number;
  readonly arrivals: readonly Arrival[];
  /** Whether rows are made, or rows that exist are placed, which lie in buckets that no longer count them. */
  readonly mode: 'insert' | 'move';
};

/** The rank that is beyond every list. */
export const atEnd = largestInt4;

type Row = { readonly id: number; readonly bucket: number; readonly ord: number };
type Bucket = { readonly bucket: number; readonly key: number; readonly nodes: readonly Arrival[] };

/** Puts nodes into a list, side by side in the given order. The caller holds the tree's lock and has checked everything. */
export async function splice(tx: Transaction, tree: TreeKey, what: Splice, limits: TreeLimits): Promise<void> {
  if (what.arrivals.length === 0) return;
  if (
    what.mode === 'insert' &&
    what.rank === atEnd &&
    (await appendNew(tx, tree, what.parentId, what.arrivals, limits))
  )
    return;
  const located = await locate(tx, tree, what.parentId, what.rank);
  if (located === null) return layOut(tx, tree, what, null, limits);
  const offset = Math.min(what.rank - located.before, located.n);
  const isAtEnd = offset === located.n && located.next_key === null;
  const ids = what.arrivals.map(({ id }) => id);
  await tx.together(() => [
    isAtEnd ? undefined : logPutting(tx, tree, { parentId: what.parentId, rank: located.before + offset, ids }),
    lay(tx, tree, what, located, { offset, isAtEnd }, limits),
  ]);
}

function lay(
  tx: Transaction,
  tree: TreeKey,
  what: Splice,
  located: Located,
  { offset, isAtEnd }: { readonly offset: number; readonly isAtEnd: boolean },
  limits: TreeLimits,
): Promise<void> {
  if (located.n + what.arrivals.length <= limits.max) return fitIn(tx, tree, what, located, offset, limits);
  // Sequential appends fill buckets: a full last bucket is left as it is.
  if (isAtEnd && located.n >= limits.min) return layOut(tx, tree, what, located, limits);
  return cut(tx, tree, what, located, offset, limits);
}

const OrdRow = z.strictObject({ ord: column.int });

async function fitIn(
  tx: Transaction,
  tree: TreeKey,
  what: Splice,
  located: Located,
  offset: number,
  limits: TreeLimits,
): Promise<void> {
  const neighbours = await tx.any(sql.type(OrdRow)`
    SELECT t.ord FROM tree_node t WHERE ${inList('t', tree, what.parentId)} AND t.bucket = ${located.bucket} AND t.id <> ALL(${idArray(what.arrivals.map(({ id }) => id))})
    ORDER BY t.ord OFFSET ${Math.max(offset - 1, 0)} LIMIT 2`);
  const before = offset === 0 ? null : (neighbours[0]?.ord ?? null);
  const after = offset === located.n ? null : (neighbours[offset === 0 ? 0 : 1]?.ord ?? null);
  const values = spreadBetween(before, after, what.arrivals.length, { step: limits.ordStep, bound: limits.bound });
  const rows =
    values === null
      ? laid(await withArrivals(tx, tree, what, located.bucket, offset), located.bucket, limits)
      : what.arrivals.map((node, i) => ({ id: node.id, bucket: located.bucket, ord: values[i] ?? 0 }));
  await tx.together(() => [
    write(tx, tree, what, rows),
    tx.run(sql`
      UPDATE tree_bucket b SET n = b.n + ${what.arrivals.length}, nv = b.nv + ${countVisible(what.arrivals)}
      WHERE ${inList('b', tree, what.parentId)} AND b.bucket = ${located.bucket}`),
  ]);
}

// New buckets after the last one, or in an empty list.
async function layOut(
  tx: Transaction,
  tree: TreeKey,
  what: Splice,
  last: Located | null,
  limits: TreeLimits,
): Promise<void> {
  const parts = cutEvenly(what.arrivals, what.arrivals.length <= limits.max ? limits.max : limits.target);
  const keys = await keysBetween(tx, tree, what.parentId, behind(last), parts.length, limits);
  const top = last?.top ?? -1;
  const buckets = parts.map((nodes, i) => ({ bucket: top + 1 + i, key: keys[i] ?? 0, nodes }));
  const rows = buckets.flatMap((bucket) => laid(bucket.nodes, bucket.bucket, limits));
  await tx.together(() => [write(tx, tree, what, rows), insertBuckets(tx, tree, what.parentId, buckets)]);
}

// The bucket's nodes with the new ones among them become several buckets of about the target; the first keeps number and key.
async function cut(
  tx: Transaction,
  tree: TreeKey,
  what: Splice,
  located: Located,
  offset: number,
  limits: TreeLimits,
): Promise<void> {
  const [first = [], ...others] = cutEvenly(await withArrivals(tx, tree, what, located.bucket, offset), limits.target);
  const keys = await keysBetween(tx, tree, what.parentId, behind(located), others.length, limits);
  const buckets = others.map((nodes, i) => ({ bucket: located.top + 1 + i, key: keys[i] ?? 0, nodes }));
  const rows = [{ bucket: located.bucket, nodes: first }, ...buckets].flatMap(({ bucket, nodes }) =>
    laid(nodes, bucket, limits),
  );
  await tx.together(() => [
    write(tx, tree, what, rows),
    tx.run(sql`
      UPDATE tree_bucket b SET n = ${first.length}, nv = ${countVisible(first)} WHERE ${inList('b', tree, what.parentId)} AND b.bucket = ${located.bucket}`),
    insertBuckets(tx, tree, what.parentId, buckets),
  ]);
}

const countVisible = (nodes: readonly Arrival[]): number => nodes.filter((node) => node.visible).length;

const laid = (nodes: readonly Arrival[], bucket: number, limits: TreeLimits): readonly Row[] =>
  nodes.map((node, i) => ({ id: node.id, bucket, ord: (i + 1) * limits.ordStep }));

async function withArrivals(
  tx: Transaction,
  tree: TreeKey,
  what: Splice,
  bucket: number,
  offset: number,
): Promise<readonly Arrival[]> {
  const present = await tx.any(sql.type(Arrival)`
    SELECT t.id, t.visible FROM tree_node t
    WHERE ${inList('t', tree, what.parentId)} AND t.bucket = ${bucket} AND t.id <> ALL(${idArray(what.arrivals.map(({ id }) => id))}) ORDER BY t.ord`);
  return present.toSpliced(offset, 0, ...what.arrivals);
}

async function write(tx: Transaction, tree: TreeKey, what: Splice, rows: readonly Row[]): Promise<void> {
  const made = new Map(what.mode === 'insert' ? what.arrivals.map((node) => [node.id, node]) : []);
  const [fresh, placed] = [rows.filter((row) => made.has(row.id)), rows.filter((row) => !made.has(row.id))];
  await writePlaces(tx, tree, what.parentId, placed);
  if (fresh.length > 0) {
    const values = sql.unnest(
      fresh.map((row) => [
        row.id,
        row.bucket,
        row.ord,
        made.get(row.id)?.visible ?? false,
        made.get(row.id)?.level ?? null,
      ]),
      ['int4', 'int4', 'int8', 'bool', 'text'],
    );
    await tx.run(sql`
      INSERT INTO tree_node (repo_id, kind, root_id, parent_id, id, bucket, ord, visible, level)
      SELECT ${tree.repoId}::int, ${tree.code}::smallint, ${tree.rootId}::int, ${what.parentId}::int, u.* FROM ${values} AS u(id, bucket, ord, visible, level)`);
  }
}

/** Writes the places of nodes that have rows: of this list from here on. */
async function writePlaces(
  tx: Transaction,
  tree: TreeKey,
  parentId: number | null,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const values = sql.unnest(
    rows.map((row) => [row.id, row.bucket, row.ord]),
    ['int4', 'int4', 'int8'],
  );
  await tx.run(sql`
    UPDATE tree_node t SET root_id = ${tree.rootId}, parent_id = ${parentId}, bucket = u.bucket, ord = u.ord
    FROM ${values} AS u(id, bucket, ord) WHERE ${inScope('t', tree)} AND t.id = u.id`);
}

/** Lays nodes that have rows in buckets of a list, in order, where they alone are and which the list does not count yet. */
export const writeLaid = (
  tx: Transaction,
  tree: TreeKey,
  parentId: number | null,
  buckets: readonly Omit<Bucket, 'key'>[],
  limits: TreeLimits,
): Promise<void> =>
  writePlaces(
    tx,
    tree,
    parentId,
    buckets.flatMap(({ bucket, nodes }) => laid(nodes, bucket, limits)),
  );

const insertBuckets = (
  tx: Transaction,
  tree: TreeKey,
  parentId: number | null,
  buckets: readonly Bucket[],
): Promise<void> =>
  writeBuckets(
    tx,
    tree,
    parentId,
    buckets.map(({ bucket, key, nodes }) => ({ bucket, key, n: nodes.length, nv: countVisible(nodes) })),
  );

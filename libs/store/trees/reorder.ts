// A list of siblings in another order. Each node goes to the place of the one that stood where it is to stand, so the places stay as they are, and the buckets but for what they count as visible:
// all rows of nodes are written before the tree is taken, and with the tree held it is only seen that the list is as it was read (decision 0037).
import { z } from 'zod';
import { Failure } from '#domain/errors.ts';
import type { Tree } from '#domain/tree/tree.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { column, IdRow, NumberRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { idArray, inList, inScope, inTree } from './conditions.ts';
import type { TreeKey } from './conditions.ts';
import { childrenIds } from './read.ts';
import { lockTree } from './root.ts';

/** A node of a list, and where in it. */
type PlacedNode = { readonly id: number; readonly bucket: number; readonly ord: number };

/** Somebody has changed the list since it was read: what was done is to be taken back, and done again. */
export class ListChanged extends Failure {
  constructor() {
    super('conflict', 'The children were changed meanwhile');
  }
}

/** Whether work failed because somebody changed a list between its reading and the end. */
export const isChangedMeanwhile = (error: unknown): boolean => error instanceof ListChanged;

/** The last of the shifts of a list; 0 where there is none. To be read before the list: what shifts it later has a larger number, since all who note shifts of it hold the tree. */
export async function latestShift(reader: Reader, tree: TreeKey, parentId: number | null): Promise<number> {
  const { id } = await reader.one(
    sql.type(IdRow)`SELECT coalesce(max(s.id), 0) AS id FROM tree_shift s WHERE ${inList('s', tree, parentId)}`,
  );
  return id;
}

/** What is to become of a list: its places in order as they were read, the ids as they are to stand, and its last shift before (latestShift). */
export type Reordering = {
  readonly parentId: number | null;
  readonly places: readonly PlacedNode[];
  readonly order: readonly number[];
  readonly latest: number;
};

/**
 * Puts the children of a parent in another order; takes the tree when all is written but for what two statements do, and holds it until the end of the transaction; not at all where the order is theirs. `beforeTree` is awaited before.
 * Fails with ListChanged where the list is not what was read, with `not_found` where there is no such tree. Who holds the tree and meets one of the nodes meanwhile gives up after a quarter of a second (decision 0020).
 */
export async function reorder(
  tx: Transaction,
  tree: Tree,
  what: Reordering,
  beforeTree: () => Promise<void>,
): Promise<void> {
  const { parentId, places, order } = what;
  const ranks = order.flatMap((id, rank) => (places[rank]?.id === id ? [] : [rank]));
  if (ranks.length === 0) return beforeTree();
  const noted = await note(tx, tree, what, ranks);
  const shown = await write(tx, tree, what, ranks);
  // All who change a list note it or change its count, but for a load over an earlier one, which makes it anew: that would have changed places which are not written here.
  const now = await childrenIds(tx, tree, parentId);
  if (now.length !== order.length || now.some((id, rank) => order[rank] !== id)) throw new ListChanged();
  await beforeTree();
  await lockTree(tx, tree);
  await settle(tx, tree, what, noted, shown);
}

/** Notes who is taken from which rank, and put into which (shifts.ts); gives the numbers of both. Their version, and the moment, come when the tree is held. */
async function note(
  tx: Transaction,
  tree: TreeKey,
  { parentId, places, order }: Reordering,
  ranks: readonly number[],
): Promise<readonly number[]> {
  const taken = ranks.map((rank) => places[rank]?.id ?? 0);
  const put = ranks.map((rank) => order[rank] ?? 0);
  const rows = await tx.any(sql.type(IdRow)`
    INSERT INTO tree_shift (version, repo_id, kind, root_id, list_id, taken, ids, ranks)
    SELECT 0, ${tree.repoId}::int, ${tree.code}::smallint, ${tree.rootId}::int, ${parentId ?? 0}::int, s.taken, s.ids, ${idArray(ranks)}
    FROM (VALUES (true, ${idArray(taken)}), (false, ${idArray(put)})) AS s(taken, ids) ORDER BY s.taken DESC RETURNING id`);
  return rows.map(({ id }) => id);
}

const ShownRow = z.strictObject({ bucket: column.int, more: column.int });
type ShownRow = z.infer<typeof ShownRow>;

/** Writes the nodes that change their places; gives how many more are visible in the buckets where that changes. NOTE: by their ids alone (taking in shifts.ts says why): a node that has left the list is missed in it. */
async function write(
  tx: Transaction,
  tree: TreeKey,
  { places, order }: Reordering,
  ranks: readonly number[],
): Promise<readonly ShownRow[]> {
  const was = new Map(places.map(({ id, bucket }) => [id, bucket]));
  const rows = sql.unnest(
    ranks.map((rank) => {
      const id = order[rank] ?? 0;
      return [id, was.get(id) ?? 0, places[rank]?.bucket ?? 0, places[rank]?.ord ?? 0];
    }),
    ['int4', 'int4', 'int4', 'int8'],
  );
  return tx.any(sql.type(ShownRow)`
    WITH written AS (
      UPDATE tree_node t SET bucket = u.bucket, ord = u.ord FROM ${rows} AS u(id, was, bucket, ord) WHERE ${inScope('t', tree)} AND t.id = u.id RETURNING u.was, u.bucket, t.visible)
    SELECT bucket, sum(n)::int AS more FROM (
      SELECT bucket, 1 AS n FROM written WHERE visible UNION ALL SELECT was, -1 FROM written WHERE visible) s GROUP BY bucket HAVING sum(n) <> 0`);
}

/** With the tree held: sees that nobody came, went or was moved since the list was read, and counts. One statement, by the buckets of the list. */
async function settle(
  tx: Transaction,
  tree: TreeKey,
  { parentId, order, latest }: Reordering,
  noted: readonly number[],
  shown: readonly ShownRow[],
): Promise<void> {
  const more = sql.unnest(
    shown.map(({ bucket, more: count }) => [bucket, count]),
    ['int4', 'int4'],
  );
  const { n } = await tx.one(sql.type(NumberRow)`
    WITH same AS MATERIALIZED (
      SELECT r.version FROM tree_root r WHERE ${inTree('r', tree)} AND ${order.length} = (SELECT sum(b.n) FROM tree_bucket b WHERE ${inList('b', tree, parentId)})
        AND NOT EXISTS (SELECT FROM tree_shift s WHERE ${inList('s', tree, parentId)} AND s.id > ${latest} AND s.id <> ALL(${idArray(noted)}))),
    counted AS (UPDATE tree_bucket b SET nv = b.nv + u.more FROM ${more} AS u(bucket, more), same WHERE ${inList('b', tree, parentId)} AND b.bucket = u.bucket),
    dated AS (UPDATE tree_shift s SET version = same.version, at = clock_timestamp() FROM same WHERE s.id = ANY(${idArray(noted)}))
    SELECT count(*)::int AS n FROM same`);
  if (n === 0) throw new ListChanged();
}

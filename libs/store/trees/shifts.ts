// The log of what put siblings in other places, and what is read from it: whether a position that comes with a save is one that the
// client may have read, and not one that it asks for (contract 7.2). Decision 0006 tells why.
import { z } from 'zod';
import { earlierRanks } from '#domain/tree/earlier-ranks.ts';
import type { Tree } from '#domain/tree/tree.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import { idArray, inScope, inTree } from './conditions.ts';
import type { TreeKey } from './conditions.ts';

/**
 * The parts of a statement (WITH …) that note that nodes are about to be taken out of their places, in a snapshot in which they are still counted: `t`, the nodes with their
 * places, `taken`, how many these are by bucket, and `noted`. Counts each bucket concerned once. The nodes are in the tree. NOTE: the tree is no condition of theirs, after which the planner would expect one of them, and compare thousands with each
 * other one by one: 600 ms for 2,000.
 */
export const taking = (tree: TreeKey, ids: readonly number[]): Fragment => sql.fragment`
    t AS MATERIALIZED (SELECT t.id, t.root_id, t.list_id, t.bucket, t.visible FROM tree_node t WHERE ${inScope('t', tree)} AND t.id = ANY(${idArray(ids)})),
    ${bucketsBefore(tree)},
    m AS MATERIALIZED (
      SELECT m.id, d.root_id, d.list_id, (b.before + row_number() OVER (PARTITION BY d.root_id, d.list_id, d.bucket ORDER BY m.ord) - 1)::int AS rank
      FROM (SELECT DISTINCT root_id, list_id, bucket FROM t) d JOIN b USING (root_id, list_id, bucket)
      CROSS JOIN LATERAL (SELECT m.id, m.ord FROM tree_node m WHERE ${inScope('m', tree)} AND m.root_id = d.root_id AND m.list_id = d.list_id AND m.bucket = d.bucket OFFSET 0) AS m),
    ${takenByBucket},
    ${noting(tree, sql.fragment`m WHERE m.id = ANY(${idArray(ids)})`)}`;

/** `taken`: how many nodes of `t` are in each bucket. */
const takenByBucket = sql.fragment`
    taken AS MATERIALIZED (SELECT root_id, list_id, bucket, count(*)::int AS n, (count(*) FILTER (WHERE visible))::int AS nv FROM t GROUP BY root_id, list_id, bucket)`;

/** `b`: how many nodes are before each bucket of the lists of `t`, which are looked up one after the other (OFFSET 0): see takingLeft. */
const bucketsBefore = (tree: TreeKey): Fragment => sql.fragment`
    b AS MATERIALIZED (
      SELECT b.root_id, b.list_id, b.bucket, sum(b.n) OVER (PARTITION BY b.root_id, b.list_id ORDER BY b.key) - b.n AS before
      FROM (SELECT DISTINCT root_id, list_id FROM t) l CROSS JOIN LATERAL (
        SELECT b.* FROM tree_bucket b WHERE ${inScope('b', tree)} AND b.root_id = l.root_id AND b.list_id = l.list_id OFFSET 0) AS b)`;

/** `noted`: the nodes with their ranks, of `ranked`, `m` or some of it. They are not joined with `t`: of a tree that is younger than its statistics the planner expects one row of `m`, and would compare all with all. */
const noting = (
  tree: TreeKey,
  ranked: Fragment,
  version = sql.fragment`(SELECT version FROM tree_root r WHERE ${inScope('r', tree)} AND r.root_id = m.root_id)`,
): Fragment => sql.fragment`
    noted AS (
      INSERT INTO tree_shift (version, repo_id, kind, root_id, list_id, taken, ids, ranks)
      SELECT ${version}, ${tree.repoId}::int, ${tree.code}::smallint, m.root_id, m.list_id, true, array_agg(m.id ORDER BY m.rank), array_agg(m.rank ORDER BY m.rank)
      FROM ${ranked} GROUP BY m.root_id, m.list_id RETURNING id, list_id)`;

/**
 * Keeps the places of nodes that are about to leave them for another root, and holds their rows, in a table that is gone with the transaction: sent with the statement that takes them out of the counts, with the tree held, they would take
 * as long as all else. Gives those that are in the tree. Four statements.
 */
export async function leavePlaces(
  tx: Transaction,
  tree: TreeKey,
  toRootId: number,
  ids: readonly number[],
): Promise<readonly { readonly id: number; readonly visible: boolean }[]> {
  await tx.together(() => [
    tx.run(
      sql`CREATE TEMP TABLE IF NOT EXISTS left_place (to_root_id int, id int, list_id int, bucket int, ord bigint, visible boolean) ON COMMIT DROP`,
    ),
    tx.run(
      sql`CREATE TEMP TABLE IF NOT EXISTS left_bucket (to_root_id int, list_id int, bucket int, n int, nv int) ON COMMIT DROP`,
    ),
  ]);
  const left = await tx.any(sql.type(LeftRow)`
    INSERT INTO left_place SELECT ${toRootId}::int, t.id, t.list_id, t.bucket, t.ord, t.visible FROM tree_node t
    WHERE ${inTree('t', tree)} AND t.id = ANY(${idArray(ids)}) FOR NO KEY UPDATE RETURNING id, visible`);
  await tx.run(sql`ANALYZE left_place`);
  return left;
}

const LeftRow = z.strictObject({ id: column.int, visible: column.bool });

/**
 * The same as `taking` for nodes that left their places (leavePlaces) and have their rows in the tree of another root by now. NOTE: nodes are joined to nothing, and looked up by their bucket (OFFSET 0): the planner expects one bucket, or one of the nodes that
 * were there, as long as the statistics are older than the tree, and would compare all with all. So the row of a bucket goes in behind its nodes, and what is before it comes to them by the window; those that leave are marked.
 */
export const takingLeft = (tree: TreeKey, toRootId: number, version?: Fragment): Fragment => sql.fragment`
    t AS MATERIALIZED (SELECT id, ${tree.rootId}::int AS root_id, list_id, bucket, ord, visible FROM left_place WHERE to_root_id = ${toRootId}),
    ${bucketsBefore(tree)},
    n AS MATERIALIZED (
      SELECT id, list_id, leaves, row_number() OVER (PARTITION BY list_id, bucket ORDER BY ord NULLS LAST) - 1 AS at, max(before) OVER (PARTITION BY list_id, bucket) AS before FROM (
        SELECT id, list_id, bucket, ord, true AS leaves, NULL::numeric AS before FROM t
        UNION ALL SELECT n.id, d.list_id, d.bucket, n.ord, false, NULL FROM (SELECT DISTINCT list_id, bucket FROM t) d
        CROSS JOIN LATERAL (SELECT n.id, n.ord FROM tree_node n WHERE ${inTree('n', tree)} AND n.list_id = d.list_id AND n.bucket = d.bucket OFFSET 0) AS n
        UNION ALL SELECT NULL, list_id, bucket, NULL, false, before FROM b) AS places),
    m AS MATERIALIZED (SELECT id, ${tree.rootId}::int AS root_id, list_id, (before + at)::int AS rank FROM n WHERE leaves),
    ${takenByBucket},
    ${noting(tree, sql.fragment`m`, version)}`;

/** What noteLeft noted: its rows, for the lists of which the tree had this version before they were read. */
export type LeftNoted = {
  readonly version: number;
  readonly noted: readonly number[];
  readonly lists: readonly number[];
};

const NotedRow = z.strictObject({ id: column.int, list_id: column.int });

/**
 * Notes that nodes have left their places (leavePlaces) for others which their rows have by now, and counts them by the buckets that they left, before the tree is taken: of thousands that takes as long as all else. `version`: of the tree, read
 * before they left. Their version and moment come when it is held (dating), where nobody has shifted these lists since: all who do raise the version.
 */
export async function noteLeft(tx: Transaction, tree: TreeKey, toRootId: number, version: number): Promise<LeftNoted> {
  const rows = await tx.any(sql.type(NotedRow)`
    WITH ${takingLeft(tree, toRootId, sql.fragment`0`)},
    counted AS (INSERT INTO left_bucket SELECT ${toRootId}::int, list_id, bucket, n, nv FROM taken)
    SELECT id, list_id FROM noted`);
  await tx.run(sql`ANALYZE left_bucket`);
  return { version, noted: rows.map(({ id }) => id), lists: rows.map((row) => row.list_id) };
}

/** The parts of a statement (WITH …) that give what noteLeft noted its version and moment: `same`, a row where that is still so, and `taken`, the nodes by bucket, none where it is not. */
export const dating = (tree: TreeKey, toRootId: number, { version, noted, lists }: LeftNoted): Fragment => sql.fragment`
    same AS MATERIALIZED (
      SELECT r.version FROM tree_root r WHERE ${inTree('r', tree)}
        AND NOT EXISTS (SELECT FROM tree_shift s WHERE ${inTree('s', tree)} AND s.list_id = ANY(${idArray(lists)}) AND s.version > ${version})),
    dated AS (UPDATE tree_shift s SET version = same.version, at = clock_timestamp() FROM same WHERE s.id = ANY(${idArray(noted)})),
    taken AS MATERIALIZED (SELECT ${tree.rootId}::int AS root_id, list_id, bucket, n, nv FROM left_bucket WHERE to_root_id = ${toRootId} AND EXISTS (SELECT FROM same))`;

/** Takes back what noteLeft noted. */
export async function takeBackNotes(tx: Transaction, { noted }: LeftNoted): Promise<void> {
  await tx.run(sql`DELETE FROM tree_shift s WHERE s.id = ANY(${idArray(noted)})`);
}

/** Notes that nodes are put in side by side from a rank on. At the end of a list there is nothing to note. */
export async function logPutting(
  tx: Transaction,
  tree: TreeKey,
  what: { readonly parentId: number | null; readonly rank: number; readonly ids: readonly number[] },
): Promise<void> {
  await tx.run(sql`
    INSERT INTO tree_shift (version, repo_id, kind, root_id, list_id, taken, ids, ranks)
    SELECT r.version, ${tree.repoId}::int, ${tree.code}::smallint, ${tree.rootId}::int, ${what.parentId ?? 0}::int, false, ${idArray(what.ids)}, ARRAY(SELECT generate_series(${what.rank}::int, ${what.rank + what.ids.length - 1}::int))
    FROM tree_root r WHERE ${inTree('r', tree)}`);
}

/** Forgets the shifts of a tree that is no more. */
export async function forgetShifts(tx: Transaction, tree: TreeKey): Promise<void> {
  await tx.run(sql`DELETE FROM tree_shift s WHERE ${inTree('s', tree)}`);
}

// Nobody saves what so many shifts ago was read; and each of them is undone in turn.
const mostShifts = 10_000;

const ShiftRow = z.strictObject({
  version: column.int,
  listId: column.int,
  isTaken: column.bool,
  ids: column.ints,
  ranks: column.ints,
  isOwn: column.bool,
});

/**
 * Whether a node, whose rank is given, is at a position, or was at any time since `savedAt`, the moment of the save that made the version which is saved now
 * (`record.user_mtime`, as PostgreSQL prints it): then a client may have read it there under this version. No statement where it is there still.
 */
export async function isEarlierPosition(
  tx: Transaction,
  tree: Tree,
  node: {
    readonly id: number;
    readonly parentId: number | null;
    readonly position: number;
    readonly rank: number | undefined;
    readonly savedAt: string;
  },
): Promise<boolean> {
  const { rank } = node;
  if (rank === undefined || rank === node.position) return true;
  // What the save itself moved is where the version begins, and ends the list.
  const shifts = await tx.any(sql.type(ShiftRow)`
    SELECT s.version, s.list_id AS "listId", s.taken AS "isTaken", s.ids, s.ranks, s.began = ${node.savedAt}::timestamptz AS "isOwn" FROM tree_shift s
    WHERE ${inTree('s', tree)} AND s.at > ${node.savedAt}::timestamptz AND (s.list_id = ${node.parentId ?? 0}
      OR s.list_id IN (SELECT o.list_id FROM tree_shift o WHERE ${inTree('o', tree)} AND o.at > ${node.savedAt}::timestamptz AND ${node.id} = ANY(o.ids)))
    ORDER BY s.id DESC LIMIT ${mostShifts}`);
  const own = shifts.findIndex((shift) => shift.isOwn);
  return earlierRanks(
    { id: node.id, listId: node.parentId ?? 0, rank },
    own === -1 ? shifts : shifts.slice(0, own),
  ).has(node.position);
}

/** Removes shifts that nobody's reading is older than: 30 days. Returns how many. */
export async function pruneShifts(database: Database): Promise<number> {
  return database.transaction(async (tx) => tx.run(sql`DELETE FROM tree_shift WHERE at < now() - interval '30 days'`));
}

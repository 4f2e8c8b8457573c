// Reading places: windows of a list, ranks, paths and neighbours. Each is one statement, so one snapshot: a reader neither waits
// for a writer nor sees half a move. `publishedOnly` counts visible nodes alone, at the level that is read (contract 1.3).
import { z } from 'zod';
import { waypointSize } from '#domain/tree/window.ts';
import type { TreeScope } from '#domain/tree/tree.ts';
import type { Reader } from '../connection/database.ts';
import { column, NumberRow, IdRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { Fragment, RowQuery } from '../connection/sql.ts';
import { idArray, inList, inScope, inTree } from './conditions.ts';
import type { TreeKey } from './conditions.ts';

/** Which nodes a read counts. */
export type Visibility = { readonly publishedOnly?: boolean };

/** A node of a window: 0-based position and the number of its own children, both under the filter. */
export const WaypointNode = z.strictObject({ id: column.int, position: column.int, child_count: column.int });
export type WaypointNode = z.infer<typeof WaypointNode>;

/** Where a node is: its root, its parent (null: directly under the root), and its flag. */
export const NodePlace = z.strictObject({
  id: column.int,
  root_id: column.int,
  parent_id: column.maybeInt,
  visible: column.bool,
});
export type NodePlace = z.infer<typeof NodePlace>;

const counted = (alias: string, filter: Visibility): Fragment =>
  filter.publishedOnly === true
    ? sql.fragment`${sql.identifier([alias, 'nv'])}`
    : sql.fragment`${sql.identifier([alias, 'n'])}`;
const shown = (alias: string, filter: Visibility): Fragment =>
  filter.publishedOnly === true ? sql.fragment` AND ${sql.identifier([alias, 'visible'])}` : sql.fragment``;

/** The waypoint `offset` (0-based, 200 nodes each) of a list in order; empty past the end and for a parent of another root. */
export function waypoint(
  reader: Reader,
  tree: TreeKey,
  parentId: number | null,
  offset: number,
  filter: Visibility = {},
): Promise<readonly WaypointNode[]> {
  return reader.any(waypointQuery(tree, parentId, offset * waypointSize, filter));
}

/**
 * The statement of a waypoint that begins at rank `start`. Buckets through the primary key; the nodes of one to three buckets,
 * in order, through tree_node_order; child counts through the primary key of tree_bucket.
 */
export function waypointQuery(
  tree: TreeKey,
  parentId: number | null,
  start: number,
  filter: Visibility = {},
): RowQuery<WaypointNode> {
  return sql.type(WaypointNode)`
    WITH b AS (SELECT b.bucket, b.key, ${counted('b', filter)} AS n, sum(${counted('b', filter)}) OVER (ORDER BY b.key) - ${counted('b', filter)} AS before
      FROM tree_bucket b WHERE ${inList('b', tree, parentId)}),
    p AS (SELECT s.id, b.before + s.i AS position FROM b CROSS JOIN LATERAL (
        SELECT t.id, row_number() OVER (ORDER BY t.ord) - 1 AS i FROM tree_node t
        WHERE ${inList('t', tree, parentId)} AND t.bucket = b.bucket${shown('t', filter)}) s
      WHERE b.n > 0 AND b.before < ${start + waypointSize} AND b.before + b.n > ${start})
    SELECT p.id, p.position::int AS position,
      (SELECT coalesce(sum(${counted('k', filter)}), 0)::int FROM tree_bucket k WHERE ${inTree('k', tree)} AND k.list_id = p.id) AS child_count
    FROM p WHERE p.position >= ${start} AND p.position < ${start + waypointSize} ORDER BY p.position`;
}

/** The number of children of a parent; 0 where it has none or is in another tree. */
export async function countChildren(
  reader: Reader,
  tree: TreeKey,
  parentId: number | null,
  filter: Visibility = {},
): Promise<number> {
  const row = await reader.one(sql.type(NumberRow)`
    SELECT coalesce(sum(${counted('b', filter)}), 0)::int AS n FROM tree_bucket b WHERE ${inList('b', tree, parentId)}`);
  return row.n;
}

const PositionsOfRow = z.strictObject({ id: column.int, position: column.int });

/** 0-based positions of nodes among their siblings, by id, of any roots; ids that are in no tree are left out. */
export async function positionsOf(
  reader: Reader,
  scope: TreeScope,
  ids: readonly number[],
  filter: Visibility = {},
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.any(sql.type(PositionsOfRow)`
    WITH t AS MATERIALIZED (SELECT t.id, t.root_id, t.list_id, t.bucket, t.ord FROM tree_node t WHERE ${inScope('t', scope)} AND t.id = ANY(${idArray(ids)})),
    b AS MATERIALIZED (
      SELECT b.root_id, b.list_id, b.bucket, sum(${counted('b', filter)}) OVER (PARTITION BY b.root_id, b.list_id ORDER BY b.key) - ${counted('b', filter)} AS before
      FROM (SELECT DISTINCT root_id, list_id FROM t) l JOIN tree_bucket b ON ${inScope('b', scope)} AND b.root_id = l.root_id AND b.list_id = l.list_id)
    SELECT t.id, (b.before + (SELECT count(*) FROM tree_node m
      WHERE ${inScope('m', scope)} AND m.root_id = t.root_id AND m.list_id = t.list_id AND m.bucket = t.bucket AND m.ord < t.ord${shown('m', filter)}))::int AS position
    FROM t JOIN b USING (root_id, list_id, bucket)`);
  return new Map(rows.map((row) => [row.id, row.position]));
}

/** Root, parent and flag of nodes, by id; ids that are in no tree are left out. */
export async function placesOf(
  reader: Reader,
  scope: TreeScope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, NodePlace>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.any(sql.type(NodePlace)`
    SELECT t.id, t.root_id, t.parent_id, t.visible FROM tree_node t WHERE ${inScope('t', scope)} AND t.id = ANY(${idArray(ids)})`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The way to a node: its root, and what is above it from the top down. */
export type TreePath = { readonly rootId: number; readonly ancestors: readonly number[]; readonly visible: boolean };

/** For each node the way to it: root id, its ancestors from the top down (itself not included), its flag. Unknown ids are left out. */
export async function pathsFromRoot(
  reader: Reader,
  scope: TreeScope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, TreePath>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.any(sql.type(NodePlace)`
    WITH RECURSIVE a AS (
      SELECT t.id, t.parent_id, t.root_id, t.visible FROM tree_node t WHERE ${inScope('t', scope)} AND t.id = ANY(${idArray(ids)})
      UNION SELECT t.id, t.parent_id, t.root_id, t.visible FROM a JOIN tree_node t ON ${inScope('t', scope)} AND t.id = a.parent_id
    ) SELECT * FROM a`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    ids.flatMap((id) => {
      const row = byId.get(id);
      if (row === undefined) return [];
      const ancestors: number[] = [];
      for (let at = row.parent_id; at !== null; at = byId.get(at)?.parent_id ?? null) ancestors.push(at);
      return [[id, { rootId: row.root_id, ancestors: ancestors.reverse(), visible: row.visible }] as const];
    }),
  );
}

const PreviousRow = z.strictObject({ id: column.maybeInt });

/** The sibling before a node, else its parent, else null: the first node of all, or no such node (contract 1.16). */
export async function previousNode(reader: Reader, scope: TreeScope, id: number): Promise<number | null> {
  const row = await reader.maybeOne(sql.type(PreviousRow)`
    SELECT coalesce(
      (SELECT m.id FROM tree_node m WHERE ${besideT('m', scope)} AND m.bucket = t.bucket AND m.ord < t.ord ORDER BY m.ord DESC LIMIT 1),
      (SELECT m.id FROM tree_node m WHERE ${besideT('m', scope)} AND m.bucket = (
         SELECT b.bucket FROM tree_bucket b WHERE ${besideT('b', scope)} AND b.n > 0 AND b.key < (SELECT o.key FROM tree_bucket o WHERE ${besideT('o', scope)} AND o.bucket = t.bucket)
         ORDER BY b.key DESC LIMIT 1) ORDER BY m.ord DESC LIMIT 1),
      t.parent_id) AS id
    FROM tree_node t WHERE ${inScope('t', scope)} AND t.id = ${id}`);
  return row?.id ?? null;
}

/** As `previousNode`, of what those are shown who see nothing suppressed. Reads the list up to the node: for where the node before it is hidden. */
export async function previousShownNode(
  reader: Reader,
  { kindName, ...scope }: TreeScope & { readonly kindName: string },
  id: number,
): Promise<number | null> {
  const isShown = (node: Fragment): Fragment =>
    sql.fragment`EXISTS (SELECT FROM record r WHERE r.kind = ${kindName} AND r.id = ${node} AND NOT r.suppressed)`;
  const row = await reader.maybeOne(sql.type(PreviousRow)`
    SELECT coalesce(
      (SELECT m.id FROM tree_bucket own JOIN tree_bucket b ON ${besideT('b', scope)} AND b.key <= own.key
         JOIN tree_node m ON ${besideT('m', scope)} AND m.bucket = b.bucket
       WHERE ${besideT('own', scope)} AND own.bucket = t.bucket AND (b.key < own.key OR m.ord < t.ord) AND ${isShown(sql.fragment`m.id`)}
       ORDER BY b.key DESC, m.ord DESC LIMIT 1),
      (SELECT t.parent_id WHERE ${isShown(sql.fragment`t.parent_id`)})) AS id
    FROM tree_node t WHERE ${inScope('t', scope)} AND t.id = ${id}`);
  return row?.id ?? null;
}

/** The rows of the list that the node `t` stands in. */
const besideT = (alias: string, scope: TreeScope): Fragment =>
  sql.fragment`${inScope(alias, scope)} AND ${sql.identifier([alias, 'root_id'])} = t.root_id AND ${sql.identifier([alias, 'list_id'])} = t.list_id`;

/** All children of a parent in order, hidden ones included. Reads the whole list. */
export async function childrenIds(reader: Reader, tree: TreeKey, parentId: number | null): Promise<readonly number[]> {
  const rows = await reader.any(sql.type(IdRow)`
    SELECT t.id FROM tree_bucket b JOIN tree_node t ON ${inList('t', tree, parentId)} AND t.bucket = b.bucket
    WHERE ${inList('b', tree, parentId)} ORDER BY b.key, t.ord`);
  return rows.map((row) => row.id);
}

/** The ids of nodes and of all that is below them, in no order; `ids` null is the whole tree. */
export async function subtreeIds(
  reader: Reader,
  tree: TreeKey,
  ids: readonly number[] | null,
): Promise<readonly number[]> {
  const rows = await reader.any(
    ids === null
      ? sql.type(IdRow)`SELECT t.id FROM tree_node t WHERE ${inTree('t', tree)}`
      : sql.type(IdRow)`
    WITH RECURSIVE s AS (
      SELECT t.id FROM tree_node t WHERE ${inTree('t', tree)} AND t.id = ANY(${idArray(ids)})
      UNION SELECT t.id FROM s JOIN tree_node t ON ${inTree('t', tree)} AND t.list_id = s.id
    ) SELECT id FROM s`,
  );
  return rows.map((row) => row.id);
}

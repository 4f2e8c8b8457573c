// What is below nodes. With its places: for those who take it away before they take the tree (decision 0037). Its rows are met again by id and list, so that what was
// moved out meanwhile is told by being missed.
import { z } from 'zod';
import { column, CountRow, IdRow } from '../connection/columns.ts';
import type { Reader } from '../connection/database.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import { idArray, inTree } from './conditions.ts';
import type { TreeKey } from './conditions.ts';

/** A node and the list that it is in: that of the node above it. */
const Below = z.strictObject({ id: column.int, list_id: column.int });
export type Below = z.infer<typeof Below>;

/** All that is below nodes, these not included, in no order. The nodes may be in another tree by now. */
export function readBelow(reader: Reader, tree: TreeKey, ids: readonly number[]): Promise<readonly Below[]> {
  return reader.any(sql.type(Below)`
    WITH RECURSIVE s AS (
      SELECT t.id, t.list_id FROM tree_node t WHERE ${inTree('t', tree)} AND t.list_id = ANY(${idArray(ids)})
      UNION SELECT t.id, t.list_id FROM s JOIN tree_node t ON ${inTree('t', tree)} AND t.list_id = s.id
    ) SELECT id, list_id FROM s`);
}

/**
 * Those of lists that hold anything: each that does has a bucket. Of many that were emptied in this transaction it takes little, while looking for nodes meets the rows of
 * all that went.
 */
export async function readFilled(reader: Reader, tree: TreeKey, lists: readonly number[]): Promise<readonly number[]> {
  const rows = await reader.any(sql.type(IdRow)`
    SELECT DISTINCT b.list_id AS id FROM tree_bucket b WHERE ${inTree('b', tree)} AND b.list_id = ANY(${idArray(lists)})`);
  return rows.map(({ id }) => id);
}

/** The lists that hold what is below nodes, and those that it may have of its own. */
export const listsOf = (ids: readonly number[], below: readonly Below[]): readonly number[] => [
  ...new Set([...ids, ...below.flatMap((row) => [row.id, row.list_id])]),
];

/** How many nodes some buckets count. */
export const countedIn = (buckets: readonly { readonly n: number }[]): number =>
  buckets.reduce((sum, { n }) => sum + n, 0);

/** Rows of `id` and `list_id` as `s`. NOTE: read first, and given: joined to the recursion itself, the planner would read the whole table for a single node. */
export const placesAs = (below: readonly Below[]): Fragment =>
  sql.fragment`${sql.unnest(
    below.map((row) => [row.id, row.list_id]),
    ['int4', 'int4'],
  )} AS s(id, list_id)`;

/** Whether more than so many nodes are in a tree (`id` null), or below one of its nodes. No more of them are counted. */
export async function hasMoreThan(reader: Reader, tree: TreeKey, id: number | null, most: number): Promise<boolean> {
  const nodes =
    id === null
      ? sql.fragment`SELECT FROM tree_node t WHERE ${inTree('t', tree)}`
      : sql.fragment`
    WITH RECURSIVE s AS (
      SELECT t.id FROM tree_node t WHERE ${inTree('t', tree)} AND t.list_id = ${id}
      UNION ALL SELECT t.id FROM s JOIN tree_node t ON ${inTree('t', tree)} AND t.list_id = s.id
    ) SELECT FROM s`;
  const { count } = await reader.one(sql.type(CountRow)`
    SELECT count(*)::int AS count FROM (${nodes} LIMIT ${most + 1}) AS found`);
  return count > most;
}

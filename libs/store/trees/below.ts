// What is below nodes. With its places: for those who take it away before they take the tree (decision 0037). Its rows are met again by id and list, so that what was
// moved out meanwhile is told by being missed.
import { z } from 'zod';
import { column, CountRow } from '../connection/columns.ts';
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
 * The array of those of lists, an array of their ids, that hold anything: each that does has a bucket. Of many that were emptied in this transaction it takes little, while looking for nodes meets the rows of
 * all that went. Joined, and not compared with the whole list, by which the planner would go for each value of its statistics: 70 ms for 20,000.
 */
export const filledLists = (tree: TreeKey, lists: Fragment): Fragment =>
  sql.fragment`ARRAY(SELECT DISTINCT b.list_id FROM unnest(${lists}) AS l (id) JOIN tree_bucket b ON ${inTree('b', tree)} AND b.list_id = l.id)`;

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

/** Trees, or what is below some of their nodes. */
type Parts = readonly { readonly tree: TreeKey; readonly ids: readonly number[] | null }[];

/**
 * Whether more than so many nodes are in trees (`ids` null), or below some of their nodes: one that is below two of them counts twice. No more
 * of them are read.
 */
export async function hasMoreThan(reader: Reader, parts: Parts, most: number): Promise<boolean> {
  const lists = parts.flatMap(({ tree, ids }) => (ids ?? []).map((id) => [tree.repoId, tree.code, tree.rootId, id]));
  const trees = parts.flatMap(({ tree, ids }) => (ids === null ? [[tree.repoId, tree.code, tree.rootId]] : []));
  // NOTE: the order is that of the index, and for nothing else: of trees that are younger than its statistics the planner takes each to be as large as
  // those that it knows, and would look through the whole table for every list.
  const below = sql.fragment`SELECT t.repo_id, t.kind, t.root_id, t.id FROM tree_node t
    WHERE t.repo_id = s.repo_id AND t.kind = s.kind AND t.root_id = s.root_id AND t.list_id = s.id ORDER BY t.bucket, t.ord LIMIT ${most + 1}`;
  const { count } = await reader.one(sql.type(CountRow)`
    WITH RECURSIVE node AS (
      SELECT t.* FROM ${sql.unnest(lists, ['int4', 'int2', 'int4', 'int4'])} AS s (repo_id, kind, root_id, id) CROSS JOIN LATERAL (${below}) AS t
      UNION ALL SELECT t.* FROM node s CROSS JOIN LATERAL (${below}) AS t
    ) SELECT count(*)::int AS count FROM (
      (SELECT FROM ${sql.unnest(trees, ['int4', 'int2', 'int4'])} AS s (repo_id, kind, root_id) CROSS JOIN LATERAL (
        SELECT FROM tree_node t WHERE t.repo_id = s.repo_id AND t.kind = s.kind AND t.root_id = s.root_id ORDER BY t.list_id, t.bucket, t.ord LIMIT ${most + 1}) AS t)
      UNION ALL (SELECT FROM node) LIMIT ${most + 1}) AS found`);
  return count > most;
}

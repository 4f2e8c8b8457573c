// The conditions that every statement over trees begins with; each starts from a primary key or from tree_node_order.
import type { Tree, TreeScope } from '#domain/tree/tree.ts';
import { sql } from '../connection/sql.ts';
import type { Fragment } from '../connection/sql.ts';

/** `alias.repo_id = … AND alias.kind = …` */
export function inScope(alias: string, scope: TreeScope): Fragment {
  return sql.fragment`${sql.identifier([alias, 'repo_id'])} = ${scope.repoId} AND ${sql.identifier([alias, 'kind'])} = ${scope.code}`;
}

/** The rows of one tree. */
export function inTree(alias: string, tree: TreeScope & { readonly rootId: number }): Fragment {
  return sql.fragment`${inScope(alias, tree)} AND ${sql.identifier([alias, 'root_id'])} = ${tree.rootId}`;
}

/** The rows of one list of siblings. `parentId` null: the list directly under the root. */
export function inList(
  alias: string,
  tree: TreeScope & { readonly rootId: number },
  parentId: number | null,
): Fragment {
  return sql.fragment`${inTree(alias, tree)} AND ${sql.identifier([alias, 'list_id'])} = ${parentId ?? 0}`;
}

/** Ids as an int4[] parameter. NOTE: only to start from an index with = ANY(); over many rows join unnest() instead (a linear search else). */
export const idArray = (ids: readonly number[]): Fragment => sql.array(ids, 'int4');

/** A tree without the words of its messages. */
export type TreeKey = Pick<Tree, 'repoId' | 'code' | 'rootId'>;

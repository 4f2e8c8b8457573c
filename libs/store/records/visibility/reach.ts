// A record with everything below it in its tree: what publishing and suppressing reach (contract 5.1, 5.2).
import { z } from 'zod';
import { kindNamed } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import { nodeKindOf } from '#domain/tree/node-kinds.ts';
import type { Tree } from '#domain/tree/tree.ts';
import { treeOf } from '#domain/tree/tree.ts';
import type { Reader } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';
import { hasMoreThan } from '../../trees/below.ts';
import { subtreeIds } from '../../trees/read.ts';
import type { RecordKey } from '../record-key.ts';
import { treeUnder } from '../writing/tree-place.ts';

/** The tree that a record is the root of, or a node in: the kind of the nodes and the id of the root. Null for records in no tree. */
export type TreePlace = { readonly node: Kind; readonly tree: Tree; readonly isRoot: boolean };

/** Ids of one kind. */
export type IdsOfKind = { readonly kind: Kind; readonly ids: readonly number[] };

const RootIdRow = z.strictObject({ root_id: column.int });

/** Where a record is in a tree, whether it exists or not; null for kinds without trees and nodes that are not there. */
export async function treePlaceOf(
  reader: Reader,
  kind: Kind,
  id: number,
  repoId: number | null,
): Promise<TreePlace | null> {
  if (repoId === null) return null;
  const nodes = nodeKindOf(kind);
  if (nodes !== null) return { node: nodes, tree: treeOf(nodes, kind, repoId, id), isRoot: true };
  if (kind.tree === undefined) return null;
  const row = await reader.maybeOne(sql.type(RootIdRow)`
    SELECT root_id FROM tree_node WHERE repo_id = ${repoId} AND kind = ${kind.tree.code} AND id = ${id}`);
  return row === null ? null : { node: kind, tree: treeUnder(kind, repoId, row.root_id), isRoot: false };
}

/** The record and all that is below it, by kind; the record's own kind comes first, and `id` is among its ids. */
export async function readGraph(
  reader: Reader,
  kind: Kind,
  id: number,
  place: TreePlace | null,
): Promise<readonly IdsOfKind[]> {
  if (place === null) return [{ kind, ids: [id] }];
  const below = await subtreeIds(reader, place.tree, place.isRoot ? null : [id]);
  return place.isRoot
    ? [{ kind, ids: [id] }, ...(below.length === 0 ? [] : [{ kind: place.node, ids: below }])]
    : [{ kind, ids: below }];
}

/** The nodes of a place's kind in a graph. */
export const nodesAmong = (graph: readonly IdsOfKind[], { node }: TreePlace): readonly number[] =>
  graph.filter(({ kind }) => kind === node).flatMap(({ ids }) => ids);

/** A SELECT of kind and id of all records of a graph. */
export function graphKeys(graph: readonly IdsOfKind[]): Fragment {
  const each = graph.map(
    ({ kind, ids }) =>
      sql.fragment`SELECT ${kind.name}::text AS kind, id FROM unnest(${sql.array([...ids], 'int4')}) AS i (id)`,
  );
  return sql.fragment`${sql.join(each, sql.fragment` UNION ALL `)}`;
}

/** The record that is the root of a place. */
export const rootOf = (place: TreePlace): IdsOfKind => ({
  kind: kindNamed(place.node.tree?.root ?? ''),
  ids: [place.tree.rootId],
});

/** A tree with what of it is meant: nodes with all below them, or (null) the whole. */
export type PartOfTree = { readonly node: Kind; readonly tree: Tree; readonly ids: readonly number[] | null };

const TreesOfRow = z.strictObject({ kind: column.text, root_id: column.int, ids: column.ints });

/** The trees of records of one repository: whole ones of roots, which come first, then those in which the nodes are; in one order for everybody. */
export async function treesOf(
  reader: Reader,
  records: readonly { readonly kind: Kind; readonly id: number }[],
  repoId: number | null,
): Promise<readonly PartOfTree[]> {
  if (repoId === null) return [];
  const whole = records.flatMap(({ kind, id }): PartOfTree[] => {
    const node = nodeKindOf(kind);
    return node === null ? [] : [{ node, tree: treeOf(node, kind, repoId, id), ids: null }];
  });
  const nodes = records.filter(({ kind }) => kind.tree !== undefined);
  const rows =
    nodes.length === 0
      ? []
      : await reader.any(sql.type(TreesOfRow)`
    SELECT u.kind, t.root_id, array_agg(t.id ORDER BY t.id) AS ids FROM ${sql.unnest(
      nodes.map(({ kind, id }) => [kind.name, kind.tree?.code ?? 0, id]),
      ['text', 'int2', 'int4'],
    )} AS u (kind, code, id)
    JOIN tree_node t ON t.repo_id = ${repoId} AND t.kind = u.code AND t.id = u.id GROUP BY u.kind, t.root_id`);
  const isWhole = new Set(whole.map(({ node, tree }) => `${node.name} ${tree.rootId}`));
  const parts = rows
    .filter((row) => !isWhole.has(`${row.kind} ${row.root_id}`))
    .map((row): PartOfTree => ({
      node: kindNamed(row.kind),
      tree: treeUnder(kindNamed(row.kind), repoId, row.root_id),
      ids: row.ids,
    }));
  const byTree = (a: PartOfTree, b: PartOfTree): number => a.tree.code - b.tree.code || a.tree.rootId - b.tree.rootId;
  return [...whole.sort(byTree), ...parts.sort(byTree)];
}

/** Records by their repository; null: those of none. */
export type OfRepositories = readonly (readonly [
  repoId: number | null,
  records: readonly { readonly kind: Kind; readonly id: number }[],
])[];

/** Whether more than so many records are below others in their trees; one that is below two of them may count twice. No more are read. */
export async function hasMoreBelow(reader: Reader, records: OfRepositories, most: number): Promise<boolean> {
  const parts = await Promise.all(records.map(([repoId, list]) => treesOf(reader, list, repoId)));
  return hasMoreThan(reader, parts.flat(), most);
}

/** Adds ids to those of a kind. */
export const addIds = (idsOf: Map<string, Set<number>>, kind: string, ids: readonly number[]): void => {
  const known = idsOf.get(kind) ?? new Set();
  for (const id of ids) known.add(id);
  idsOf.set(kind, known);
};

/** The same as a list. */
export const groupsOf = (idsOf: ReadonlyMap<string, ReadonlySet<number>>): readonly IdsOfKind[] =>
  [...idsOf].map(([name, ids]) => ({ kind: kindNamed(name), ids: [...ids] }));

/** The same as keys of records. */
export const keysOf = (groups: readonly IdsOfKind[]): readonly RecordKey[] =>
  groups.flatMap(({ kind, ids }) => ids.map((id) => ({ kind: kind.name, id })));

/** Those that are not among the others; no kind without any. */
export function without(groups: readonly IdsOfKind[], others: readonly IdsOfKind[]): readonly IdsOfKind[] {
  if (groups.length === 0) return [];
  const known = new Map<string, Set<number>>();
  for (const { kind, ids } of others) addIds(known, kind.name, ids);
  return groups
    .map(({ kind, ids }) => ({ kind, ids: ids.filter((id) => known.get(kind.name)?.has(id) !== true) }))
    .filter(({ ids }) => ids.length > 0);
}

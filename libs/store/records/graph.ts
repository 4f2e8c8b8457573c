// A record with everything below it in its tree: what publishing and suppressing reach (contract 5.1, 5.2).
import { kindNamed } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import { nodeKindOf } from '#domain/tree/node-kinds.ts';
import type { Tree } from '#domain/tree/tree.ts';
import { treeOf } from '#domain/tree/tree.ts';
import type { Reader } from '../database.ts';
import { sql } from '../sql.ts';
import { subtreeIds } from '../trees/read.ts';
import { treeUnder } from './place.ts';

/** The tree that a record is the root of, or a node in: the kind of the nodes and the id of the root. Null for records in no tree. */
export type TreePlace = { readonly node: Kind; readonly tree: Tree; readonly isRoot: boolean };

/** Ids of one kind. */
export type IdsOfKind = { readonly kind: Kind; readonly ids: readonly number[] };

/** Where a record is in a tree, whether it exists or not; null for kinds without trees and nodes that are not there. */
export async function treePlaceOf(reader: Reader, kind: Kind, id: number, repoId: number | null): Promise<TreePlace | null> {
  if (repoId === null) return null;
  const nodes = nodeKindOf(kind);
  if (nodes !== null) return { node: nodes, tree: treeOf(nodes, kind, repoId, id), isRoot: true };
  if (kind.tree === undefined) return null;
  const row = await reader.maybeOne<{ root_id: number }>(sql`SELECT root_id FROM tree_node WHERE repo_id = ${repoId} AND kind = ${kind.tree.code} AND id = ${id}`);
  return row === null ? null : { node: kind, tree: treeUnder(kind, repoId, row.root_id), isRoot: false };
}

/** The record and all that is below it, by kind; the record's own kind comes first, and `id` is among its ids. */
export async function readGraph(reader: Reader, kind: Kind, id: number, place: TreePlace | null): Promise<readonly IdsOfKind[]> {
  if (place === null) return [{ kind, ids: [id] }];
  const below = await subtreeIds(reader, place.tree, place.isRoot ? null : [id]);
  return place.isRoot ? [{ kind, ids: [id] }, ...(below.length === 0 ? [] : [{ kind: place.node, ids: below }])] : [{ kind, ids: below }];
}

/** The record that is the root of a place, as kind and id. */
export const rootOf = (place: TreePlace): { readonly kind: Kind; readonly id: number } => ({ kind: kindNamed(place.node.tree?.root ?? ''), id: place.tree.rootId });

// Sorting the children of one parent as a write: the list is read and ordered and its records and nodes are written, then the tree is taken for a moment (decision 0037).
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { Kind } from '#domain/kind.ts';
import type { SortKey } from '#domain/tree/sort-children.ts';
import { sortedIds } from '#domain/tree/sort-children.ts';
import type { Tree } from '#domain/tree/tree.ts';
import type { Reader, Transaction } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { inList } from '../../trees/conditions.ts';
import { placesOf } from '../../trees/read.ts';
import type { Reordering } from '../../trees/reorder.ts';
import { latestShift, reorder } from '../../trees/reorder.ts';
import { lockTree, treeVersion } from '../../trees/root.ts';
import { redateMoved } from './move.ts';
import { treeUnder } from './tree-place.ts';

/** Whose children to sort: a root, or a node by its id. */
export type SortedParent = { readonly repoId: number; readonly id: number; readonly isRoot: boolean };

/** How many children there are, and those that stand elsewhere now, in the new order: from which position to which. */
export type SortedChildren = {
  readonly total: number;
  readonly moved: readonly {
    readonly id: number;
    readonly label: string;
    readonly from: number;
    readonly to: number;
  }[];
};

/** What sorting is to do, and to which list. */
export type Sorting = SortedChildren & { readonly node: Kind; readonly tree: Tree; readonly list: Reordering };

/** Reads the children of a record of the tree of this kind of node, whatever the caller may see of them, for each has a place; and finds their order. Takes nothing. Fails with `not_found`. */
export async function readSorting(
  reader: Reader,
  node: Kind,
  parent: SortedParent,
  keys: readonly SortKey[],
): Promise<Sorting> {
  const tree = await treeOfParent(reader, node, parent);
  const parentId = parent.isRoot ? null : parent.id;
  const latest = await latestShift(reader, tree, parentId);
  const rows = await readSortable(reader, node, tree, parentId);
  const order = sortedIds(rows, keys);
  const before = new Map(rows.map((row, from) => [row.id, { label: row.label, from }]));
  const places = order.map((id, to) => ({ id, label: '', from: to, ...before.get(id), to }));
  const moved = places.filter(({ from, to }) => from !== to);
  return { total: order.length, moved, node, tree, list: { parentId, places: rows, order, latest } };
}

/**
 * Sorts, in the transaction in which it was read: re-dates those that stand elsewhere and takes the tree when all is written but for what is told with it (reorder), which takes as long for ten thousand children as
 * for ten. `beforeTree` is awaited before. Fails where the list was changed meanwhile (isChangedMeanwhile): then the transaction is to be taken back, and begun anew.
 */
export async function writeSorting(
  tx: Transaction,
  { node, tree, moved, list }: Sorting,
  actor: string | null,
  beforeTree: () => Promise<void>,
): Promise<void> {
  const ids = moved.map(({ id }) => id).sort((a, b) => a - b);
  if (ids.length > 0) await redateMoved(tx, node, ids, actor);
  await reorder(tx, tree, list, beforeTree);
}

/** Takes the tree of the children before they are read, so that nobody changes them meanwhile, and waits for all who do: where they were changed each time before. Fails with `not_found`. */
export async function takeTreeOf(tx: Transaction, node: Kind, parent: SortedParent): Promise<void> {
  await lockTree(tx, await treeOfParent(tx, node, parent));
}

async function treeOfParent(reader: Reader, node: Kind, { repoId, id, isRoot }: SortedParent): Promise<Tree> {
  if (isRoot) {
    const tree = treeUnder(node, repoId, id);
    if ((await treeVersion(reader, tree)) === null) throw fail('not_found', `${tree.rootModel} not found`);
    return tree;
  }
  const place = (await placesOf(reader, { repoId, code: node.tree?.code ?? 0 }, [id])).get(id);
  if (place === undefined) throw fail('not_found', `${node.model} not found`);
  return treeUnder(node, repoId, place.root_id);
}

const Row = z.strictObject({
  id: column.int,
  bucket: column.int,
  ord: column.int,
  label: column.text,
  title: column.maybeText,
  display_string: column.maybeText,
  identifier: column.maybeText,
  begin: column.maybeText,
  end: column.maybeText,
});
type Row = z.infer<typeof Row>;

// In one statement, so that none is deleted between its place and its body. NOTE: record by record, as the planner takes a large list for a whole table.
const readSortable = (reader: Reader, node: Kind, tree: Tree, parentId: number | null): Promise<readonly Row[]> =>
  reader.any(sql.type(Row)`
  SELECT t.id, t.bucket, t.ord, r.* FROM tree_bucket b JOIN tree_node t ON ${inList('t', tree, parentId)} AND t.bucket = b.bucket
  CROSS JOIN LATERAL (
    SELECT r.label, r.body->>'title' AS title, r.label AS display_string, coalesce(r.body->>'component_id', r.body->>'identifier') AS identifier,
      (SELECT min((d->>'begin') COLLATE "C") FROM json_array_elements(r.body->'dates') d) AS "begin",
      (SELECT max(coalesce(d->>'end', d->>'begin') COLLATE "C") FROM json_array_elements(r.body->'dates') d) AS "end"
    FROM record r WHERE r.kind = ${node.name} AND r.id = t.id OFFSET 0) r
  WHERE ${inList('b', tree, parentId)} ORDER BY b.key, t.ord`);

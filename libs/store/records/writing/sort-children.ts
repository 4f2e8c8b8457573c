// Sorting the children of one parent as a write: the tree is taken, its list read and ordered, and what stands elsewhere is moved at once.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { Kind } from '#domain/kind.ts';
import type { SortKey } from '#domain/tree/sort-children.ts';
import { sortedIds } from '#domain/tree/sort-children.ts';
import type { Transaction } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { childrenIds, placesOf } from '../../trees/read.ts';
import { lockTree } from '../../trees/root.ts';
import { moveRecords } from './move.ts';
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

/**
 * Sorts the children of a record of the tree of this kind of node, whatever the caller may see of them: each has a place. Fails with `not_found`.
 * All of them are one move, so ten thousand children take as many statements as ten, but for those of a bucket more.
 */
export async function sortChildren(
  tx: Transaction,
  node: Kind,
  parent: SortedParent,
  keys: readonly SortKey[],
  actor: string | null,
): Promise<SortedChildren> {
  const { repoId, id, isRoot } = parent;
  const rootId = isRoot ? id : (await placesOf(tx, { repoId, code: node.tree?.code ?? 0 }, [id])).get(id)?.root_id;
  if (rootId === undefined) throw fail('not_found', `${node.model} not found`);
  const tree = treeUnder(node, repoId, rootId);
  const parentId = isRoot ? null : id;
  // Before the list is read, so that nobody moves a child between reading and writing.
  await lockTree(tx, tree);
  const present = await childrenIds(tx, tree, parentId);
  const rows = await readSortable(tx, node, present);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const order = sortedIds(
    present.flatMap((each) => byId.get(each) ?? []),
    keys,
  );
  const first = order.findIndex((each, at) => present[at] !== each);
  if (first < 0) return { total: order.length, moved: [] };
  const last = order.findLastIndex((each, at) => present[at] !== each);
  const ids = order.slice(first, last + 1);
  await moveRecords(tx, node, repoId, rootId, { parentId, position: first, ids }, actor);
  const before = new Map(present.map((each, at) => [each, at]));
  const places = ids.map((each, at) => ({
    id: each,
    label: byId.get(each)?.label ?? '',
    from: before.get(each) ?? 0,
    to: first + at,
  }));
  return { total: order.length, moved: places.filter(({ from, to }) => from !== to) };
}

const Row = z.strictObject({
  id: column.int,
  label: column.text,
  title: column.maybeText,
  display_string: column.maybeText,
  identifier: column.maybeText,
  begin: column.maybeText,
  end: column.maybeText,
});
type Row = z.infer<typeof Row>;

const readSortable = (tx: Transaction, node: Kind, ids: readonly number[]): Promise<readonly Row[]> =>
  tx.any(sql.type(Row)`
  SELECT r.id, r.label, r.body->>'title' AS title, r.label AS display_string, coalesce(r.body->>'component_id', r.body->>'identifier') AS identifier,
    (SELECT min((d->>'begin') COLLATE "C") FROM json_array_elements(r.body->'dates') d) AS "begin",
    (SELECT max(coalesce(d->>'end', d->>'begin') COLLATE "C") FROM json_array_elements(r.body->'dates') d) AS "end"
  FROM record r WHERE r.kind = ${node.name} AND r.id = ANY(${sql.array([...ids], 'int4')})`);

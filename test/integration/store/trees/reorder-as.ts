// A new order of a list as sorting writes one, with what others do between its steps.
import { z } from 'zod';
import type { Tree } from '#domain/tree/tree.ts';
import { column } from '#store/connection/columns.ts';
import type { Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { inList } from '#store/trees/conditions.ts';
import { latestShift, reorder } from '#store/trees/reorder.ts';

/** What happens when the list has been read, and when the tree is about to be taken. */
export type Between = { readonly beforeWriting?: () => Promise<void>; readonly beforeTree?: () => Promise<void> };

const PlacedRow = z.strictObject({ id: column.int, bucket: column.int, ord: column.int });

/** Reads a list and puts it in this order. */
export async function reorderAs(
  tx: Transaction,
  tree: Tree,
  parentId: number | null,
  order: readonly number[],
  { beforeWriting, beforeTree }: Between = {},
): Promise<void> {
  const latest = await latestShift(tx, tree, parentId);
  const places = await tx.any(sql.type(PlacedRow)`
    SELECT t.id, t.bucket, t.ord FROM tree_bucket b JOIN tree_node t ON ${inList('t', tree, parentId)} AND t.bucket = b.bucket
    WHERE ${inList('b', tree, parentId)} ORDER BY b.key, t.ord`);
  await beforeWriting?.();
  await reorder(tx, tree, { parentId, places, order, latest }, async () => beforeTree?.());
}

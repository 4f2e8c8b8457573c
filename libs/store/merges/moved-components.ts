// The trees of merged roots: what lies directly under a root that goes comes to the end of the survivor's tree, with all below it.
import { kindNamed } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import type { MergeRecords } from '#domain/merges/merges.ts';
import type { RecordAddress } from '#domain/uri.ts';
import { nodeKindOf } from '#domain/tree/node-kinds.ts';
import type { Transaction } from '../connection/database.ts';
import { keepRevisions } from '../records/history/revision.ts';
import { holdRecords } from '../records/writing/lock-order.ts';
import { treeUnder } from '../records/writing/tree-place.ts';
import { sql } from '../connection/sql.ts';
import { deleteEmptyTree } from '../trees/delete.ts';
import { childrenIds } from '../trees/read.ts';
import { lockTree } from '../trees/root.ts';
import { moveAndTouch } from '../records/writing/move-to-root.ts';
import { uriOfRecord } from './check.ts';

/** The kind of nodes below the records of a merge, or null where they are no roots. */
export const nodesOf = ({ kind }: RecordAddress): Kind | null => nodeKindOf(kindNamed(kind));

/**
 * Appends the trees of the records that go, in order, and deletes them; keeps what was directly under each. `beforeTrees` is awaited when the first of them are about to be taken. Fails with
 * `not_unique` where an id of a node is taken.
 */
export async function adoptTrees(
  tx: Transaction,
  mergeId: number,
  { survivor, gone }: MergeRecords,
  actor: string | null,
  beforeTrees: () => Promise<void>,
): Promise<void> {
  const node = nodesOf(survivor);
  const repoId = survivor.repoId;
  if (node === null || repoId === null) return;
  // One after the other, as their order is that of the request.
  await gone.reduce<Promise<void>>(
    (before, one) =>
      before.then(() => adoptTree(tx, node, repoId, { from: one, to: survivor, mergeId }, actor, beforeTrees)),
    Promise.resolve(),
  );
}

async function adoptTree(
  tx: Transaction,
  node: Kind,
  repoId: number,
  { from, to, mergeId }: { readonly from: RecordAddress; readonly to: RecordAddress; readonly mergeId: number },
  actor: string | null,
  beforeTrees: () => Promise<void>,
): Promise<void> {
  const tree = treeUnder(node, repoId, from.id);
  const nodes: number[] = [];
  do {
    const top = await childrenIds(tx, tree, null);
    nodes.push(...top);
    const keep = async (): Promise<void> => {
      await tx.run(
        sql`UPDATE merge_gone SET nodes = ${sql.array(nodes, 'int4')} WHERE merge_id = ${mergeId} AND kind = ${from.kind} AND id = ${from.id}`,
      );
      await beforeTrees();
    };
    if (top.length > 0) await moveTop(tx, node, repoId, { from, to, top }, actor, keep);
    else {
      await keep();
      await lockTree(tx, tree);
    }
    // The tree is held from here on: what was moved up to the top before that is found by the next look, and nothing after it.
  } while (!(await deleteEmptyTree(tx, tree)));
}

/** Moves nodes from directly under one root to the end of another, with their keys, and re-dates all below them. */
async function moveTop(
  tx: Transaction,
  node: Kind,
  repoId: number,
  { from, to, top }: { readonly from: RecordAddress; readonly to: RecordAddress; readonly top: readonly number[] },
  actor: string | null,
  beforeTrees: () => Promise<void> = async () => undefined,
): Promise<void> {
  if (top.length === 0) return;
  const [source, target] = [treeUnder(node, repoId, from.id), treeUnder(node, repoId, to.id)];
  await moveAndTouch(tx, node, source, target, { top, rootUri: uriOfRecord(to) }, actor, beforeTrees);
}

/**
 * The same for the way back, where the versions of the nodes rise, as that of a transferred component does: who read one while the other root had it, and saves it now, would
 * take it there again with all below it. (After a merge such a save names a root that is gone, and is refused.)
 */
export async function moveTopBack(
  tx: Transaction,
  node: Kind,
  repoId: number,
  way: { readonly from: RecordAddress; readonly to: RecordAddress; readonly top: readonly number[] },
  actor: string | null,
): Promise<void> {
  const tops = sql.fragment`unnest(${sql.array([...way.top], 'int4')}) AS u (id)`;
  await holdRecords(tx, sql.fragment`SELECT ${node.name}::text AS kind, u.id FROM ${tops}`, 'writes');
  await tx.run(
    sql`${keepRevisions(sql.fragment`${tops} JOIN record r ON r.kind = ${node.name} AND r.id = u.id`, 'update', actor)}`,
  );
  await tx.run(
    sql`UPDATE record r SET lock_version = r.lock_version + 1, user_mtime = now(), last_modified_by = ${actor} FROM ${tops} WHERE r.kind = ${node.name} AND r.id = u.id`,
  );
  await moveTop(tx, node, repoId, way, actor);
}

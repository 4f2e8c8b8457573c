// The trees of merged roots: what lies directly under a root that goes comes to the end of the survivor's tree, with all below it.
import { kindNamed } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import type { MergeRecords } from '#domain/merges/merges.ts';
import type { RecordAddress } from '#domain/uri.ts';
import { nodeKindOf } from '#domain/tree/node-kinds.ts';
import type { Tree } from '#domain/tree/tree.ts';
import type { Transaction } from '../connection/database.ts';
import { keepRevisions } from '../records/history/revision.ts';
import { holdRecords } from '../records/writing/lock-order.ts';
import { treeUnder } from '../records/writing/tree-place.ts';
import { sql } from '../connection/sql.ts';
import { deleteEmptyTree } from '../trees/delete.ts';
import { childrenIds } from '../trees/read.ts';
import { createRoot, lockTree } from '../trees/root.ts';
import type { PreparedMove } from '../records/writing/move-to-root.ts';
import { prepareMove } from '../records/writing/move-to-root.ts';
import { uriOfRecord } from './check.ts';

/** The kind of nodes below the records of a merge, or null where they are no roots. */
export const nodesOf = ({ kind }: RecordAddress): Kind | null => nodeKindOf(kindNamed(kind));

/**
 * Prepares that the trees of the records that go are appended, in order, and deleted, and keeps what was directly under each; gives what is left to do, for which the trees are taken. Fails with
 * `not_unique` where an id of a node is taken.
 */
export async function prepareTrees(
  tx: Transaction,
  mergeId: number,
  { survivor, gone }: MergeRecords,
  actor: string | null,
): Promise<() => Promise<void>> {
  const node = nodesOf(survivor);
  const repoId = survivor.repoId;
  if (node === null || repoId === null) return async () => undefined;
  const target = treeUnder(node, repoId, survivor.id);
  const prepare = async (tree: Tree): Promise<PreparedMove> => {
    const top = await childrenIds(tx, tree, null);
    if (top.length === 0) {
      const place = async (): Promise<boolean> =>
        (await tx.together(() => [lockTree(tx, tree), deleteEmptyTree(tx, tree)]))[1];
      return { top, place };
    }
    return prepareMove(tx, node, tree, target, { top, rootUri: uriOfRecord(survivor), isAll: true }, actor);
  };
  const keep = (one: RecordAddress, top: readonly number[]): Promise<unknown> =>
    tx.run(
      sql`UPDATE merge_gone SET nodes = nodes || ${sql.array([...top], 'int4')} WHERE merge_id = ${mergeId} AND kind = ${one.kind} AND id = ${one.id}`,
    );
  // One after the other, as their order is that of the request; the trees of all of them are taken when nothing else is left to do.
  const adopted: { readonly one: RecordAddress; readonly tree: Tree; readonly move: PreparedMove }[] = [];
  for (const one of gone) {
    const tree = treeUnder(node, repoId, one.id);
    const move = await prepare(tree);
    await keep(one, move.top);
    adopted.push({ one, tree, move });
  }
  return async () => {
    for (const { one, tree, move } of adopted) {
      let isGone = await move.place();
      // The tree is held from here on: what was moved up to the top before that is found by the next look, and nothing after it.
      while (!isGone) {
        const late = await prepare(tree);
        await keep(one, late.top);
        isGone = await late.place();
      }
    }
  };
}

/** Makes the trees of records that are back, and prepares the moves of what lay directly under each from the record that stayed; the trees are taken when they are placed. */
export async function prepareTreesBack(
  tx: Transaction,
  survivor: RecordAddress,
  back: readonly (Pick<RecordAddress, 'kind' | 'id'> & { readonly nodes: readonly number[] })[],
  actor: string | null,
): Promise<readonly PreparedMove[]> {
  const node = nodesOf(survivor);
  const repoId = survivor.repoId;
  if (node === null || repoId === null) return [];
  const source = treeUnder(node, repoId, survivor.id);
  const moves: PreparedMove[] = [];
  for (const { kind, id, nodes } of back) {
    const target = treeUnder(node, repoId, id);
    await createRoot(tx, target, true);
    if (nodes.length === 0) continue;
    await raiseVersions(tx, node, nodes, actor);
    const rootUri = uriOfRecord({ kind, id, repoId });
    moves.push(await prepareMove(tx, node, source, target, { top: nodes, rootUri }, actor));
  }
  return moves;
}

/**
 * The versions of nodes that go back rise, as that of a transferred component does: who read one while the other root had it, and saves it now, would take it there again with all below it. (After a merge such
 * a save names a root that is gone, and is refused.)
 */
async function raiseVersions(tx: Transaction, node: Kind, ids: readonly number[], actor: string | null): Promise<void> {
  const nodes = sql.fragment`unnest(${sql.array([...ids], 'int4')}) AS u (id)`;
  await holdRecords(tx, sql.fragment`SELECT ${node.name}::text AS kind, u.id FROM ${nodes}`, 'writes');
  await tx.run(
    sql`${keepRevisions(sql.fragment`${nodes} JOIN record r ON r.kind = ${node.name} AND r.id = u.id`, 'update', actor)}`,
  );
  await tx.run(
    sql`UPDATE record r SET lock_version = r.lock_version + 1, user_mtime = now(), last_modified_by = ${actor} FROM ${nodes} WHERE r.kind = ${node.name} AND r.id = u.id`,
  );
}

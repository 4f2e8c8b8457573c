// The place of records in trees, as record writes need it: new roots and nodes, updates that move, subtrees that go.
// The structure itself is libs/store/trees; this maps uris and bodies onto it.
import { kindNamed, parseUri, uriOf } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import { fail } from '#domain/errors.ts';
import { nodeKindOf } from '#domain/tree/node-kinds.ts';
import type { Tree } from '#domain/tree/tree.ts';
import { nodeOf, treeOf } from '#domain/tree/tree.ts';
import type { Transaction } from '../../connection/database.ts';
import { IdRow, column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { carryBelow, nothingCarried } from '../../trees/carry.ts';
import { inScope } from '../../trees/conditions.ts';
import { createRoot, insertPlacedNodes } from '../../trees/insert.ts';
import { moveNodes } from '../../trees/move.ts';
import { positionsOf } from '../../trees/read.ts';
import { isEarlierPosition } from '../../trees/shifts.ts';
import { moveToRoot } from '../../trees/transfer.ts';
import { NodeFlags, describeNode } from '../../trees/visibility.ts';
import type { Stored } from '#domain/checking/split.ts';
import { rescopeKeys } from './unique-keys.ts';

type NodePlace = { readonly tree: Tree; readonly rootUri: string; readonly parentId: number | null };

/** The tree of a node kind under a root of this id. */
export const treeUnder = (node: Kind, repoId: number, rootId: number): Tree =>
  treeOf(node, kindNamed(node.tree?.root ?? ''), repoId, rootId);

function nodePlace(kind: Kind, stored: Stored, repoId: number): NodePlace {
  const rootUri = stored.place?.root ?? null;
  const root = rootUri === null ? null : parseUri(rootUri);
  if (rootUri === null || root === null || root.kind !== kind.tree?.root)
    throw fail('invalid_record', { [nodeOf(kind).rootProperty]: ['Property is required but was missing'] });
  if (root.repoId !== repoId)
    throw fail('unknown_reference', `Invalid URI reference for this (${repoId}) repo: '${rootUri}'`);
  const parentUri = stored.place?.parent ?? null;
  const parent = parentUri === null ? null : parseUri(parentUri);
  if (parent !== null && parent.repoId !== repoId)
    throw fail('unknown_reference', `Invalid URI reference for this (${repoId}) repo: '${parentUri}'`);
  return { tree: treeUnder(kind, repoId, root.id), rootUri, parentId: parent?.id ?? null };
}

async function checkRoot(tx: Transaction, kind: Kind, place: NodePlace): Promise<void> {
  const row = await tx.maybeOne(sql.type(IdRow)`SELECT id FROM record
    WHERE kind = ${kind.tree?.root ?? ''} AND id = ${place.tree.rootId} AND repo_id = ${place.tree.repoId} FOR KEY SHARE`);
  if (row === null) throw fail('unknown_reference', `Can't relate to non-existent record: ${place.rootUri}`);
}

/** A new record with the id that it has got. */
export type NumberedRecord = { readonly id: number; readonly stored: Stored };

/** Gives a new record, or one that comes back, its place: a root its tree, a node its parent and position. Nothing for other kinds. */
export async function placeNew(
  tx: Transaction,
  kind: Kind,
  repoId: number | null,
  record: NumberedRecord,
  isBack: boolean,
): Promise<void> {
  const nodes = nodeKindOf(kind);
  if (nodes !== null && repoId !== null) await createRoot(tx, treeOf(nodes, kind, repoId, record.id), isBack);
  await placeNewNodes(tx, kind, repoId, [record]);
}

/** Gives new nodes of one parent their places, each at its own position or at the end, in order (contract trees 1.15). Nothing for other kinds. */
export async function placeNewNodes(
  tx: Transaction,
  kind: Kind,
  repoId: number | null,
  records: readonly NumberedRecord[],
): Promise<void> {
  const [first] = records;
  if (kind.tree === undefined || repoId === null || first === undefined) return;
  const { level } = kind.tree;
  const place = nodePlace(kind, first.stored, repoId);
  const nodes = records.map(({ id, stored }) => ({
    id,
    visible: stored.publish !== false,
    level: level?.(stored.body) ?? null,
    position: stored.place?.position ?? null,
  }));
  await tx.together(() => [checkRoot(tx, kind, place), insertPlacedNodes(tx, place.tree, place.parentId, nodes)]);
}

const SeenRow = NodeFlags.extend({ root_id: column.int, parent_id: column.maybeInt });

/** Where a node is before it is placed, with its flags; `rank` where it was asked for. */
export type SeenPlace = {
  readonly tree: Tree;
  readonly parentId: number | null;
  readonly flags: NodeFlags;
  readonly rank: number | undefined;
};

/** Where an updated node, whose record is held, is now; null for kinds without a tree. One turn. */
export async function seePlace(
  tx: Transaction,
  kind: Kind,
  id: number,
  repoId: number | null,
  asksRank: boolean,
): Promise<SeenPlace | null> {
  if (kind.tree === undefined || repoId === null) return null;
  const scope = { repoId, code: kind.tree.code };
  const [{ root_id: rootId, parent_id: parentId, ...flags }, ranks] = await tx.together(() => [
    tx.one(
      sql.type(
        SeenRow,
      )`SELECT t.root_id, t.parent_id, t.visible, t.level FROM tree_node t WHERE ${inScope('t', scope)} AND t.id = ${id}`,
    ),
    asksRank ? positionsOf(tx, scope, [id]) : undefined,
  ]);
  return { tree: treeUnder(kind, repoId, rootId), parentId, flags, rank: ranks?.get(id) };
}

/**
 * Moves an updated node where its body asks for it (contract trees 1.10): another root takes it with its subtree; under the same
 * root only `position` counts, and `parent` is ignored. A position that the node had since `savedAt`, when the version was made that is
 * saved now, is one that the client read and sends back: it moves nothing (contract 7.2). Without `savedAt` any position is asked for.
 * Gives the place it is in then.
 */
export async function placeUpdated(
  tx: Transaction,
  kind: Kind,
  id: number,
  stored: Stored,
  { tree, parentId: formerParent, flags, rank }: SeenPlace,
  savedAt: string | null,
): Promise<{ readonly root: string; readonly parent: string | null }> {
  const { repoId } = tree;
  const place = nodePlace(kind, stored, repoId);
  const isElsewhere = tree.rootId !== place.tree.rootId;
  const rescope = (ids: readonly number[]): Promise<void> =>
    rescopeKeys(tx, kind, ids, 'root', { root: place.rootUri, parent: null });
  if (isElsewhere) await checkRoot(tx, kind, place);
  // Before a tree is taken: who works in other parts of the two is not held up by the size of the subtree (decision 0037).
  const carried = isElsewhere ? await carryBelow(tx, tree, place.tree, [id]) : nothingCarried;
  if (isElsewhere) await rescope([id, ...carried.ids]);
  const described = { id, visible: stored.publish !== false, level: kind.tree?.level?.(stored.body) ?? null };
  await describeNode(tx, tree, described, flags);
  const position = stored.place?.position ?? null;
  if (isElsewhere) {
    const { late } = await moveToRoot(tx, tree, place.tree, [id], place.parentId, { carried });
    if (late.length > 0) await rescope(late);
  } else if (
    position !== null &&
    (savedAt === null || !(await isEarlierPosition(tx, tree, { id, parentId: formerParent, position, rank, savedAt })))
  ) {
    await moveNodes(tx, tree, { parentId: formerParent, position, ids: [id] });
  }
  const parentId = isElsewhere ? place.parentId : formerParent;
  return { root: place.rootUri, parent: parentId === null ? null : uriOf(kind, parentId, repoId) };
}

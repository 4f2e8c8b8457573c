// The places of records that are deleted: of all that is below them before their trees are taken, and of themselves when they are (decision 0037).
import type { Kind } from '#domain/kind.ts';
import type { Tree } from '#domain/tree/tree.ts';
import type { Transaction } from '../../connection/database.ts';
import type { Emptied } from '../../trees/delete.ts';
import { deleteBelow, deleteRoot, deleteSubtree } from '../../trees/delete.ts';
import { redateRecords } from '../writing/redate.ts';
import type { IdsOfKind, PartOfTree } from '../visibility/reach.ts';
import { addIds, groupsOf, treesOf } from '../visibility/reach.ts';

/** A record to be deleted. */
export type Target = { readonly kind: Kind; readonly id: number };

/** What was deleted below nodes: by tree, and the records of it by kind. */
export type EmptiedTrees = { readonly byTree: ReadonlyMap<string, Emptied>; readonly gone: readonly IdsOfKind[] };

/** Re-dates the roots that stay while records of their trees are deleted, before these trees are taken; gives them. */
export async function redateLosing(
  tx: Transaction,
  wanted: readonly Target[],
  repoId: number | null,
  actor: string | null,
): Promise<readonly IdsOfKind[]> {
  const roots = rootsLosing(await treesOf(tx, wanted, repoId));
  for (const group of roots) await redateRecords(tx, group, actor);
  return roots;
}

function rootsLosing(trees: readonly PartOfTree[]): readonly IdsOfKind[] {
  const idsOf = new Map<string, Set<number>>();
  for (const { node, tree, ids } of trees) if (ids !== null) addIds(idsOf, node.tree?.root ?? '', [tree.rootId]);
  return groupsOf(idsOf);
}

/** Deletes the places of all that is below nodes. Trees of roots that go are left to takeFromTrees. */
export async function emptyTrees(
  tx: Transaction,
  wanted: readonly Target[],
  repoId: number | null,
): Promise<EmptiedTrees> {
  const byTree = new Map<string, Emptied>();
  const idsOf = new Map<string, Set<number>>();
  for (const { node, tree, ids } of await treesOf(tx, wanted, repoId)) {
    if (ids === null) continue;
    const emptied = await deleteBelow(tx, tree, ids);
    byTree.set(nameOf(tree), emptied);
    if (emptied.ids.length > 0) addIds(idsOf, node.name, emptied.ids);
  }
  return { byTree, gone: groupsOf(idsOf) };
}

const nameOf = ({ code, rootId }: Tree): string => `${code} ${rootId}`;

/**
 * Takes the records out of their trees; `emptied`: what emptyTrees gave. Gives them with all that was below and was not deleted before, by kind, and the roots that
 * stay and lost something.
 */
export async function takeFromTrees(
  tx: Transaction,
  wanted: readonly Target[],
  repoId: number | null,
  emptied?: EmptiedTrees,
): Promise<{ readonly doomed: readonly IdsOfKind[]; readonly roots: readonly IdsOfKind[] }> {
  const idsOf = new Map<string, Set<number>>();
  for (const { kind, id } of wanted) addIds(idsOf, kind.name, [id]);
  const trees = await treesOf(tx, wanted, repoId);
  for (const { node, tree, ids } of trees) {
    // Trees one after the other, in one order: each has a lock of its own.
    const gone =
      ids === null
        ? await deleteRoot(tx, tree)
        : await deleteSubtree(tx, tree, ids, { emptied: emptied?.byTree.get(nameOf(tree)) });
    addIds(idsOf, node.name, gone);
  }
  return { doomed: groupsOf(idsOf), roots: rootsLosing(trees) };
}

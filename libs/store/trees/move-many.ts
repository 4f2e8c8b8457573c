// Many nodes to another place of their tree: their rows are laid in new buckets before the tree is taken, and with the tree taken these buckets are put into the list (decision 0037). What fits into a bucket needs none of
// this (moveNodes).
import { treeLimits } from '#domain/tree/limits.ts';
import type { TreeLimits } from '#domain/tree/limits.ts';
import type { Tree } from '#domain/tree/tree.ts';
import type { Transaction } from '../connection/database.ts';
import { tellByItself } from '../search/hiding.ts';
import { discountLeft } from './discount.ts';
import type { Move } from './move.ts';
import { lookAbove, lookAt, moveNodes, planRun } from './move.ts';
import { requireParent } from './insert.ts';
import { ListChanged } from './reorder.ts';
import { lockTree, treeVersion } from './root.ts';
import { leavePlaces, noteLeft } from './shifts.ts';
import { layNodes, spliceLaid } from './splice-laid.ts';
import { tidy } from './tidy.ts';

/** What is left of a move when its nodes are laid: takes the tree. */
type PlaceMoved = () => Promise<void>;

/**
 * Does of a move what takes time, without taking the tree; what it gives has to follow in the same transaction. Both fail as moveNodes does, and with ListChanged where somebody changed what the first part saw: then all is to be taken back, and
 * done again. Who holds the tree and meets one of the nodes meanwhile gives up after a quarter of a second (decision 0020).
 */
export async function layMove(
  tx: Transaction,
  tree: Tree,
  move: Move,
  limits: TreeLimits = treeLimits,
): Promise<PlaceMoved> {
  const { parentId } = move;
  const ids = [...new Set(move.ids)];
  const inOneGo: PlaceMoved = () => moveNodes(tx, tree, move, limits).then(() => undefined);
  if (ids.length <= limits.max) return inOneGo;
  const version = (await treeVersion(tx, tree)) ?? 0;
  const { movers, isHiding, isQuiet } = await lookAt(tx, tree, ids, parentId);
  const run = await planRun(tx, tree, move, ids, movers);
  if (run === null) return inOneGo;
  const all = run.arrivals.map(({ id }) => id);
  const left = await leavePlaces(tx, tree, tree.rootId, all);
  if (left.length < all.length) throw new ListChanged();
  if (isQuiet) await tellByItself(tx, true);
  const buckets = await layNodes(tx, tree, parentId, all, left, limits);
  if (isQuiet) await tellByItself(tx, false);
  const noted = await noteLeft(tx, tree, tree.rootId, version);
  return async () => {
    // The nodes themselves nobody can have moved.
    const [, , isHidingNow, small] = await tx.together(() => [
      lockTree(tx, tree),
      requireParent(tx, tree, parentId),
      lookAbove(tx, tree, ids, parentId),
      discountLeft(tx, tree, tree.rootId, noted, limits),
      spliceLaid(tx, tree, { parentId, rank: run.rank, ids: all, buckets }, limits),
    ]);
    // Who shows or hides what is above holds the tree, and did not see them there; and their former ranks are those of before.
    if (isHidingNow !== isHiding || small === null) throw new ListChanged();
    await tidy(tx, tree, small, limits);
  };
}

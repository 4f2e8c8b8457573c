// Components with all that is below them to the end of another root, with their keys and dates: what component transfers, merges of roots and
// their undoing share.
import type { Kind } from '#domain/kind.ts';
import { treeLimits } from '#domain/tree/limits.ts';
import type { Tree } from '#domain/tree/tree.ts';
import type { Transaction } from '../../connection/database.ts';
import { sql } from '../../connection/sql.ts';
import { subtreeIds } from '../../trees/read.ts';
import { carryBelow } from '../../trees/carry.ts';
import { carryTop, placeTop } from '../../trees/carry-top.ts';
import { moveToRoot } from '../../trees/transfer.ts';
import { touchIn } from './touch.ts';
import { rescopeKeys } from './unique-keys.ts';

/** What is to be moved, and to which record of what uri. `isAll`: the nodes are all that lies directly under the root, and so is what came there since; the tree is deleted where nothing is left in it. */
type WhatMoves = { readonly top: readonly number[]; readonly rootUri: string; readonly isAll?: boolean };

/** A move whose trees are still to be taken: its nodes, and what is left to do then, which gives whether the former tree is gone. */
export type PreparedMove = { readonly top: readonly number[]; readonly place: () => Promise<boolean> };

/**
 * Moves nodes from one tree to the end of another (moveToRoot, and fails as that does), gives their keys the scope of the new root (`not_unique` where that has one) and re-dates
 * all that moved. The records are re-dated before the trees are taken, as a save takes its record first, and the trees are held for their own rows alone; what was
 * put below the nodes meanwhile is re-dated behind. `beforeTrees` is awaited when the trees are about to be taken: what else the transaction has to write.
 */
export async function moveAndTouch(
  tx: Transaction,
  node: Kind,
  from: Tree,
  to: Tree,
  what: WhatMoves,
  actor: string | null,
  beforeTrees: () => Promise<void>,
): Promise<void> {
  const { place } = await prepareMove(tx, node, from, to, what, actor);
  await beforeTrees();
  await place();
}

/** The same in two parts, for those that move from several trees: none of these is taken before all moves are prepared. */
export async function prepareMove(
  tx: Transaction,
  node: Kind,
  from: Tree,
  to: Tree,
  { top, rootUri, isAll = false }: WhatMoves,
  actor: string | null,
): Promise<PreparedMove> {
  const touch = (ids: readonly number[]): Promise<void> =>
    touchIn(
      tx,
      sql.fragment`SELECT ${node.name}::text AS kind, u.id FROM unnest(${sql.array(
        [...ids].sort((a, b) => a - b),
        'int4',
      )}) AS u (id)`,
      actor,
    );
  // To another place of the same tree all below stays as it was.
  if (from.rootId === to.rootId) {
    await touch(top);
    return { top, place: () => moveToRoot(tx, from, to, top).then(({ isGone }) => isGone) };
  }
  const rescope = (ids: readonly number[]): Promise<void> =>
    rescopeKeys(tx, node, ids, 'root', { root: rootUri, parent: null });
  const known = await subtreeIds(tx, from, top);
  await touch(known);
  // What does not fit into a bucket would be laid row by row with the trees held.
  const laid = top.length > treeLimits.max ? await carryTop(tx, from, to, isAll ? null : top) : null;
  const carried = laid ?? (await carryBelow(tx, from, to, top));
  const moving = laid?.top ?? top;
  const touched = new Set(known);
  const untouched = (ids: readonly number[]): readonly number[] => ids.filter((id) => !touched.has(id));
  // What came between the first look and the carrying.
  await ifAny(untouched([...moving, ...carried.ids]), touch);
  await rescope([...moving, ...carried.ids]);
  const place = async (): Promise<boolean> => {
    const { late, isGone } =
      laid === null
        ? await moveToRoot(tx, from, to, top, null, { carried, isEmptied: isAll })
        : await placeTop(tx, from, to, laid, { isEmptied: isAll });
    // It is in its old scope as well.
    await ifAny(late, rescope);
    await ifAny(untouched(late), touch);
    return isGone;
  };
  return { top: moving, place };
}

async function ifAny(ids: readonly number[], work: (ids: readonly number[]) => Promise<void>): Promise<void> {
  if (ids.length > 0) await work(ids);
}

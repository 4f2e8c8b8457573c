// Components with all that is below them to the end of another root, with their keys and dates: what component transfers, merges of roots and
// their undoing share.
import type { Kind } from '#domain/kind.ts';
import type { Tree } from '#domain/tree/tree.ts';
import type { Transaction } from '../../connection/database.ts';
import { sql } from '../../connection/sql.ts';
import { subtreeIds } from '../../trees/read.ts';
import { carryBelow, moveToRoot } from '../../trees/transfer.ts';
import { touchIn } from './touch.ts';
import { rescopeKeys } from './unique-keys.ts';

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
  { top, rootUri }: { readonly top: readonly number[]; readonly rootUri: string },
  actor: string | null,
  beforeTrees: () => Promise<void>,
): Promise<void> {
  const touch = (ids: readonly number[]): Promise<void> =>
    touchIn(
      tx,
      sql.fragment`SELECT ${node.name}::text AS kind, u.id FROM unnest(${sql.array(
        [...ids].sort((a, b) => a - b),
        'int4',
      )}) AS u (id)`,
      actor,
    );
  const rescope = (ids: readonly number[]): Promise<void> =>
    rescopeKeys(tx, node, ids, 'root', { root: rootUri, parent: null });
  // To another place of the same tree all below stays as it was.
  if (from.rootId === to.rootId) {
    await touch(top);
    await beforeTrees();
    await moveToRoot(tx, from, to, top);
    return;
  }
  const known = await subtreeIds(tx, from, top);
  await touch(known);
  const carried = await carryBelow(tx, from, to, top);
  const [touched, tops] = [new Set(known), new Set(top)];
  // What came between the first look and the carrying.
  await ifAny(
    carried.ids.filter((id) => !touched.has(id)),
    touch,
  );
  await rescope([...top, ...carried.ids]);
  await beforeTrees();
  const moved = await moveToRoot(tx, from, to, top, null, { carried });
  // What came behind that is in its old scope as well.
  const late = moved.filter((id) => !tops.has(id));
  await ifAny(late, rescope);
  await ifAny(
    late.filter((id) => !touched.has(id)),
    touch,
  );
}

async function ifAny(ids: readonly number[], work: (ids: readonly number[]) => Promise<void>): Promise<void> {
  if (ids.length > 0) await work(ids);
}

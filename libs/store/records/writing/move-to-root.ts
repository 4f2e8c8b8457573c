// Components with all that is below them to the end of another root, with their keys and dates: what component transfers, merges of roots and
// their undoing share.
import type { Kind } from '#domain/kind.ts';
import type { Tree } from '#domain/tree/tree.ts';
import type { Transaction } from '../../connection/database.ts';
import { sql } from '../../connection/sql.ts';
import { subtreeIds } from '../../trees/read.ts';
import { moveToRoot } from '../../trees/transfer.ts';
import { touchIn } from './touch.ts';
import { rescopeKeys } from './unique-keys.ts';

/**
 * Moves nodes from one tree to the end of another (moveToRoot, and fails as that does), gives their keys the scope of the new root (`not_unique` where that has one) and re-dates
 * all that moved; gives their ids. The records are re-dated before the trees are taken, as a save takes its record first, and the trees are held for their own rows alone; what was
 * put below the nodes meanwhile is re-dated behind.
 */
export async function moveAndTouch(
  tx: Transaction,
  node: Kind,
  from: Tree,
  to: Tree,
  { top, rootUri }: { readonly top: readonly number[]; readonly rootUri: string },
  actor: string | null,
): Promise<readonly number[]> {
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
  const known = from.rootId === to.rootId ? top : await subtreeIds(tx, from, top);
  await touch(known);
  const moved = await moveToRoot(tx, from, to, top);
  const before = new Set(known);
  const since = moved.filter((id) => !before.has(id));
  if (since.length > 0) await touch(since);
  await rescopeKeys(tx, node, moved, 'root', { root: rootUri, parent: null });
  return moved;
}

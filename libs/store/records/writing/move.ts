// A move of nodes as a write: the tree changes, the moved records are re-dated and logged, their lock_version stays (contract trees 1.1).
import { kindNamed, uriOf } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import { appendFrom } from '../../change-log/append.ts';
import type { Transaction } from '../../connection/database.ts';
import { sql } from '../../connection/sql.ts';
import type { Move } from '../../trees/move.ts';
import { isMove } from '../../trees/move.ts';
import { layMove } from '../../trees/move-many.ts';
import { treeUnder } from './tree-place.ts';
import { rescopeKeys } from './unique-keys.ts';

/**
 * Moves nodes under a parent of the same root. Gives how many may have changed their place. All is written but for their places, and of many (layMove) these too, before the tree is taken, which is held from then on to the end of the
 * transaction; `beforeTree`, called with what is given, is awaited before that. Fails as moveNodes does, and so that it is to be done again where others changed what it saw (isChangedMeanwhile).
 */
export async function moveRecords(
  tx: Transaction,
  node: Kind,
  repoId: number,
  rootId: number,
  move: Move,
  actor: string | null,
  beforeTree: (moved: number) => Promise<void> = async () => undefined,
): Promise<number> {
  const tree = treeUnder(node, repoId, rootId);
  if (!(await isMove(tx, tree, move))) {
    await beforeTree(0);
    return 0;
  }
  const ids = [...new Set(move.ids)].sort((a, b) => a - b);
  const root = uriOf(kindNamed(node.tree?.root ?? ''), rootId, repoId);
  // The records before their keys, as a save takes them.
  await redateMoved(tx, node, ids, actor);
  await rescopeKeys(tx, node, ids, 'siblings', {
    root,
    parent: move.parentId === null ? null : uriOf(node, move.parentId, repoId),
  });
  const place = await layMove(tx, tree, move);
  await beforeTree(ids.length);
  await place();
  return ids.length;
}

/** Re-dates nodes that have another place now, and logs them as updated with the lock_version that they keep. */
export async function redateMoved(
  tx: Transaction,
  node: Kind,
  ids: readonly number[],
  actor: string | null,
): Promise<void> {
  await tx.run(sql`
    WITH held AS (SELECT r.id FROM unnest(${sql.array([...ids], 'int4')}) AS u (id) JOIN record r ON r.kind = ${node.name} AND r.id = u.id ORDER BY r.id FOR NO KEY UPDATE OF r),
    written AS (
      UPDATE record r SET system_mtime = now() FROM held
      WHERE r.kind = ${node.name} AND r.id = held.id RETURNING r.kind, r.id, r.repo_id, r.lock_version
    ) ${appendFrom('written', 'update', actor)}`);
  tx.changed();
}

// A move of nodes as a write: the tree changes, the moved records are re-dated and logged, their lock_version stays (contract trees 1.1).
import { kindNamed, uriOf } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import { appendFrom } from '../../change-log/append.ts';
import type { Transaction } from '../../connection/database.ts';
import { sql } from '../../connection/sql.ts';
import type { Move } from '../../trees/move.ts';
import { moveNodes } from '../../trees/move.ts';
import { treeUnder } from './tree-place.ts';
import { rescopeKeys } from './unique-keys.ts';

/** Moves nodes under a parent of the same root. Gives how many may have changed their place. Fails as moveNodes does. */
export async function moveRecords(
  tx: Transaction,
  node: Kind,
  repoId: number,
  rootId: number,
  move: Move,
  actor: string | null,
): Promise<number> {
  const moved = await moveNodes(tx, treeUnder(node, repoId, rootId), move);
  if (moved.length === 0) return 0;
  const root = uriOf(kindNamed(node.tree?.root ?? ''), rootId, repoId);
  await rescopeKeys(tx, node, move.ids, 'siblings', {
    root,
    parent: move.parentId === null ? null : uriOf(node, move.parentId, repoId),
  });
  await redateMoved(tx, node, moved, actor);
  return moved.length;
}

/** Re-dates nodes that have another place now, and logs them as updated with the lock_version that they keep. */
export async function redateMoved(
  tx: Transaction,
  node: Kind,
  ids: readonly number[],
  actor: string | null,
): Promise<void> {
  await tx.run(sql`
    WITH written AS (
      UPDATE record r SET system_mtime = now() FROM unnest(${sql.array([...ids], 'int4')}) AS u (id)
      WHERE r.kind = ${node.name} AND r.id = u.id RETURNING r.kind, r.id, r.repo_id, r.lock_version
    ) ${appendFrom('written', 'update', actor)}`);
  tx.changed();
}

// Re-dating records of which something outside their bodies changed, so that lists by date and the index see it.
import type { Transaction } from '../database.ts';
import type { Fragment } from '../sql.ts';
import { sql } from '../sql.ts';

/** Sets `system_mtime` of the records of a SELECT of kind and id, and logs them as updated, a thousand to a row. One statement. */
export async function touchIn(tx: Transaction, which: Fragment, actor: string | null): Promise<void> {
  await tx.run(sql`
    WITH written AS (UPDATE record r SET system_mtime = now() FROM (${which}) AS w WHERE r.kind = w.kind AND r.id = w.id RETURNING r.kind, r.id, r.repo_id),
    numbered AS (SELECT kind, id, repo_id, (row_number() OVER (PARTITION BY kind, repo_id ORDER BY id) - 1) / 1000 AS part FROM written)
    INSERT INTO change (actor, kind, ids, repo_id, op) SELECT ${actor}, kind, array_agg(id ORDER BY id), repo_id, 'update' FROM numbered GROUP BY kind, repo_id, part`);
  tx.changed();
}

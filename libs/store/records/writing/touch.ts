// Re-dating records of which something outside their bodies changed, so that lists by date and the index see it.
import { appendManyFrom } from '../../change-log/append.ts';
import type { Transaction } from '../../connection/database.ts';
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';

/** Sets `system_mtime` of the records of a SELECT of kind and id, and logs them as updated. One statement. */
export async function touchIn(tx: Transaction, which: Fragment, actor: string | null): Promise<void> {
  await tx.run(sql`
    WITH written AS (UPDATE record r SET system_mtime = now() FROM (${which}) AS w WHERE r.kind = w.kind AND r.id = w.id RETURNING r.kind, r.id, r.repo_id)
    ${appendManyFrom('written', 'update', actor)}`);
  tx.changed();
}

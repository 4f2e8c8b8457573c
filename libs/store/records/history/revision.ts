// Keeping records as they are before something changes them: what their history is made of (history.ts).
import type { Transaction } from '../../connection/database.ts';
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';

/** What keeps the content before it without a new version: each is told in the history by its name. */
export type KeptFor = 'publish' | 'unpublish' | 'suppress' | 'unsuppress';

/**
 * A statement, or a part of one, that keeps the records of `source`: what follows FROM, with the record as `r`. Lock them in a statement before,
 * so that what is kept is what changes.
 */
export function keepRevisions(source: Fragment, op: KeptFor | 'update', actor: string | null): Fragment {
  return sql.fragment`INSERT INTO revision (kind, id, lock_version, repo_id, op, actor, label, publish, suppressed, last_modified_by, user_mtime, body)
    SELECT r.kind, r.id, r.lock_version, r.repo_id, ${op}, ${actor}, r.label, r.publish, r.suppressed, r.last_modified_by, r.user_mtime, r.body FROM ${source}`;
}

/** Keeps a record as it is, before something other than a save raises its version. Hold its row before. */
export async function keepVersion(tx: Transaction, kind: string, id: number, actor: string | null): Promise<void> {
  await tx.run(sql`${keepRevisions(sql.fragment`record r WHERE r.kind = ${kind} AND r.id = ${id}`, 'update', actor)}`);
}

// The bodies of records that hold refs to merged records: led to the survivor in SQL, one statement for all of them.
import type { MergeRecords } from '#domain/merges/merges.ts';
import { appendManyFrom } from '../change-log/append.ts';
import type { Transaction } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';
import { goneRows, uriOfRecord } from './check.ts';

/**
 * Rewrites the refs of all holders. Where one names the survivor already, or several that go, its body is kept for an undo, and of refs in one
 * role one stays. Versions stay: who has read a holder may save it (contract 4.3: the survivor's alone rises).
 */
export async function rewriteBodies(
  tx: Transaction,
  mergeId: number,
  { survivor, gone }: MergeRecords,
  actor: string | null,
): Promise<void> {
  const goneUris = sql.array(gone.map(uriOfRecord), 'text');
  await tx.run(sql`
    WITH holder AS MATERIALIZED (SELECT DISTINCT source_kind AS kind, source_id AS id FROM merge_link WHERE merge_id = ${mergeId} AND part = 'in' AND mutual IS NULL),
    named AS (
      SELECT h.kind, h.id, l.property, l.role, count(*) AS n FROM holder h JOIN link l ON l.source_kind = h.kind AND l.source_id = h.id AND l.mutual IS NULL
      WHERE (l.target_kind = ${survivor.kind} AND l.target_id = ${survivor.id}) OR EXISTS (SELECT FROM ${goneRows(gone)} WHERE g.kind = l.target_kind AND g.id = l.target_id)
      GROUP BY 1, 2, 3, 4
    ), several AS MATERIALIZED (
      -- Two instances of one digital object may stay beside each other (contract trees-and-jobs 4.4).
      SELECT kind, id, coalesce(array_agg(DISTINCT property) FILTER (WHERE n > 1 AND property <> 'instances.digital_object'), '{}') AS doubled
      FROM named GROUP BY kind, id HAVING sum(n) > 1
    ), kept AS (
      INSERT INTO merge_body (merge_id, kind, id, body) SELECT ${mergeId}::int, r.kind, r.id, r.body FROM several s JOIN record r ON r.kind = s.kind AND r.id = s.id
    ), written AS (
      UPDATE record r SET system_mtime = now(), body = with_merged(r.body, coalesce(s.doubled, '{}'), ${uriOfRecord(survivor)}, ${goneUris})
      FROM holder h LEFT JOIN several s ON s.kind = h.kind AND s.id = h.id WHERE r.kind = h.kind AND r.id = h.id RETURNING r.kind, r.id, r.repo_id
    ) ${appendManyFrom('written', 'update', actor)}`);
  tx.changed();
}

/** Keeps the digest of what the merge made of the kept bodies, by which an undo sees that nobody changed them since. */
export async function keepBodyDigests(tx: Transaction, mergeId: number): Promise<void> {
  await tx.run(
    sql`UPDATE merge_body b SET after = md5(r.body::text) FROM record r WHERE b.merge_id = ${mergeId} AND r.kind = b.kind AND r.id = b.id`,
  );
}

// The holders of one ref whose bodies a merge did not keep, as its undo finds them; many of them are led back in steps behind it (docs/decisions/0046).
import type { RecordAddress } from '#domain/uri.ts';
import type { Transaction } from '../connection/database.ts';
import { NumberRow } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';
import { holdersAtOnce } from '../records/visibility/in-steps.ts';
import { writeBegun } from './begun.ts';
import { anySuppressed } from './holders-first.ts';

/** Whether a row `m` of merge_link is of such a holder. NOTE: `NOT IN` is hashed, whatever the planner knows of tables that a merge has just filled. */
export const isBodyless = (mergeId: number): Fragment =>
  sql.fragment`m.merge_id = ${mergeId} AND m.part = 'in' AND m.mutual IS NULL
      AND (m.source_kind, m.source_id) NOT IN (SELECT b.kind, b.id FROM merge_body b WHERE b.merge_id = ${mergeId})`;

/**
 * Whether more of them are to be led back than others shall wait for at once, which is done in steps then, where none of the records is suppressed, for the marks of links.
 */
export async function hasManyToLeadBack(
  tx: Transaction,
  mergeId: number,
  survivor: RecordAddress,
  gone: readonly { readonly suppressed: boolean }[],
  atOnce = holdersAtOnce,
): Promise<boolean> {
  if (gone.some(({ suppressed }) => suppressed) || (await anySuppressed(tx, { survivor, gone: [] }))) return false;
  const { n } = await tx.one(sql.type(NumberRow)`
    SELECT count(*)::int AS n FROM (SELECT FROM merge_link m WHERE ${isBodyless(mergeId)} LIMIT ${atOnce + 1}) AS m`);
  return n > atOnce;
}

/**
 * Makes the temporary table of the holders whose bodies were not kept, which had one ref: `n` refs to the survivor now, `same` of them where it
 * was and in its role, `repo_id` where it is. NOTE: `+ 0` keeps the planner from looking through all links of the survivor for each holder, as it would where its
 * statistics are of before the merge.
 */
export async function listHolders(tx: Transaction, mergeId: number, survivor: RecordAddress): Promise<void> {
  await tx.run(sql`
    CREATE TEMP TABLE undo_holder ON COMMIT DROP AS
    SELECT m.source_kind, m.source_id, m.target_kind, m.target_id, now_.n, now_.same, now_.repo_id
    FROM merge_link m CROSS JOIN LATERAL (
      SELECT count(*) AS n, count(*) FILTER (WHERE l.property = m.property AND l.role IS NOT DISTINCT FROM m.role) AS same, max(l.repo_id) AS repo_id FROM link l
      WHERE l.source_kind = m.source_kind AND l.source_id = m.source_id AND l.mutual IS NULL AND l.target_kind = ${survivor.kind} AND l.target_id + 0 = ${survivor.id}) AS now_
    WHERE ${isBodyless(mergeId)}`);
  await tx.run(sql`ANALYZE undo_holder`);
}

/**
 * Leaves those that are to be led back to the steps of a job (lead-back.ts), as if a merge had been begun by it and had led them over; from here on nobody deletes its records. They are no longer in `undo_holder`.
 */
export async function leaveHolders(
  tx: Transaction,
  jobId: number,
  mergeId: number,
  records: { readonly survivor: RecordAddress; readonly gone: readonly RecordAddress[] },
  actor: string | null,
): Promise<void> {
  await writeBegun(tx, jobId, records, actor);
  await tx.run(sql`
    WITH led AS (DELETE FROM undo_holder WHERE n = 1 AND same = 1 RETURNING source_kind, source_id)
    INSERT INTO merge_led (merge_id, source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, target_ordinal)
    SELECT ${jobId}::int, m.source_kind, m.source_id, m.ordinal, m.property, m.target_kind, m.target_id, m.repo_id, m.role, m.target_ordinal
    FROM led JOIN merge_link m ON ${isBodyless(mergeId)} AND m.source_kind = led.source_kind AND m.source_id = led.source_id`);
}

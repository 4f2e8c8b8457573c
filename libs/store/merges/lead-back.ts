// The way back of a merge that was begun in steps and did not end (canceled, refused in its last step, or given up), and of one that is undone. Every holder that still has its one ref to the
// record that was to stay, or stayed, gets it back to where it led (docs/decisions/0046).
import type { MergeRecords } from '#domain/merges/merges.ts';
import { appendManyFrom } from '../change-log/append.ts';
import type { Transaction } from '../connection/database.ts';
import { NumberRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { markSuppressedLinks } from '../records/writing/link-marks.ts';
import { holdKeys, lookUpByKey } from '../records/writing/lock-order.ts';
import { holdersAtOnce } from '../records/visibility/in-steps.ts';
import { uriOfRecord } from './check.ts';
import { RecordKey } from '../records/record-key.ts';

/** Leads a block of holders back, and gives how many are left; with none left the merge, or its undo, is no longer under way. NOTE: `+ 0` keeps the planner from looking through all links of the survivor, once for each holder; the block is a range of its key, as a join with what was filled just now went through all of it. */
export async function leadBackBlock(
  tx: Transaction,
  id: number,
  { survivor, gone }: MergeRecords,
  actor: string | null,
  atOnce = holdersAtOnce,
): Promise<number> {
  const holders = await tx.any(sql.type(RecordKey)`
    SELECT source_kind AS kind, source_id AS id FROM merge_led WHERE merge_id = ${id} ORDER BY 1, 2 LIMIT ${atOnce}`);
  await holdKeys(tx, holders, 'writes');
  await lookUpByKey(tx);
  const last = holders.at(-1);
  const those = sql.fragment`merge_id = ${id} AND (source_kind, source_id) <= (${last?.kind ?? ''}, ${last?.id ?? 0})`;
  // A holder that was saved since has its one ref wherever it is now; what has more of them, or none, is as somebody saved it.
  await tx.run(sql`
    WITH block AS MATERIALIZED (SELECT * FROM merge_led WHERE ${those}),
    back AS MATERIALIZED (
      SELECT b.source_kind, b.source_id, b.target_kind, b.target_id, min(l.ordinal) AS ordinal
      FROM block b JOIN link l ON l.source_kind = b.source_kind AND l.source_id = b.source_id AND l.mutual IS NULL AND l.target_kind = ${survivor.kind} AND l.target_id + 0 = ${survivor.id}
      GROUP BY 1, 2, 3, 4 HAVING count(*) = 1 AND bool_and(l.property = b.property AND l.role IS NOT DISTINCT FROM b.role)
    ), freed AS (
      DELETE FROM merge_led WHERE ${those}
    ), moved AS (
      UPDATE link l SET target_kind = b.target_kind, target_id = b.target_id FROM back b WHERE l.source_kind = b.source_kind AND l.source_id = b.source_id AND l.ordinal = b.ordinal
    ), written AS (
      UPDATE record r SET system_mtime = now(), body = with_repointed(r.body::text, ARRAY[${uriOfRecord(survivor)}::text], record_uri(b.target_kind, b.target_id, ${survivor.repoId}::int))::json
      FROM back b WHERE r.kind = b.source_kind AND r.id = b.source_id RETURNING r.kind, r.id, r.repo_id
    ) ${appendManyFrom('written', 'update', actor)}`);
  tx.changed();
  const { n } = await tx.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM merge_led WHERE merge_id = ${id}`);
  if (n === 0) {
    await markSuppressedLinks(tx, [survivor, ...gone]);
    await tx.run(sql`DELETE FROM merge_begun WHERE id = ${id}`);
  }
  return n;
}

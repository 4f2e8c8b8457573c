// The first steps of a merge with many holders (docs/decisions/0046): a few hundred at a time are led to the record that stays, while those that go are still
// there. What is left, and all else, is the one transaction of merge.ts, which finds little to hold then.
import { z } from 'zod';
import type { MergeRecords } from '#domain/merges/merges.ts';
import { appendManyFrom } from '../change-log/append.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { holdRecords, lookUpByKey } from '../records/writing/lock-order.ts';
import { blocksOf, holdersAtOnce } from '../records/visibility/in-steps.ts';
import { writeBegun } from './begun.ts';
import { checkMerge, goneRows, uriOfRecord } from './check.ts';
import { RecordKey, keyTable } from '../records/record-key.ts';

const AnySuppressedRow = z.strictObject({ suppressed: column.bool });

/**
 * The holders of one ref to what goes, in blocks in the order in which they are locked. None where they are few enough for one transaction, and where one of the records is suppressed, for
 * the marks of their links.
 */
export async function holdersToLead(
  reader: Reader,
  { survivor, gone }: MergeRecords,
  atOnce = holdersAtOnce,
): Promise<readonly (readonly RecordKey[])[]> {
  if (await anySuppressed(reader, { survivor, gone })) return [];
  const holders = await reader.any(sql.type(RecordKey)`
    SELECT l.source_kind AS kind, l.source_id AS id FROM ${goneRows(gone)} JOIN link l ON l.target_kind = g.kind AND l.target_id = g.id
    WHERE l.mutual IS NULL AND NOT EXISTS (SELECT FROM ${goneRows([survivor, ...gone])} WHERE g.kind = l.source_kind AND g.id = l.source_id)
    GROUP BY 1, 2 HAVING count(*) = 1 ORDER BY 1, 2`);
  return holders.length <= atOnce ? [] : blocksOf(holders, atOnce);
}

/** Whether one of the records is suppressed, so that links to it are marked. */
export async function anySuppressed(reader: Reader, { survivor, gone }: MergeRecords): Promise<boolean> {
  const { suppressed } = await reader.one(sql.type(AnySuppressedRow)`
    SELECT coalesce(bool_or(r.suppressed), false) AS suppressed FROM ${goneRows([survivor, ...gone])} JOIN record r ON r.kind = g.kind AND r.id = g.id`);
  return suppressed;
}

/** Says that the merge is under way, before anything is led: refuses it as checkMerge does. From here on nobody deletes its records. */
export async function beginMerge(
  tx: Transaction,
  id: number,
  records: MergeRecords,
  key: string,
  actor: string | null,
): Promise<void> {
  await holdRecords(
    tx,
    sql.fragment`SELECT g.kind, g.id FROM ${goneRows([records.survivor, ...records.gone])}`,
    'deletion',
  );
  await checkMerge(tx, records, key);
  await writeBegun(tx, id, records, actor);
}

/**
 * Leads a block of holders to the record that stays: those that still have one ref to the records of the merge, and that to one that goes. Keeps the link of each as it
 * was, writes the body, the link and the change. Gives how many were led; none where a record was suppressed meanwhile, which the last step sees to. NOTE: `+ 0` keeps the planner from
 * looking through all links of what goes, once for each holder.
 */
export async function leadBlock(
  tx: Transaction,
  id: number,
  { survivor, gone }: MergeRecords,
  holders: readonly RecordKey[],
  actor: string | null,
): Promise<number> {
  const given = keyTable(holders);
  await holdRecords(tx, sql.fragment`SELECT u.kind, u.id FROM ${given} AS u (kind, id)`, 'writes');
  // Against suppression, which would mark the links of each as they are now.
  await tx.run(
    sql`SELECT FROM ${goneRows([survivor, ...gone])} JOIN record r ON r.kind = g.kind AND r.id = g.id ORDER BY g.kind, g.id FOR SHARE OF r`,
  );
  if (await anySuppressed(tx, { survivor, gone })) return 0;
  await lookUpByKey(tx);
  const led = await tx.any(sql.type(RecordKey)`
    WITH named AS (
      SELECT l.*, count(*) OVER (PARTITION BY l.source_kind, l.source_id) AS n FROM ${given} AS u (kind, id)
      JOIN link l ON l.source_kind = u.kind AND l.source_id = u.id AND l.mutual IS NULL JOIN ${goneRows([survivor, ...gone])} ON g.kind = l.target_kind AND g.id = l.target_id + 0
    ), one AS MATERIALIZED (SELECT * FROM named WHERE n = 1 AND NOT (target_kind = ${survivor.kind} AND target_id = ${survivor.id})),
    kept AS (
      INSERT INTO merge_led (merge_id, source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, target_ordinal)
      SELECT ${id}::int, source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, target_ordinal FROM one
      -- Led before, and saved since with a ref to what goes.
      ON CONFLICT (merge_id, source_kind, source_id) DO UPDATE SET ordinal = excluded.ordinal, property = excluded.property, target_kind = excluded.target_kind,
        target_id = excluded.target_id, repo_id = excluded.repo_id, role = excluded.role, target_ordinal = excluded.target_ordinal
    ), moved AS (
      UPDATE link l SET target_kind = ${survivor.kind}, target_id = ${survivor.id} FROM one o WHERE l.source_kind = o.source_kind AND l.source_id = o.source_id AND l.ordinal = o.ordinal
    ), written AS (
      UPDATE record r SET system_mtime = now(), body = with_merged(r.body, '{}', ${uriOfRecord(survivor)}, ${sql.array(gone.map(uriOfRecord), 'text')})
      FROM one o WHERE r.kind = o.source_kind AND r.id = o.source_id RETURNING r.kind, r.id, r.repo_id
    ), told AS (${appendManyFrom('written', 'update', actor)})
    SELECT kind, id FROM written`);
  tx.changed();
  return led.length;
}

/**
 * Ends what the steps began, in the transaction of the merge, when its own links are kept and led: what was kept of the steps is of the merge. A holder that was saved since with a
 * ref to what goes has rows of the last step, which hold. NOTE: `NOT IN` is hashed, whatever the planner knows of tables that the merge has filled; looked for one by one, 100,000 took minutes.
 */
export async function keepLed(tx: Transaction, id: number): Promise<void> {
  await tx.run(sql`
    INSERT INTO merge_link (merge_id, part, source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, target_ordinal, now_ordinal)
    SELECT l.merge_id, 'in', l.source_kind, l.source_id, l.ordinal, l.property, l.target_kind, l.target_id, l.repo_id, l.role, l.target_ordinal, l.ordinal
    FROM merge_led l WHERE l.merge_id = ${id}
      AND (l.source_kind, l.source_id) NOT IN (SELECT m.source_kind, m.source_id FROM merge_link m WHERE m.merge_id = ${id})`);
  await tx.run(sql`DELETE FROM merge_begun WHERE id = ${id}`);
}

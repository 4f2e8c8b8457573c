// The mark of links that one of their ends is a suppressed record (contract 5.2), where links were moved or given back.
import type { RecordAddress } from '#domain/uri.ts';
import type { Transaction } from '../../connection/database.ts';
import { sql } from '../../connection/sql.ts';
import { ofKinds } from '../of-kinds.ts';
import { keyTable } from '../record-key.ts';

/** Sets the mark of all links to and from these records anew. One statement; rows that are right stay as they are. */
export async function markSuppressedLinks(tx: Transaction, records: readonly RecordAddress[]): Promise<void> {
  const given = keyTable(records);
  await tx.run(sql`
    WITH one AS (SELECT u.kind, u.id, r.suppressed FROM ${given} AS u (kind, id) JOIN record r ON r.kind = u.kind AND r.id = u.id AND ${ofKinds(records.map(({ kind }) => kind))}),
    -- Only where a suppressed record is concerned: a mark that is there, or an end that asks for one.
    marked AS (
      SELECT l.source_kind, l.source_id, l.ordinal, l.suppressed, l.target_kind AS other_kind, l.target_id AS other_id, one.suppressed AS own FROM one JOIN link l ON l.source_kind = one.kind AND l.source_id = one.id
      UNION ALL SELECT l.source_kind, l.source_id, l.ordinal, l.suppressed, l.source_kind, l.source_id, one.suppressed FROM one JOIN link l ON l.target_kind = one.kind AND l.target_id = one.id)
    UPDATE link l SET suppressed = NOT l.suppressed FROM (
      SELECT DISTINCT m.source_kind, m.source_id, m.ordinal FROM marked m
      WHERE m.suppressed <> (m.own OR EXISTS (SELECT FROM record o WHERE o.kind = m.other_kind AND o.id = m.other_id AND o.suppressed))) AS wrong
    WHERE l.source_kind = wrong.source_kind AND l.source_id = wrong.source_id AND l.ordinal = wrong.ordinal`);
}

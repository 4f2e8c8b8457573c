// Where a record is that is no longer at its address: merged into another, once or more often, or moved to another repository.
import { kindNamed, uriOf } from '#domain/addresses.ts';
import type { RecordAddress } from '#domain/uri.ts';
import type { Reader } from '../connection/database.ts';
import { AddressRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** The address at which a record's successor is now, or null where there is none. One statement, of a step for each merge on the way. */
export async function findSuccessor(
  reader: Reader,
  { kind, id, repoId }: RecordAddress,
): Promise<{ readonly uri: string; readonly repoId: number | null } | null> {
  const row = await reader.maybeOne(sql.type(AddressRow)`
    WITH RECURSIVE way AS (
      SELECT ${kind}::text AS kind, ${id}::int AS id, 0 AS step
      -- Of several merges of a record that was brought back from its history in between, the last one counts.
      UNION SELECT m.survivor_kind, m.survivor_id, way.step + 1 FROM way CROSS JOIN LATERAL (
        SELECT m.survivor_kind, m.survivor_id FROM merge_gone g JOIN merge m ON m.id = g.merge_id AND m.undone_at IS NULL
        WHERE g.kind = way.kind AND g.id = way.id ORDER BY m.at DESC, m.id DESC LIMIT 1) AS m WHERE way.step < 100
    )
    SELECT r.kind, r.id, r.repo_id FROM way JOIN record r ON r.kind = way.kind AND r.id = way.id
    WHERE EXISTS (SELECT FROM tombstone t WHERE t.uri = record_uri(${kind}, ${id}::int, ${repoId}::int)) ORDER BY way.step DESC LIMIT 1`);
  if (row === null) return null;
  const uri = uriOf(kindNamed(row.kind), row.id, row.repo_id);
  return uri === uriOf(kindNamed(kind), id, repoId) ? null : { uri, repoId: row.repo_id };
}

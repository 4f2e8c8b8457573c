// Merges that were done, as clients see them.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import type { MergeWhat } from '#domain/merges/merges.ts';
import { isMergeWhat } from '#domain/merges/merges.ts';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** A merge that was done: what it was, and how it is shown. */
export type DoneMerge = { readonly what: MergeWhat; readonly repoId: number | null; readonly shown: JsonObject };

const Row = z.strictObject({
  what: z.custom<MergeWhat>(isMergeWhat),
  repo_id: column.maybeInt,
  destination: column.text,
  gone: column.text,
  actor: column.maybeText,
  at: column.text,
  undone_at: column.maybeText,
  undone_by: column.maybeText,
});
type Row = z.infer<typeof Row>;

/** Reads a merge by the number of its job. Fails with `not_found`. */
export async function readMerge(reader: Reader, id: number): Promise<DoneMerge> {
  const row = await reader.maybeOne(sql.type(Row)`
    SELECT m.what, m.repo_id, record_uri(m.survivor_kind, m.survivor_id, m.repo_id) AS destination, m.actor, m.at, m.undone_at, m.undone_by,
      (SELECT json_agg(record_uri(g.kind, g.id, g.repo_id) ORDER BY g.n) FROM merge_gone g WHERE g.merge_id = m.id) AS gone
    FROM merge m WHERE m.id = ${id}`);
  if (row === null) throw fail('not_found', 'Merge not found');
  const undone = row.undone_at === null ? {} : { undone_at: row.undone_at, undone_by: row.undone_by };
  return {
    what: row.what,
    repoId: row.repo_id,
    shown: {
      id,
      type: row.what,
      merge_destination_uri: row.destination,
      deleted_uris: JSON.parse(row.gone ?? '[]'),
      merged_by: row.actor,
      merged_at: row.at,
      ...undone,
    },
  };
}

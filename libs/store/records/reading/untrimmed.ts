// Records whose titles begin or end with white space.
import type { Kind } from '#domain/kind.ts';
import type { Reader } from '../../connection/database.ts';
import { IdRow } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';

/** The ids of such records of a repository, ascending, without suppressed ones. One statement over the records of the kind. */
export async function untrimmedIds(reader: Reader, kind: Kind, repoId: number): Promise<readonly number[]> {
  const rows = await reader.any(sql.type(IdRow)`
    SELECT id FROM record WHERE kind = ${kind.name} AND repo_id = ${repoId} AND NOT suppressed AND body->>'title' ~ '^[\\s\u00a0]|[\\s\u00a0]$' ORDER BY id`);
  return rows.map((row) => row.id);
}

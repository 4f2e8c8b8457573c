// Whether records exist.
import type { Kind } from '#domain/kind.ts';
import type { Reader } from '../../connection/database.ts';
import { IdRow } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';

/** Those of the ids that records of a kind have. One statement, or none. */
export async function existing(reader: Reader, kind: Kind, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await reader.any(sql.type(IdRow)`
    SELECT id FROM record WHERE kind = ${kind.name} AND id = ANY(${sql.array([...ids], 'int4')})`);
  return new Set(rows.map((row) => row.id));
}

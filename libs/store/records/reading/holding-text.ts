// Records whose bodies hold a text somewhere.
import { z } from 'zod';
import type { Kind } from '#domain/kind.ts';
import type { Reader } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';

const IdsHoldingTextRow = z.strictObject({ id: column.int, repo_id: column.maybeInt });

/** The ids of such records in all repositories, by repository (null: none) and ascending, without suppressed ones. One statement over the records of the kind. */
export async function idsHoldingText(
  reader: Reader,
  kind: Kind,
  text: string,
): Promise<ReadonlyMap<number | null, readonly number[]>> {
  const rows = await reader.any(sql.type(IdsHoldingTextRow)`
    SELECT id, repo_id FROM record WHERE kind = ${kind.name} AND NOT suppressed AND strpos(body::text, ${text}) > 0 ORDER BY repo_id, id`);
  return new Map(
    [...Map.groupBy(rows, (row) => row.repo_id)].map(([repoId, some]) => [repoId, some.map(({ id }) => id)]),
  );
}

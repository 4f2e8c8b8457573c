// Names of users as people begin to type them.
import { z } from 'zod';
import { column } from '../connection/columns.ts';
import type { Reader } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';

const LabelRow = z.strictObject({ label: column.text });

/** Names that begin with the text, sorted, at most 50, system users left out (contract 2.3). */
export async function completeUsernames(reader: Reader, start: string): Promise<readonly string[]> {
  const rows = await reader.any(sql.type(LabelRow)`
    SELECT label FROM record WHERE kind = 'user' AND starts_with(label, ${start.toLowerCase()}) AND (body->>'is_system_user')::boolean IS NOT TRUE ORDER BY label COLLATE "C" LIMIT 50`);
  return rows.map((row) => row.label);
}

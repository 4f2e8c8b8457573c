// The parts of the table of revisions: ten million numbers each (migration 0062, docs/decisions/0050). The next one is there before it is written,
// and one in which all is old goes as a whole.
import { z } from 'zod';
import type { Database } from '../../connection/database.ts';
import { column, EmptyRow } from '../../connection/columns.ts';
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';

const partSize = 10_000_000;

/** Makes the part after the one now written, ten million revisions before it is needed. Cheap where it is there. */
export async function keepRevisionParts(database: Database): Promise<void> {
  const missing = await database.reader.maybeOne(
    sql.type(
      EmptyRow,
    )`SELECT FROM revision_n_seq WHERE to_regclass('revision_' || (last_value / ${partSize} + 1)) IS NULL`,
  );
  if (missing === null) return;
  await database.transaction(async (tx) => tx.run(sql`SELECT make_revision_parts(last_value) FROM revision_n_seq`));
}

const DroppedRow = z.strictObject({ dropped: column.int });

/**
 * Drops the parts of which every revision was replaced before `old`, a time. Gives how many; those that somebody is writing beside are left for
 * the next time, after a fifth of a second.
 */
export async function dropOldParts(database: Database, old: Fragment): Promise<number> {
  const [row] = await database.write(sql.type(DroppedRow)`SELECT drop_revision_parts(${old}) AS dropped`);
  return row?.dropped ?? 0;
}

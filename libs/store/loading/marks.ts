// Marks of loads: a client that was killed before it had the answer finds by its mark what became of its load, and is never loaded twice.
import { z } from 'zod';
import { column } from '../connection/columns.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';

const MarkedLoad = z.strictObject({ jobId: column.maybeInt, status: column.text });
/** What became of a load: its job (null: that is gone, as jobs go some time after they end), and queued, running, completed, failed or canceled. */
export type MarkedLoad = z.infer<typeof MarkedLoad>;

/** The load of a mark; null: nothing of that mark has come. What was loaded is known for ever, what failed as long as its job. */
export async function findMarkedLoad(reader: Reader, mark: string): Promise<MarkedLoad | null> {
  return reader.maybeOne(sql.type(MarkedLoad)`
    SELECT j.id AS "jobId", CASE WHEN l.n IS NOT NULL THEN 'completed' ELSE j.status END AS status
    FROM (SELECT id, status FROM job WHERE type = 'load-records' AND payload->>'mark' = ${mark} ORDER BY id DESC LIMIT 1) j
      FULL JOIN (SELECT n FROM load WHERE mark = ${mark}) l ON true`);
}

/** The job of a mark that has not failed, or the one that `make` makes now, in the caller's transaction: of several at once there is one. */
export async function loadOfMark(tx: Transaction, mark: string, make: () => Promise<number>): Promise<number | null> {
  // Waits for a transaction that has the same mark, and sees what it did.
  await tx.run(sql`SELECT pg_advisory_xact_lock(hashtext(${`load ${mark}`}))`);
  const found = await findMarkedLoad(tx, mark);
  return found === null || found.status === 'failed' || found.status === 'canceled' ? make() : found.jobId;
}

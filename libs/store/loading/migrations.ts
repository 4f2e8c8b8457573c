// Migrations from a running source: their sessions, which live as long as their jobs run (migration 0046), and how far they are.
import { z } from 'zod';
import { column } from '../connection/columns.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';

/** Keeps the session that a migration reads its source with; it is gone when the job has ended. */
export async function keepSourceSession(tx: Transaction, jobId: number, session: string): Promise<void> {
  await tx.run(sql`INSERT INTO source_session (job_id, session) VALUES (${jobId}, ${session})`);
}

const Session = z.strictObject({ session: column.text });

/** The session of a migration; null: it has ended. */
export async function readSourceSession(reader: Reader, jobId: number): Promise<string | null> {
  const found = await reader.maybeOne(sql.type(Session)`SELECT session FROM source_session WHERE job_id = ${jobId}`);
  return found?.session ?? null;
}

const Migration = z.strictObject({
  jobId: column.int,
  source: column.text,
  status: column.text,
  loadId: column.maybeInt,
  loadStatus: column.maybeText,
});
/** A migration: its job and source, and the load that it has made (null: none yet, or that is gone). Statuses are those of jobs. */
export type Migration = z.infer<typeof Migration>;

/** The migrations, the last one first, 100 at most. */
export async function listMigrations(reader: Reader): Promise<readonly Migration[]> {
  return reader.any(sql.type(Migration)`
    SELECT j.id AS "jobId", j.payload->>'source' AS source, j.status, l.id AS "loadId", l.status AS "loadStatus"
    FROM (SELECT id, payload, status, outcome FROM job WHERE type = 'migrate-from' ORDER BY id DESC LIMIT 100) j
      LEFT JOIN job l ON l.id = substring(j.outcome->'ok'->>'load' FROM '[0-9]+$')::int
    ORDER BY j.id DESC`);
}

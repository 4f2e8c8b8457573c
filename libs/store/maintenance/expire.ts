// Removing what has had its time. Each function is one statement or small batches, and may be run at any moment by anybody.
import type { Database } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';

/** Times of sessions in seconds: idle and in all, of those that expire and of the others. A lifetime of 0 is none. */
export type SessionTimes = {
  readonly seconds: number;
  readonly longSeconds: number;
  readonly lifetimeSeconds: number;
  readonly longLifetimeSeconds: number;
};

/** Removes sessions that were idle for longer than their kind allows, or are older. Returns how many. */
export async function pruneSessions(database: Database, times: SessionTimes): Promise<number> {
  const { seconds, longSeconds, lifetimeSeconds, longLifetimeSeconds } = times;
  return database.transaction(async (tx) =>
    tx.run(sql`
      DELETE FROM session WHERE last_used < now() - CASE WHEN expirable THEN ${seconds}::int ELSE ${longSeconds}::int END * interval '1 second'
        OR create_time < now() - nullif(CASE WHEN expirable THEN ${lifetimeSeconds}::int ELSE ${longLifetimeSeconds}::int END, 0) * interval '1 second'`),
  );
}

/**
 * Removes jobs that nobody lists any more: internal ones that ended over a week ago, a day where they have made a file (a repeated request with
 * its key still gets it), and deleted ones. Of those that are listed the ones
 * that nobody asked for go after a week as well, such as indexing anew by the clock; what clients made, or were sent to, goes when it ended more
 * than `days` ago, 0: stays until they delete it. Files are blobs that nobody names then. Returns how many.
 */
export async function pruneJobs(database: Database, days: number): Promise<number> {
  return database.transaction(async (tx) =>
    tx.run(sql`
      DELETE FROM job WHERE id IN (
        SELECT id FROM job WHERE NOT visible AND time_finished IS NOT NULL
          AND (time_finished < now() - interval '7 days' OR body IS NOT NULL
            OR time_finished < now() - interval '1 day' AND EXISTS (SELECT FROM job_file WHERE job_id = job.id AND role = 'output'))
        UNION ALL SELECT id FROM job WHERE visible AND (time_finished < now() - nullif(${days}::int, 0) * interval '1 day'
          OR owner IS NULL AND repo_id IS NULL AND body IS NULL AND time_finished < now() - interval '7 days') LIMIT 10000)`),
  );
}

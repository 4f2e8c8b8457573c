// Removing what has had its time. Each function is one statement or small batches, and may be run at any moment by anybody.
import type { Database } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';

/** Removes sessions that were idle for longer than their kind allows. Returns how many. */
export async function pruneSessions(
  database: Database,
  ttl: { readonly seconds: number; readonly longSeconds: number },
): Promise<number> {
  return database.transaction(async (tx) =>
    tx.run(sql`
      DELETE FROM session WHERE last_used < now() - CASE WHEN expirable THEN ${ttl.seconds}::int ELSE ${ttl.longSeconds}::int END * interval '1 second'`),
  );
}

/**
 * Removes jobs that nobody lists any more: internal ones that ended over a week ago, and deleted ones. Jobs that clients made stay until
 * they are deleted. Returns how many.
 */
export async function pruneJobs(database: Database): Promise<number> {
  return database.transaction(async (tx) =>
    tx.run(sql`
      DELETE FROM job WHERE id IN (
        SELECT id FROM job WHERE NOT visible AND time_finished IS NOT NULL
          AND (time_finished < now() - interval '7 days' OR body IS NOT NULL) LIMIT 10000)`),
  );
}

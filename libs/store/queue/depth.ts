// How many jobs wait and run, for metrics.
import type { Reader } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';

/** Jobs by state. `waitingSeconds`: how long the oldest one that is due has waited. */
export type QueueDepth = { readonly queued: number; readonly running: number; readonly waitingSeconds: number };

/** Counts through the indexes of unfinished jobs. */
export async function readQueueDepth(reader: Reader): Promise<QueueDepth> {
  return reader.one<QueueDepth>(sql`SELECT count(*) FILTER (WHERE status = 'queued') AS queued, count(*) FILTER (WHERE status = 'running') AS running,
    coalesce(extract(epoch FROM now() - min(run_after) FILTER (WHERE status = 'queued' AND run_after <= now())), 0)::float8 AS "waitingSeconds"
    FROM job WHERE status IN ('queued', 'running')`);
}

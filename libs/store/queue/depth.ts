// How many jobs wait and run, for metrics.
import { z } from 'zod';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** Jobs by state. `waitingSeconds`: how long the oldest one that is due has waited. */
export const QueueDepth = z.strictObject({ queued: column.int, running: column.int, waitingSeconds: column.number });
export type QueueDepth = z.infer<typeof QueueDepth>;

/** Counts through the indexes of unfinished jobs. */
export async function readQueueDepth(reader: Reader): Promise<QueueDepth> {
  return reader.one(sql.type(QueueDepth)`
    SELECT count(*) FILTER (WHERE status = 'queued') AS queued, count(*) FILTER (WHERE status = 'running') AS running,
    coalesce(extract(epoch FROM now() - min(run_after) FILTER (WHERE status = 'queued' AND run_after <= now())), 0)::float8 AS "waitingSeconds"
    FROM job WHERE status IN ('queued', 'running')`);
}

/** Jobs of a type in a state; `failed`: in the last hour. */
export const JobCount = z.strictObject({
  type: column.text,
  state: z.enum(['queued', 'running', 'failed']),
  count: column.int,
});
export type JobCount = z.infer<typeof JobCount>;

/** Counts unfinished jobs and those that failed in the last hour, by type, through the indexes of both. */
export async function countJobsByType(reader: Reader): Promise<readonly JobCount[]> {
  return reader.any(sql.type(JobCount)`
    SELECT type, status AS state, count(*) AS count FROM job WHERE status IN ('queued', 'running') GROUP BY type, status
    UNION ALL
    SELECT type, 'failed', count(*) FROM job WHERE time_finished > now() - interval '1 hour' AND status = 'failed' GROUP BY type`);
}

// The NOTIFY channels of the queue, and the telling. Payloads are ids; what happened is read from the tables.
import type { Transaction } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';

/** A job became ready, or a mailbox or a place became free: workers look. No payload. */
export const queueChannel = 'muniment_queue';

/** A job's state or progress changed; the payload is its id. */
export const jobChannel = 'muniment_job';

/** Somebody asks for a running job to end; the payload is its id. */
export const cancelChannel = 'muniment_cancel';

/** Tells, at commit, that a job changed state, and that its mailbox may have become free. */
export async function tellOfJob(tx: Transaction, jobId: number): Promise<void> {
  await tx.any(sql`SELECT pg_notify(${jobChannel}, ${String(jobId)}), pg_notify(${queueChannel}, '')`);
}

// The NOTIFY channels of the queue, and the telling. Payloads are ids; what happened is read from the tables.
import type { Transaction } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';

/** A job became ready, or a mailbox or a place became free: workers look. The payload is the mailbox. */
export const queueChannel = 'muniment_queue';

/** A job's state or progress changed; the payload is its id. */
export const jobChannel = 'muniment_job';

/** Somebody asks for a running job to end; the payload is its id. */
export const cancelChannel = 'muniment_cancel';

/** Tells, at commit, that jobs changed state, and that their mailboxes may have become free. */
export async function tellOfJobs(
  tx: Transaction,
  jobs: readonly { readonly id: number; readonly mailbox: string }[],
): Promise<void> {
  await tx.run(sql`SELECT pg_notify(${jobChannel}, id::text), pg_notify(${queueChannel}, mailbox)
    FROM ${sql.unnest(
      jobs.map(({ id, mailbox }) => [id, mailbox]),
      ['int4', 'text'],
    )} AS told (id, mailbox)`);
}

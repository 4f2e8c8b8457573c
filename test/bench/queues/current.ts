// The queue as it is: activations of pg-boss (docs/decisions/0007).
import type { ClaimedJob, PassedOver } from '#store/queue/claim.ts';
import { claimJob } from '#store/queue/claim.ts';
import { jobChannel, queueChannel } from '#store/queue/channels.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { fenceRun } from '#store/queue/mailbox.ts';
import { completeJob } from '#store/queue/reply.ts';
import { sweepActivations } from '#store/queue/sweep.ts';
import { sql } from '#store/connection/sql.ts';
import { step } from '../../support/worker-jobs.ts';
import type { Contender } from './contender.ts';

/** The queue of the service. */
export const current: Contender<ClaimedJob> = {
  name: 'activations',
  channels: { queue: queueChannel, job: jobChannel },
  tables: ['public.job', 'pgboss.job_common'],
  prepare: async () => undefined,
  enqueue: async (tx, mailbox) =>
    (await enqueueJob(tx, step, { box: mailbox, note: '', ms: 0, failTimes: 0, code: '' })).jobId,
  fill: async (database, mailboxes) => {
    await database.transaction((tx) =>
      tx.run(sql`INSERT INTO job (visible, type, mailbox, is_long, max_attempts, payload)
        SELECT false, ${step.name}, 'box/' || mailbox, false, 3, '{}' FROM unnest(${sql.array(mailboxes, 'text')}) WITH ORDINALITY AS given (mailbox, place) ORDER BY place`),
    );
    await sweepActivations(database);
  },
  claimer: (database, worker) => {
    const passedOver: PassedOver = new Map();
    return async () => claimJob(database, { worker, deadlines: { [step.name]: 60 }, withLong: true, passedOver });
  },
  end: async (tx, job) => {
    await fenceRun(tx, job);
    await completeJob(tx, job, { note: '' });
  },
};

// Job: read another service into a folder of the worker, and have it loaded (decision 0038).
import { z } from 'zod';
import { defineJob } from '../job.ts';

/**
 * The address of the source, without a slash at its end; what its load may meet (as in load-records); whether jobs, which are history, are read too;
 * and how politely. The session stands elsewhere: it goes when the job ends.
 */
const MigrateFromPayload = z.object({
  source: z.url(),
  intoFilled: z.boolean(),
  overwrite: z.boolean(),
  withJobs: z.boolean(),
  requestsAtOnce: z.int().min(1),
  requestsASecond: z.number().positive(),
});

/** What is asked of a migration. */
export type MigrateFromPayload = z.infer<typeof MigrateFromPayload>;

/** The declaration. One at a time; it waits for no load, since it makes one of its own. It outlives a source that is away for hours. */
export const migrateFrom = defineJob({
  name: 'migrate-from',
  doc: 'Reads the records of another service, or what has changed there, and makes the job that loads them.',
  payload: MigrateFromPayload,
  mailbox: () => 'migrate-from',
  isShown: true,
  needs: () => [{ code: 'administer_system', repoId: null }],
  attempts: 100,
  timeoutSeconds: 7 * 24 * 3600,
  progressUnit: 'records',
});

// Job: remove what has had its time: sessions, old internal jobs, forgotten blobs, the published part of the change log and feed.
import { z } from 'zod';
import { defineJob } from '../job.ts';

/** Idle times and retentions. */
const ExpirePayload = z.object({
  sessionTtlSeconds: z.int(),
  sessionLongTtlSeconds: z.int(),
  feedRetentionDays: z.int(),
  // Jobs that were made before these were asked for have none of them.
  sessionLifetimeSeconds: z.int().default(0),
  sessionLongLifetimeSeconds: z.int().default(0),
  auditDays: z.int().default(0),
  revisionDays: z.int().default(0),
  deliveryDays: z.int().default(7),
  deadDeliveryDays: z.int().default(30),
  jobDays: z.int().default(0),
});

// Days.
const feedRetentionDays = 90;

/** The declaration. */
export const expire = defineJob({
  name: 'expire',
  doc: 'Removes expired sessions, internal jobs older than a week, and where the configuration says so those of clients and earlier versions of records, blobs that nobody names, keys of repeated requests, old deliveries of webhooks, old entries of the audit log, counts of failed logins, invitations that are over, old shifts of siblings, what the change log no longer needs, and objects of removed files. Gives up what waits too long for a webhook that takes nothing. Makes right what was saved with a controlled value while that went. Notes how large the database is, and which tables have many dead rows.',
  payload: ExpirePayload,
  mailbox: () => 'expire',
  schedule: (config) => ({
    cron: '*/10 * * * *',
    payload: {
      sessionTtlSeconds: config.MUNIMENT_SESSION_TTL_SECONDS,
      sessionLongTtlSeconds: config.MUNIMENT_SESSION_LONG_TTL_SECONDS,
      feedRetentionDays,
      sessionLifetimeSeconds: config.MUNIMENT_SESSION_LIFETIME_SECONDS,
      sessionLongLifetimeSeconds: config.MUNIMENT_SESSION_LONG_LIFETIME_SECONDS,
      auditDays: config.MUNIMENT_AUDIT_DAYS,
      revisionDays: config.MUNIMENT_REVISION_DAYS,
      deliveryDays: config.MUNIMENT_DELIVERY_DAYS,
      deadDeliveryDays: config.MUNIMENT_DEAD_DELIVERY_DAYS,
      jobDays: config.MUNIMENT_JOB_DAYS,
    },
  }),
  attempts: 1,
  timeoutSeconds: 600,
  progressUnit: 'steps',
});

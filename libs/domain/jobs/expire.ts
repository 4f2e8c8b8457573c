// Job: remove what has had its time: sessions, old internal jobs, forgotten blobs, the published part of the change log and feed.
import { z } from 'zod';
import { defineJob } from '../job.ts';

/** Idle times and retentions. */
const ExpirePayload = z.object({
  sessionTtlSeconds: z.int(),
  sessionLongTtlSeconds: z.int(),
  feedRetentionDays: z.int(),
});

// Days.
const feedRetentionDays = 90;

/** The declaration. */
export const expire = defineJob({
  name: 'expire',
  doc: 'Removes expired sessions, internal jobs older than a week, blobs that nobody names, keys of repeated requests, old deliveries of webhooks, old shifts of siblings, and what the change log no longer needs.',
  payload: ExpirePayload,
  mailbox: () => 'expire',
  schedule: (config) => ({
    cron: '*/10 * * * *',
    payload: {
      sessionTtlSeconds: config.MUNIMENT_SESSION_TTL_SECONDS,
      sessionLongTtlSeconds: config.MUNIMENT_SESSION_LONG_TTL_SECONDS,
      feedRetentionDays,
    },
  }),
  attempts: 1,
  timeoutSeconds: 600,
  progressUnit: 'steps',
});

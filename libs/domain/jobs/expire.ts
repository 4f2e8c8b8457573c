// Job: remove what has had its time: sessions, old internal jobs, forgotten blobs, the published part of the change log and feed.
import { z } from 'zod';
import { defineJob } from '../job.ts';

/** Idle times and retentions; the schedule gives them from the configuration. */
export const ExpirePayload = z.object({
  sessionTtlSeconds: z.int(),
  sessionLongTtlSeconds: z.int(),
  feedRetentionDays: z.int(),
});

/** The declaration. */
export const expire = defineJob({
  name: 'expire',
  doc: 'Removes expired sessions, internal jobs older than a week, blobs that nobody names, keys of repeated requests, old deliveries of webhooks, old shifts of siblings, and what the change log no longer needs.',
  payload: ExpirePayload,
  mailbox: () => 'expire',
  attempts: 1,
  timeoutSeconds: 600,
  progressUnit: 'steps',
});

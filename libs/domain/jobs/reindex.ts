// Job: make the search index anew for a kind, a repository or everything, while searching goes on.
import { z } from 'zod';
import { defineJob } from '../job.ts';

/**
 * What is made anew: records of these kinds (null: all), in this repository (null: everywhere). `rewrite`: documents are written also where they
 * are there as they would be written.
 */
const ReindexPayload = z.object({
  kinds: z.array(z.string()).nullable(),
  repoId: z.int().nullable(),
  rewrite: z.boolean().default(false),
});

/** Either of these allows it, when it is asked for and when it runs. */
export const reindexPermissions = ['index_system', 'administer_system'] as const;

/** The mailbox of all of them. */
export const reindexMailbox = 'reindex';

/** The declaration. One at a time: two would do the same work. */
export const reindex = defineJob({
  name: 'reindex',
  doc: 'Makes search documents anew from the records; single changes go first all the while.',
  payload: ReindexPayload,
  mailbox: () => reindexMailbox,
  isShown: true,
  schedule: ({ MUNIMENT_REINDEX_CRON: cron }) =>
    cron === '' ? null : { cron, payload: { kinds: null, repoId: null, rewrite: false } },
  needs: () => [{ code: reindexPermissions, repoId: null }],
  // What an upgrade asks for rewrites, what the clock asks for does not.
  reason: ({ rewrite }) => ({ isNotByClock: rewrite }),
  attempts: 20,
  timeoutSeconds: 24 * 3600,
  progressUnit: 'records',
});

// Job: load the records of another service as they are, addresses and all (decision 0027).
import { z } from 'zod';
import { defineJob } from '../job.ts';

/**
 * The upload, one JSON record a line, perhaps gzipped, or the folder of a migration that the worker has; whether the service may have records already; whether it is what has changed since an
 * earlier load, and whether that counts more than what was changed here; by which mark its client finds it again; which job read the folder.
 */
const LoadRecordsPayload = z.object({
  blobId: z.uuid().optional(),
  folder: z.string().optional(),
  intoFilled: z.boolean(),
  update: z.boolean().optional(),
  overwrite: z.boolean().optional(),
  mark: z.string().optional(),
  readBy: z.int().optional(),
});

/** What is asked of a load. */
export type LoadRecordsPayload = z.infer<typeof LoadRecordsPayload>;

/** The declaration. One at a time: each is alone in a service that was empty. */
export const loadRecords = defineJob({
  name: 'load-records',
  doc: 'Loads the records of another service with their addresses, versions and times, all or nothing.',
  payload: LoadRecordsPayload,
  mailbox: () => 'load-records',
  isShown: true,
  needs: () => [{ code: 'administer_system', repoId: null }],
  reason: ({ readBy }) => (readBy === undefined ? {} : { follows: { id: readBy, repoId: null } }),
  attempts: 10,
  timeoutSeconds: 24 * 3600,
  progressUnit: 'records',
});

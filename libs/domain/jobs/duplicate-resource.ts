// Job: copies a resource with its whole tree.
// It shares the mailbox of imports, whose engine writes the copy.
import { defineJob } from '../job.ts';
import { WireJobPayload } from '../job-types.ts';

/** The declaration. */
export const duplicateResource = defineJob({
  name: 'duplicate-resource',
  wireName: 'resource_duplicate_job',
  doc: 'Copies a resource with its whole tree.',
  payload: WireJobPayload,
  mailbox: (payload) => `batch-import/${payload.repoId}`,
  attempts: 3,
  timeoutSeconds: 21600,
  progressUnit: 'records',
});

// Job: replaces a text in one property of all records of a kind, or parts of records, below a record.
// One transaction: a fault in any record leaves nothing changed (contract trees-and-jobs 3.6).
import { defineJob } from '../job.ts';
import { WireJobPayload } from '../job-types.ts';

/** The declaration. */
export const findAndReplace = defineJob({
  name: 'find-and-replace',
  wireName: 'find_and_replace_job',
  doc: 'Replaces a text in one property of all records of a kind, or parts of records, below a record.',
  payload: WireJobPayload,
  mailbox: (payload) => `edit-many/${payload.repoId}`,
  attempts: 3,
  timeoutSeconds: 3600,
  progressUnit: 'records',
});

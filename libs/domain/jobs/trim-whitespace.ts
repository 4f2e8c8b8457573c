// Job: takes white space from both ends of the titles of a repository.
// (contract trees-and-jobs 3.6).
import { defineJob } from '../job.ts';
import { WireJobPayload } from '../job-types.ts';

/** The declaration. */
export const trimWhitespace = defineJob({
  name: 'trim-whitespace',
  wireName: 'trim_whitespace_job',
  doc: 'Takes white space from both ends of the titles of a repository.',
  payload: WireJobPayload,
  mailbox: (payload) => `edit-many/${payload.repoId}`,
  attempts: 3,
  timeoutSeconds: 3600,
  progressUnit: 'records',
});

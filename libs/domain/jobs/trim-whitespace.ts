// Job: takes white space from both ends of the titles of a repository, in blocks (contract trees-and-jobs 3.6: not one transaction). One that is
// canceled or fails leaves what it has trimmed.
import { defineJob } from '../job.ts';

/** The declaration. */
export const trimWhitespace = defineJob({
  name: 'trim-whitespace',
  doc: 'Takes white space from both ends of the titles of a repository.',
  wire: {
    name: 'trim_whitespace_job',
    title: 'Trim Whitespace',
    create: [],
    cancel: [],
    parameters: {},
  },
  mailbox: (payload) => `edit-many/${payload.repoId}`,
  attempts: 3,
  timeoutSeconds: 3600,
  progressUnit: 'records',
});

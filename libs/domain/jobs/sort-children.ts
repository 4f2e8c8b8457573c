// Job: sorts the children of one parent by title, identifier or dates.
// One transaction, in which the tree is held; moves of the same tree wait for it.
import { defineJob } from '../job.ts';
import { WireJobPayload } from '../job-types.ts';

/** The declaration. */
export const sortChildren = defineJob({
  name: 'sort-children',
  wireName: 'sort_children_job',
  doc: 'Sorts the children of a record of a tree by title, identifier or dates.',
  payload: WireJobPayload,
  mailbox: (payload) => `edit-many/${payload.repoId}`,
  attempts: 3,
  timeoutSeconds: 600,
  progressUnit: 'records',
});

// Job: sorts the children of one parent by title, identifier or dates.
// One transaction, in which the tree is held; moves of the same tree wait for it.
import { defineJob, inRepository } from '../job.ts';
import { flag, needed } from '../job-parameters.ts';

/** The declaration. */
export const sortChildren = defineJob({
  name: 'sort-children',
  doc: 'Sorts the children of a record of a tree by title, identifier or dates.',
  wire: {
    name: 'sort_children_job',
    create: [],
    cancel: [],
    // Ours, and hidden: /job_types lists what the contract lists.
    hidden: true,
    parameters: { parent: needed, sort_by: { type: 'texts', required: true }, dry_run: flag },
  },
  mailbox: (payload) => `edit-many/${payload.repoId}`,
  needs: ({ repoId }) => inRepository(repoId, 'create_job', 'view_repository'),
  attempts: 3,
  timeoutSeconds: 600,
  progressUnit: 'records',
});

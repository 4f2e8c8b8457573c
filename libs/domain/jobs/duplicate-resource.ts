// Job: copies a resource with its whole tree.
// It shares the mailbox of imports, whose engine writes the copy.
import { defineJob, inRepository } from '../job.ts';
import { needed } from '../job-parameters.ts';

/** The declaration. */
export const duplicateResource = defineJob({
  name: 'duplicate-resource',
  doc: 'Copies a resource with its whole tree.',
  wire: {
    name: 'resource_duplicate_job',
    title: 'Duplicate Resource',
    create: [],
    cancel: [],
    hidden: true,
    parameters: { source: needed },
  },
  mailbox: (payload) => `batch-import/${payload.repoId}`,
  needs: ({ repoId }) => inRepository(repoId, 'create_job', 'view_repository', 'update_resource_record'),
  attempts: 3,
  timeoutSeconds: 21600,
  progressUnit: 'records',
});

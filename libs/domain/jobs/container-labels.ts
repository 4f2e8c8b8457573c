// Job: container labels of a resource as a file (contract trees-and-jobs 3.6, exports 10). It only reads.
import { defineJob, inRepository } from '../job.ts';
import { needed } from '../job-parameters.ts';

/** The declaration. It shares the mailbox of its owner's reports, which only read as well. */
export const containerLabels = defineJob({
  name: 'container-labels',
  doc: 'Writes the container labels of a resource into a tab-separated file.',
  wire: {
    name: 'container_labels_job',
    title: 'Container Labels',
    create: [],
    cancel: [],
    parameters: { format: { type: 'text', default: 'tsv' }, source: needed },
  },
  mailbox: (payload) => `report/${payload.repoId}/${payload.actor ?? ''}`,
  needs: ({ repoId }) => inRepository(repoId, 'create_job', 'view_repository'),
  attempts: 3,
  timeoutSeconds: 3600,
  progressUnit: 'records',
});

// Job: container labels of a resource as a file (contract trees-and-jobs 3.6, exports 10). It only reads.
import { defineJob } from '../job.ts';
import { WireJobPayload } from '../job-types.ts';

/** The declaration. It shares the mailbox of its owner's reports, which only read as well. */
export const containerLabels = defineJob({
  name: 'container-labels',
  wireName: 'container_labels_job',
  doc: 'Writes the container labels of a resource into a tab-separated file.',
  payload: WireJobPayload,
  mailbox: (payload) => `report/${payload.repoId}/${payload.actor ?? ''}`,
  attempts: 3,
  timeoutSeconds: 3600,
  progressUnit: 'records',
});

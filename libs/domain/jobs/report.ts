// Job: make a report as a file (contract trees-and-jobs 3.6, 7).
import { defineJob } from '../job.ts';
import { WireJobPayload } from '../job-types.ts';

/** The declaration. Each job has a mailbox of its own: reports only read. */
export const report = defineJob({
  name: 'report',
  wireName: 'report_job',
  doc: 'Makes a report as a file.',
  payload: WireJobPayload,
  mailbox: (payload) => `report/${payload.repoId}/${payload.actor ?? ''}`,
  attempts: 3,
  timeoutSeconds: 3600,
  progressUnit: 'rows',
});

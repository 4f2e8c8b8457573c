// Job: change archival objects by a spreadsheet that came back (contract trees-and-jobs 6.3). One transaction: all rows or none.
import { defineJob } from '../job.ts';
import { WireJobPayload } from '../job-types.ts';

/** The declaration. */
export const bulkUpdate = defineJob({
  name: 'bulk-update',
  wireName: 'bulk_archival_object_updater_job',
  doc: 'Changes archival objects by a spreadsheet, all rows or none.',
  payload: WireJobPayload,
  mailbox: (payload) => `edit-many/${payload.repoId}`,
  attempts: 3,
  timeoutSeconds: 3600,
  progressUnit: 'rows',
});

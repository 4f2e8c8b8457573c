// Job: link archival objects to top containers by a filled-in template (contract trees-and-jobs 6.8). One transaction: all rows or none.
import { defineJob } from '../job.ts';
import { WireJobPayload } from '../job-types.ts';

/** The declaration. */
export const linkContainers = defineJob({
  name: 'link-containers',
  wireName: 'top_container_linker_job',
  doc: 'Links archival objects of a resource to top containers by a spreadsheet, all rows or none.',
  payload: WireJobPayload,
  mailbox: (payload) => `edit-many/${payload.repoId}`,
  attempts: 3,
  timeoutSeconds: 3600,
  progressUnit: 'rows',
});

// Job: load archival objects or digital objects under a resource from a spreadsheet (contract trees-and-jobs 6.7). One transaction: all rows
// or none.
import { defineJob } from '../job.ts';
import { WireJobPayload } from '../job-types.ts';

/** The declaration. It shares the mailbox of batch imports: two loads of one repository would make the same headings and containers. */
export const loadSheet = defineJob({
  name: 'load-sheet',
  wireName: 'bulk_import_job',
  doc: 'Loads archival objects or digital objects under a resource from a spreadsheet, all rows or none.',
  payload: WireJobPayload,
  mailbox: (payload) => `batch-import/${payload.repoId}`,
  attempts: 10,
  timeoutSeconds: 6 * 3600,
  progressUnit: 'records',
});

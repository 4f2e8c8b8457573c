// Job: change archival objects by a spreadsheet that came back (contract trees-and-jobs 6.3). One transaction: all rows or none.
import { defineJob } from '../job.ts';
import { flag } from '../job-parameters.ts';

/** The declaration. It shares the mailbox of loads, as linking containers does. */
export const bulkUpdate = defineJob({
  name: 'bulk-update',
  doc: 'Changes archival objects by a spreadsheet, all rows or none.',
  wire: {
    name: 'bulk_archival_object_updater_job',
    title: 'Bulk Archival Object Updater',
    create: ['update_resource_record'],
    cancel: [],
    parameters: { create_missing_top_containers: flag, dry_run: flag },
  },
  mailbox: (payload) => `batch-import/${payload.repoId}`,
  attempts: 3,
  timeoutSeconds: 3600,
  progressUnit: 'rows',
});

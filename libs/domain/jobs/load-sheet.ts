// Job: load archival objects or digital objects under a resource from a spreadsheet (contract trees-and-jobs 6.7). One transaction: all rows
// or none.
import { defineJob, inRepository } from '../job.ts';
import { needed, spreadsheet } from '../job-parameters.ts';

/** The declaration. It shares the mailbox of batch imports: two loads of one repository would make the same headings and containers. */
export const loadSheet = defineJob({
  name: 'load-sheet',
  doc: 'Loads archival objects or digital objects under a resource from a spreadsheet, all rows or none.',
  wire: {
    name: 'bulk_import_job',
    title: 'Load Spreadsheet',
    create: ['import_records'],
    cancel: ['cancel_importer_job'],
    parameters: { ...spreadsheet, load_type: needed, format: needed },
  },
  mailbox: (payload) => `batch-import/${payload.repoId}`,
  // Digital objects change archival objects that are there.
  needs: ({ repoId, job }) => [
    ...inRepository(repoId, 'create_job', 'import_records', 'view_repository'),
    ...(job['load_type'] === 'digital' ? inRepository(repoId, 'update_resource_record') : []),
  ],
  attempts: 10,
  timeoutSeconds: 6 * 3600,
  progressUnit: 'records',
});

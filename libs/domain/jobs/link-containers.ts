// Job: link archival objects to top containers by a filled-in template (contract trees-and-jobs 6.8). One transaction: all rows or none.
import { defineJob, inRepository } from '../job.ts';
import { spreadsheet, text } from '../job-parameters.ts';

/** The declaration. It shares the mailbox of loads: both make what containers the resource lacks, and would each make the same. */
export const linkContainers = defineJob({
  name: 'link-containers',
  doc: 'Links archival objects of a resource to top containers by a spreadsheet, all rows or none.',
  wire: {
    name: 'top_container_linker_job',
    title: 'Link Top Containers',
    create: [],
    cancel: [],
    hidden: true,
    parameters: { ...spreadsheet, load_type: text },
  },
  mailbox: (payload) => `batch-import/${payload.repoId}`,
  needs: ({ repoId }) => inRepository(repoId, 'create_job', 'view_repository', 'update_resource_record'),
  attempts: 3,
  timeoutSeconds: 3600,
  progressUnit: 'rows',
});

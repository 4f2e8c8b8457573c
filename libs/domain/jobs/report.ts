// Job: make a report as a file (contract trees-and-jobs 3.6, 7).
import { defineJob, inRepository } from '../job.ts';
import { needed } from '../job-parameters.ts';
import { textOf } from '../json.ts';
import { needsOfFile } from '../reports/reports.ts';

/** The declaration. Each owner has a mailbox of their own: reports only read. */
export const report = defineJob({
  name: 'report',
  doc: 'Makes a report as a file.',
  wire: {
    name: 'report_job',
    title: 'Report',
    create: [],
    cancel: [],
    parameters: { report_type: needed, format: needed },
    filesNeed: (job, result) => needsOfFile(textOf(job, 'report_type') ?? '', result),
  },
  mailbox: (payload) => `report/${payload.repoId}/${payload.actor ?? ''}`,
  needs: ({ repoId }) => inRepository(repoId, 'create_job', 'view_repository'),
  attempts: 3,
  timeoutSeconds: 3600,
  progressUnit: 'rows',
});

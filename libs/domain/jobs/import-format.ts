// Job: import files of a format (EAD and others) into a repository, all or nothing (contract trees-and-jobs 3.7).
import { defineJob } from '../job.ts';
import { WireJobPayload, jobTypes } from '../job-types.ts';

/** The declaration. It shares the mailbox of batch imports: two imports of one repository would make the same headings. */
export const importFormat = defineJob({
  name: 'import-format',
  wireName: 'import_job',
  doc: 'Imports files of a format, such as EAD, all or nothing.',
  payload: WireJobPayload,
  mailbox: (payload) => `batch-import/${payload.repoId}`,
  needs: ({ repoId }) => ['create_job', ...(jobTypes['import_job']?.create ?? [])].map((code) => ({ code, repoId })),
  attempts: 10,
  timeoutSeconds: 6 * 3600,
  progressUnit: 'records',
});

// Job: import files of a format (EAD and others) into a repository, all or nothing (contract trees-and-jobs 3.7).
import { says } from '../checking/wording.ts';
import { importFormats } from '../formats/import-types.ts';
import { defineJob } from '../job.ts';
import { needed, text } from '../job-parameters.ts';
import { textOf } from '../json.ts';

/** The declaration. It shares the mailbox of batch imports: two imports of one repository would make the same headings. */
export const importFormat = defineJob({
  name: 'import-format',
  doc: 'Imports files of a format, such as EAD, all or nothing.',
  wire: {
    name: 'import_job',
    title: 'Import Data',
    create: ['import_records'],
    cancel: ['cancel_importer_job'],
    parameters: {
      filenames: { type: 'texts', required: true },
      import_type: needed,
      import_events: text,
      import_subjects: text,
      import_repository: text,
      only_validate: text,
    },
    rule: (job) => {
      const type = textOf(job, 'import_type') ?? '';
      return importFormats.has(type) ? null : { import_type: [says.outside(type, [...importFormats.keys()])] };
    },
  },
  mailbox: (payload) => `batch-import/${payload.repoId}`,
  attempts: 10,
  timeoutSeconds: 6 * 3600,
  progressUnit: 'records',
});

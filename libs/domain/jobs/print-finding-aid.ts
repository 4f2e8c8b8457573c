// Job: prints the finding aid of a resource as a PDF (contract trees-and-jobs 3.6, exports 11). Clients make it by its wire name; the
// GET of a PDF stands on it, too.
import { defineJob, inRepository } from '../job.ts';
import { flag, needed } from '../job-parameters.ts';
import { isObject } from '../json.ts';

/** The declaration. Each owner has a mailbox of their own: printing only reads. */
export const printFindingAid = defineJob({
  name: 'print-finding-aid',
  doc: 'Prints the finding aid of a resource as a PDF.',
  wire: {
    name: 'print_to_pdf_job',
    title: 'Print to PDF',
    create: [],
    cancel: [],
    parameters: { source: needed, include_unpublished: flag },
    // Printed as its owner sees the repository, whose agent may have contacts.
    filesShowContacts: (result) => isObject(result) && result['contacts'] === true,
  },
  mailbox: (payload) => `print/${payload.repoId}/${payload.actor ?? ''}`,
  // What a GET stands on needs no right to make jobs. Clients cannot say so: their jobs have the declared parameters alone.
  needs: ({ repoId, job }) =>
    inRepository(repoId, ...(job['of_request'] === true ? [] : ['create_job']), 'view_repository'),
  attempts: 3,
  timeoutSeconds: 3600,
  progressUnit: 'components',
});

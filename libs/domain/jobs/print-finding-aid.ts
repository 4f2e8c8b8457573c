// Job: prints the finding aid of a resource as a PDF (contract trees-and-jobs 3.6, exports 11). Clients make it by its wire name; the
// GET of a PDF stands on it, too.
import { defineJob } from '../job.ts';
import { WireJobPayload } from '../job-types.ts';

/** The declaration. Each owner has a mailbox of their own: printing only reads. */
export const printFindingAid = defineJob({
  name: 'print-finding-aid',
  wireName: 'print_to_pdf_job',
  doc: 'Prints the finding aid of a resource as a PDF.',
  payload: WireJobPayload,
  mailbox: (payload) => `print/${payload.repoId}/${payload.actor ?? ''}`,
  attempts: 3,
  timeoutSeconds: 3600,
  progressUnit: 'components',
});

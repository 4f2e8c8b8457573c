// Job: takes the prefix `ns2:` out of the markup in notes, in all repositories (contract trees-and-jobs 3.4).
// In steps that may be repeated: a clean record is left alone.
import { defineJob } from '../job.ts';
import { WireJobPayload } from '../job-types.ts';

/** The declaration. */
export const removeNs2 = defineJob({
  name: 'remove-ns2',
  wireName: 'ns2_remover_job',
  doc: 'Takes the prefix ns2: out of the markup in notes, in all repositories.',
  payload: WireJobPayload,
  mailbox: () => 'remove-ns2',
  attempts: 3,
  timeoutSeconds: 21600,
  progressUnit: 'records',
});

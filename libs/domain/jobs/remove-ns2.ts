// Job: takes the prefix `ns2:` out of the markup in notes, in all repositories (contract trees-and-jobs 3.4).
// In steps that may be repeated: a clean record is left alone.
import { defineJob } from '../job.ts';

/** The declaration. */
export const removeNs2 = defineJob({
  name: 'remove-ns2',
  doc: 'Takes the prefix ns2: out of the markup in notes, in all repositories.',
  wire: {
    name: 'ns2_remover_job',
    title: 'Remove ns2 Prefixes',
    create: ['administer_system'],
    cancel: ['administer_system'],
    parameters: { dry_run: { type: 'boolean', default: false } },
  },
  mailbox: () => 'remove-ns2',
  attempts: 3,
  timeoutSeconds: 21600,
  progressUnit: 'records',
});

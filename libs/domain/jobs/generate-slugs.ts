// Job: makes the slugs of all records whose slugs are made for them.
// In steps that may be repeated: a slug that fits stays, so that addresses in print go on leading somewhere.
import { defineJob } from '../job.ts';

/** The declaration. */
export const generateSlugs = defineJob({
  name: 'generate-slugs',
  doc: 'Makes the slugs of all records whose slugs are made for them.',
  wire: {
    name: 'generate_slugs_job',
    title: 'Generate Slugs',
    create: ['administer_system'],
    cancel: ['administer_system'],
    parameters: {},
  },
  mailbox: () => 'generate-slugs',
  attempts: 3,
  timeoutSeconds: 21600,
  progressUnit: 'records',
});

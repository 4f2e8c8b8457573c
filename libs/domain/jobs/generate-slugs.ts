// Job: makes the slugs of all records whose slugs are made for them.
// In steps that may be repeated: a slug that fits stays, so that addresses in print go on leading somewhere.
import { defineJob } from '../job.ts';
import { WireJobPayload } from '../job-types.ts';

/** The declaration. */
export const generateSlugs = defineJob({
  name: 'generate-slugs',
  wireName: 'generate_slugs_job',
  doc: 'Makes the slugs of all records whose slugs are made for them.',
  payload: WireJobPayload,
  mailbox: () => 'generate-slugs',
  attempts: 3,
  timeoutSeconds: 21600,
  progressUnit: 'records',
});

// Job: gives ARKs to the resources and archival objects that lack a fitting one.
// In steps that may be repeated: who has one is left alone.
import { defineJob } from '../job.ts';
import { WireJobPayload } from '../job-types.ts';

/** The declaration. */
export const generateArks = defineJob({
  name: 'generate-arks',
  wireName: 'generate_arks_job',
  doc: 'Gives ARKs to the resources and archival objects that lack a fitting one.',
  payload: WireJobPayload,
  mailbox: () => 'generate-arks',
  attempts: 3,
  timeoutSeconds: 21600,
  progressUnit: 'records',
});

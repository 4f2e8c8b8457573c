// Job: gives ARKs to the resources and archival objects that lack a fitting one.
// In steps that may be repeated: who has one is left alone.
import { defineJob } from '../job.ts';

/** The declaration. */
export const generateArks = defineJob({
  name: 'generate-arks',
  doc: 'Gives ARKs to the resources and archival objects that lack a fitting one.',
  wire: {
    name: 'generate_arks_job',
    title: 'Generate ARKs',
    create: ['administer_system'],
    cancel: ['administer_system'],
    parameters: {},
  },
  mailbox: () => 'generate-arks',
  attempts: 3,
  timeoutSeconds: 21600,
  progressUnit: 'records',
});

// Job: what a merge led over in steps is led back where it did not end. It is made with the first of the steps and stands behind the merge in its mailbox, so that it runs
// when the merge has ended, however that was; mostly there is nothing to do.
import { z } from 'zod';
import { defineJob } from '../job.ts';

/** The merge, by the number of its job. */
const LeadBackPayload = z.object({ mergeId: z.int() });

/** The declaration. Merges in steps are of global records: one mailbox (merge-records.ts). */
export const leadBack = defineJob({
  name: 'lead-back',
  doc: 'Leads refs back to the records of a merge that was canceled or refused after its first steps.',
  payload: LeadBackPayload,
  mailbox: () => 'merge',
  reason: ({ mergeId }) => ({ follows: { id: mergeId, repoId: null } }),
  attempts: 10,
  timeoutSeconds: 3600,
  progressUnit: 'links',
});

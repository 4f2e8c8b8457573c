// Job: what a merge led over in steps, or a deletion took out of holders, is led back where it did not end. It is made with the first of the steps and stands behind that job in its mailbox, so that it runs
// when that has ended, however that was; mostly there is nothing to do.
import { z } from 'zod';
import { defineJob } from '../job.ts';
import { holdersMailbox } from '../merges/mailbox.ts';

/** The merge or the deletion, by the number of its job, and the repository of its records (null: global ones). */
const LeadBackPayload = z
  .union([z.object({ mergeId: z.int() }), z.object({ deletionId: z.int() })])
  .and(z.object({ repoId: z.int().nullable().default(null) }));

/** The declaration. */
export const leadBack = defineJob({
  name: 'lead-back',
  doc: 'Leads refs back to the records of a merge or deletion that was canceled or refused after its first steps.',
  payload: LeadBackPayload,
  mailbox: ({ repoId }) => holdersMailbox(repoId),
  reason: ({ repoId, ...payload }) => ({
    follows: { id: 'mergeId' in payload ? payload.mergeId : payload.deletionId, repoId },
  }),
  attempts: 10,
  timeoutSeconds: 3600,
  progressUnit: 'links',
});

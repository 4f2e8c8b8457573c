// Job: what a merge led over in steps, or a deletion took out of holders, is led back where it did not end. It is made with the first of the steps and stands behind that job in its mailbox, so that it runs
// when that has ended, however that was; mostly there is nothing to do.
import { z } from 'zod';
import { defineJob } from '../job.ts';
import { mergeMailbox } from './merge-records.ts';

/** The merge or the deletion, by the number of its job. */
const LeadBackPayload = z.union([z.object({ mergeId: z.int() }), z.object({ deletionId: z.int() })]);

/** The declaration. Steps are of global records: one mailbox (merge-records.ts). */
export const leadBack = defineJob({
  name: 'lead-back',
  doc: 'Leads refs back to the records of a merge or deletion that was canceled or refused after its first steps.',
  payload: LeadBackPayload,
  mailbox: () => mergeMailbox(null),
  reason: (payload) => ({ follows: { id: 'mergeId' in payload ? payload.mergeId : payload.deletionId, repoId: null } }),
  attempts: 10,
  timeoutSeconds: 3600,
  progressUnit: 'links',
});

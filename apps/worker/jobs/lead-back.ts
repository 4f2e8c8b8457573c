// Handler of the way back of merges that did not end: steps of a thousand holders.
import { leadBack } from '#domain/jobs/lead-back.ts';
import { defineHandler } from '../handler.ts';
import { leadHoldersBack } from '../job-steps/merge-in-steps.ts';

/** Leads back what is still led over; nothing where the merge has ended. */
export const handler = defineHandler(leadBack, async ({ mergeId }, context) => leadHoldersBack(context, mergeId));

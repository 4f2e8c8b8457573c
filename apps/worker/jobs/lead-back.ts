// Handler of the way back of merges and deletions that did not end: steps of some hundred holders.
import { leadBack } from '#domain/jobs/lead-back.ts';
import { defineHandler } from '../handler.ts';
import { leadHoldersBack, linkHoldersBack } from '../job-steps/steps-back.ts';

/** Leads back what is still led over or away; nothing where the job that did it has ended. */
export const handler = defineHandler(leadBack, async (payload, context) =>
  'mergeId' in payload ? leadHoldersBack(context, payload.mergeId) : linkHoldersBack(context, payload.deletionId),
);

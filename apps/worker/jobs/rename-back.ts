// Handler of the way back of renamings that did not end: steps of some hundred records.
import { renameBack } from '#domain/jobs/rename-back.ts';
import { defineHandler } from '../handler.ts';
import { takeRenamingBack } from '../job-steps/rename-in-steps.ts';

/** Gives records the old text back; nothing where the job that renamed them has ended. */
export const handler = defineHandler(renameBack, async ({ renamingId }, context) =>
  takeRenamingBack(context, renamingId),
);

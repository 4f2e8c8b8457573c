// Job: a merge is undone, in the mailbox of merges.
import { z } from 'zod';
import { defineJob } from '../job.ts';

/** Which merge, by the number of its job; in which repository (null: of global records), and for whom. */
export const UndoMergePayload = z.object({ mergeId: z.int(), repoId: z.int().nullable(), actor: z.string().nullable() });

/** The declaration. */
export const undoMerge = defineJob({
  name: 'undo-merge',
  doc: 'Puts back what a merge took together.',
  payload: UndoMergePayload,
  mailbox: (payload) => (payload.repoId === null ? 'merge' : `merge/${payload.repoId}`),
  attempts: 5,
  timeoutSeconds: 3600,
  progressUnit: 'links',
});

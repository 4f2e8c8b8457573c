// Job: a merge is undone, in the mailbox of merges.
import { z } from 'zod';
import { defineJob } from '../job.ts';
import type { MergeWhat } from '../merges/merges.ts';
import { isMergeWhat, merges } from '../merges/merges.ts';
import { holdersMailbox } from '../merges/mailbox.ts';

/** Which merge, by the number of its job; of what (absent: not told), in which repository (null: of global records), and for whom. */
const UndoMergePayload = z.object({
  mergeId: z.int(),
  what: z.custom<MergeWhat>(isMergeWhat).optional(),
  repoId: z.int().nullable(),
  actor: z.string().nullable(),
});

/** The declaration. */
export const undoMerge = defineJob({
  name: 'undo-merge',
  doc: 'Puts back what a merge took together.',
  payload: UndoMergePayload,
  mailbox: ({ repoId }) => holdersMailbox(repoId),
  needs: ({ what, repoId }) => (what === undefined ? [] : [{ code: merges[what].permission, repoId }]),
  reason: ({ mergeId, repoId }) => ({ follows: { id: mergeId, repoId } }),
  attempts: 5,
  timeoutSeconds: 3600,
  progressUnit: 'links',
});

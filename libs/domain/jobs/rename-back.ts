// Job: records that were given the new text of a controlled value in steps get the old one back where the renaming did not end. It is made with the first of the steps and stands behind that job in its
// mailbox, so that it runs when that has ended, however that was; mostly there is nothing to do.
import { z } from 'zod';
import { defineJob } from '../job.ts';
import { listsMailbox } from './rename-value.ts';

/** The declaration. The renaming is told by the number of its job. */
export const renameBack = defineJob({
  name: 'rename-back',
  doc: 'Gives records back the text of a controlled value whose renaming was canceled or refused after its first steps.',
  payload: z.object({ renamingId: z.int() }),
  mailbox: () => listsMailbox,
  reason: ({ renamingId }) => ({ follows: { id: renamingId, repoId: null } }),
  attempts: 10,
  timeoutSeconds: 6 * 3600,
  progressUnit: 'records',
});

// Handler of undone merges: one transaction.
import { undoMerge } from '#domain/jobs/undo-merge.ts';
import type { Undone } from '#store/merges/undo.ts';
import { undoMerge as undo } from '#store/merges/undo.ts';
import { defineHandler } from '../handler.ts';
import { undoOthersSteps } from '../job-steps/steps-back.ts';

/** Undoes the merge; the value names the record that stayed and those that are back. */
export const handler = defineHandler(undoMerge, async ({ mergeId, repoId, actor }, context) => {
  if (repoId === null) await undoOthersSteps(context);
  return context.transaction(
    async (tx) => {
      const valueOf = ({ survivor, restored }: Undone) => ({ survivor, restored: [...restored] });
      return valueOf(await undo(tx, mergeId, actor, (undone) => context.completeAhead(tx, valueOf(undone))));
    },
    { statementTimeoutMs: undoMerge.timeoutSeconds * 1000 },
  );
});

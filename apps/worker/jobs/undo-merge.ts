// Handler of undone merges: one transaction; where there are many holders of refs, steps behind it that lead most of them back, which the job in its mailbox does that is made with it where they do not end.
import { leadBack } from '#domain/jobs/lead-back.ts';
import { undoMerge } from '#domain/jobs/undo-merge.ts';
import type { Json } from '#domain/json.ts';
import { readBegun } from '#store/merges/begun.ts';
import { uriOfRecord } from '#store/merges/check.ts';
import type { Undone } from '#store/merges/undo.ts';
import { undoMerge as undo } from '#store/merges/undo.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import type { JobContext } from '../handler.ts';
import { defineHandler } from '../handler.ts';
import { leadHoldersBack, undoOthersSteps } from '../job-steps/steps-back.ts';

/** Undoes the merge; the value names the record that stayed and those that are back. */
export const handler = defineHandler(undoMerge, async ({ mergeId, repoId, actor }, context) => {
  await undoOthersSteps(context, repoId);
  // A run before this one may have come as far as the steps; what is undone is not undone again.
  const begun = await readBegun(context.database.reader, context.jobId);
  const undone =
    begun === null
      ? await undoNow(context, { mergeId, repoId, actor })
      : { survivor: uriOfRecord(begun.survivor), restored: begun.gone.map(uriOfRecord), hasLeft: true };
  const value = valueOf(undone);
  if (undone.hasLeft) await leadHoldersBack(context, context.jobId, (tx) => context.complete(tx, value));
  return value;
});

type Undo = { readonly mergeId: number; readonly repoId: number | null; readonly actor: string | null };

const valueOf = ({ survivor, restored }: Undone): Json => ({ survivor, restored: [...restored] });

const undoNow = (context: JobContext, { mergeId, repoId, actor }: Undo) =>
  context.transaction(
    async (tx) => {
      const undone = await undo(tx, mergeId, actor, {
        stepsOf: context.jobId,
        beforeTrees: (ahead) => context.completeAhead(tx, valueOf(ahead)),
      });
      if (undone.hasLeft) await enqueueJob(tx, leadBack, { mergeId: context.jobId, repoId });
      return undone;
    },
    { statementTimeoutMs: undoMerge.timeoutSeconds * 1000 },
  );

// Handler of large deletions: one transaction, since half of a tree that was deleted could not be put back; where many link to it, steps before it that take their refs out.
import { kindNamed } from '#domain/addresses.ts';
import { deleteRecord } from '#domain/jobs/delete-record.ts';
import { deleteRecord as remove } from '#store/records/deleting/delete.ts';
import { endDeletion } from '#store/records/deleting/unlink-first.ts';
import { defineHandler } from '../handler.ts';
import { unlinkHolders } from '../job-steps/delete-in-steps.ts';
import { undoOthersSteps } from '../job-steps/steps-back.ts';

/** Deletes the record; the value tells how many records went, those that came below it in the moment before the end among them. */
export const handler = defineHandler(
  deleteRecord,
  async ({ kind, id, repoId, lockVersion, isHeldByMany, actor }, context) => {
    // Others are in no mailbox of steps.
    const inSteps = repoId === null || isHeldByMany;
    if (inSteps) {
      await undoOthersSteps(context, repoId);
      await unlinkHolders(context, { repoId, records: [{ kind, id }] }, { lockVersion, actor });
    }
    return context.transaction(
      async (tx) => {
        if (inSteps) await endDeletion(tx, context.jobId);
        let deleted = 0;
        const all = await remove(tx, kindNamed(kind), id, repoId, actor, lockVersion, async (gone) => {
          deleted = gone.length;
          await context.completeAhead(tx, { deleted });
        });
        if (all.length > deleted) await context.amend(tx, { deleted: all.length });
        return { deleted: all.length };
      },
      { statementTimeoutMs: deleteRecord.timeoutSeconds * 1000 },
    );
  },
);

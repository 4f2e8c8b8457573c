// Handler of deletions of several records: one transaction, all or none; where many link to them, steps before it that take their refs out. Of records of several repositories only those that are of none go so: there is no mailbox in which
// transfers from all of these would wait (docs/decisions/0046).
import { deleteRecords, stepsRepositoryOf } from '#domain/jobs/delete-records.ts';
import { deleteAllNamed, keysInSets, readNamed } from '#store/records/deleting/batch-delete.ts';
import { endDeletion } from '#store/records/deleting/unlink-first.ts';
import { defineHandler } from '../handler.ts';
import { unlinkHolders } from '../job-steps/delete-in-steps.ts';
import { undoOthersSteps } from '../job-steps/steps-back.ts';

/** Deletes the records; the value tells how many were named. */
export const handler = defineHandler(deleteRecords, async ({ uris, by }, context) => {
  const named = uris.flatMap((uri) => readNamed(uri) ?? []);
  const repoId = stepsRepositoryOf(uris);
  const records = keysInSets(named.filter((each) => each.repoId === repoId));
  await undoOthersSteps(context, repoId);
  await unlinkHolders(context, { repoId, records }, { lockVersion: null, actor: by.actor });
  return context.transaction(
    async (tx) => {
      await endDeletion(tx, context.jobId);
      const value = { deleted: uris.length };
      await deleteAllNamed(tx, named, by, () => context.completeAhead(tx, value));
      return value;
    },
    { statementTimeoutMs: deleteRecords.timeoutSeconds * 1000 },
  );
});

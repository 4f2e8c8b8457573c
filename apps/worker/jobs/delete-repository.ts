// Handler of deletions of repositories: one transaction.
import { deleteRepository } from '#domain/jobs/delete-repository.ts';
import { deleteRepository as remove } from '#store/repositories/repositories.ts';
import { defineHandler } from '../handler.ts';
import { undoOthersSteps } from '../job-steps/steps-back.ts';

/** Deletes the repository. */
export const handler = defineHandler(deleteRepository, async ({ repoId, actor, lockVersion }, context) => {
  await undoOthersSteps(context, repoId);
  return context.transaction(
    async (tx) => {
      await remove(tx, repoId, actor, lockVersion);
      await context.complete(tx, { deleted: repoId });
      return { deleted: repoId };
    },
    { statementTimeoutMs: deleteRepository.timeoutSeconds * 1000 },
  );
});

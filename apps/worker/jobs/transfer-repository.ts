// Handler of transfers of whole repositories: one transaction.
import { transferRepository } from '#domain/jobs/transfer-repository.ts';
import { transferRepository as transfer } from '#store/transfers/transfer.ts';
import { defineHandler } from '../handler.ts';
import { undoOthersSteps } from '../job-steps/steps-back.ts';

/** Moves everything; the value tells how many records went. */
export const handler = defineHandler(transferRepository, async (route, context) => {
  await undoOthersSteps(context, route.from);
  return context.transaction(
    async (tx) => {
      const moved = await transfer(tx, route);
      await context.complete(tx, { moved });
      return { moved };
    },
    { statementTimeoutMs: transferRepository.timeoutSeconds * 1000 },
  );
});

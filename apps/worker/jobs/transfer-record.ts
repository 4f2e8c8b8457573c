// Handler of transfers of one record: one transaction.
import { kindNamed } from '#domain/addresses.ts';
import { transferRecord } from '#domain/jobs/transfer-record.ts';
import { transferRecord as transfer } from '#store/transfers/transfer.ts';
import { generatedValues } from '../../generated-values.ts';
import { defineHandler } from '../handler.ts';
import { undoOthersSteps } from '../job-steps/steps-back.ts';

/** Moves the record; the value tells how many records went. */
export const handler = defineHandler(transferRecord, async ({ kind, id, from, to, actor }, context) => {
  await undoOthersSteps(context, from);
  return context.transaction(
    async (tx) => {
      const moved = await transfer(
        tx,
        kindNamed(kind),
        id,
        { from, to, actor },
        { at: new Date().toISOString(), generatedValues },
      );
      await context.complete(tx, { moved });
      return { moved };
    },
    { statementTimeoutMs: transferRecord.timeoutSeconds * 1000 },
  );
});

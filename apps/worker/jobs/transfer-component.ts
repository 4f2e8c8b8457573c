// Handler of component transfers: one transaction.
import { transferComponent } from '#domain/jobs/transfer-component.ts';
import { transferComponent as transfer } from '#store/transfers/component.ts';
import { generatedValues } from '../../generated-values.ts';
import { defineHandler } from '../handler.ts';

/** Moves the component; the value has the uri of the event. */
export const handler = defineHandler(transferComponent, async (payload, context) =>
  context.transaction(
    async (tx) => {
      const event = await transfer(tx, payload, { at: new Date().toISOString(), generatedValues });
      await context.complete(tx, { event });
      return { event };
    },
    { statementTimeoutMs: transferComponent.timeoutSeconds * 1000 },
  ),
);

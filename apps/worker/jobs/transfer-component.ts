// Handler of component transfers: one transaction.
import { transferComponent } from '#domain/jobs/transfer-component.ts';
import { transferComponent as transfer } from '#store/transfers/component.ts';
import { generatedValues } from '../../generated-values.ts';
import { defineHandler } from '../handler.ts';

/** Moves the component; the value has the uri of the event. */
export const handler = defineHandler(transferComponent, async (payload, context) =>
  context.transaction(
    async (tx) => {
      const time = { at: new Date().toISOString(), generatedValues };
      return { event: await transfer(tx, payload, time, (event) => context.completeAhead(tx, { event })) };
    },
    { statementTimeoutMs: transferComponent.timeoutSeconds * 1000 },
  ),
);

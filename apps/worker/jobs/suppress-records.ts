// Handler of suppression in trees: one transaction in the mailbox of the root.
import { kindNamed } from '#domain/addresses.ts';
import { suppressRecords } from '#domain/jobs/suppress-records.ts';
import { suppressRecord } from '#store/records/visibility/suppress.ts';
import { defineHandler } from '../handler.ts';

/** Suppresses the record with all below it, or shows it again; the value tells how many records were written. */
export const handler = defineHandler(suppressRecords, async ({ kind, id, repoId, suppressed, actor }, context) =>
  context.transaction(
    async (tx) => {
      const written = await suppressRecord(tx, { kind: kindNamed(kind), id, repoId, suppressed, actor });
      await context.complete(tx, { written });
      return { written };
    },
    { statementTimeoutMs: suppressRecords.timeoutSeconds * 1000 },
  ),
);

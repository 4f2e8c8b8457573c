// Handler of publishing in trees: one transaction in the mailbox of the root.
import { kindNamed } from '#domain/addresses.ts';
import { publishRecords } from '#domain/jobs/publish-records.ts';
import { publishRecord } from '#store/records/visibility/publish.ts';
import { defineHandler } from '../handler.ts';

/** Publishes or unpublishes the record with all below it; the value tells how many records were written. */
export const handler = defineHandler(
  publishRecords,
  async ({ kind, id, repoId, publish, seesSuppressed, actor }, context) =>
    context.transaction(
      async (tx) => {
        const written = await publishRecord(tx, { kind: kindNamed(kind), id, repoId, publish, seesSuppressed, actor });
        await context.complete(tx, { written });
        return { written };
      },
      { statementTimeoutMs: publishRecords.timeoutSeconds * 1000 },
    ),
);

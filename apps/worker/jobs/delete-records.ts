// Handler of deletions of several records: one transaction, all or none.
import { deleteRecords } from '#domain/jobs/delete-records.ts';
import { deleteAllNamed, readNamed } from '#store/records/deleting/batch-delete.ts';
import { defineHandler } from '../handler.ts';

/** Deletes the records; the value tells how many were named. */
export const handler = defineHandler(deleteRecords, async ({ uris, by }, context) =>
  context.transaction(
    async (tx) => {
      const value = { deleted: uris.length };
      const named = uris.flatMap((uri) => readNamed(uri) ?? []);
      await deleteAllNamed(tx, named, by, () => context.completeAhead(tx, value));
      return value;
    },
    { statementTimeoutMs: deleteRecords.timeoutSeconds * 1000 },
  ),
);

// Handler of large deletions: one transaction, since half of a tree that was deleted could not be put back.
import { kindNamed } from '#domain/addresses.ts';
import { deleteRecord } from '#domain/jobs/delete-record.ts';
import { deleteRecord as remove } from '#store/records/deleting/delete.ts';
import { defineHandler } from '../handler.ts';

/** Deletes the record; the value tells how many records went. */
export const handler = defineHandler(deleteRecord, async ({ kind, id, repoId, lockVersion, actor }, context) =>
  context.transaction(
    async (tx) => {
      const gone = await remove(tx, kindNamed(kind), id, repoId, actor, lockVersion);
      const value = { deleted: gone.length };
      await context.complete(tx, value);
      return value;
    },
    { statementTimeoutMs: deleteRecord.timeoutSeconds * 1000 },
  ),
);

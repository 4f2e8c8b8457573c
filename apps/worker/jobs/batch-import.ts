// Handler of batch imports (contract trees-and-jobs 2): the stored upload, cut into blocks, goes into the repository or nothing does.
import { batchImport } from '#domain/jobs/batch-import.ts';
import { readBlobDescription } from '#store/files/blobs.ts';
import { readUpload } from '#store/batch-import/read-upload.ts';
import { openSaved } from '#store/batch-import/saved.ts';
import { renewStatistics } from '#store/maintenance/statistics.ts';
import { withAllFaults } from '../batch-import/find-faults.ts';
import type { BatchInput, BatchOutcome } from '../batch-import/import.ts';
import { importBatch, joined } from '../batch-import/import.ts';
import { defineHandler } from '../handler.ts';
import { errorLines } from '../formats/import-log.ts';
import { isEndOfJob } from '../running/run.ts';

// A million records take minutes; each single statement stays far below this.
const statementTimeoutMs = 3_600_000;

/** Imports the upload. The value names the blob that holds the text of the `saved` object, or null where it was not asked for. */
export const handler = defineHandler(batchImport, async (payload, context) => {
  const { database } = context;
  const sizeBytes = (await readBlobDescription(database, payload.blobId))?.sizeBytes;
  const input: BatchInput = {
    source: () => readUpload(database, payload.blobId),
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
    repoId: payload.repoId,
    actor: payload.actor,
    migration: payload.migration,
  };
  const isDetached = payload.isDetached === true;
  const imported = context.transaction(
    async (tx) => {
      const saved = payload.skipResults ? null : await openSaved(tx, isDetached);
      const valueOf = ({ total, reused, created }: BatchOutcome) => ({
        total,
        reused,
        created,
        saved_blob: saved?.blobId ?? null,
        ...(isDetached ? { saved_is_file: true } : {}),
      });
      const outcome = await importBatch(
        tx,
        saved === null
          ? input
          : { ...input, onSaved: (on, created, reused) => saved.append(on, joined([created, reused])) },
        context,
        async (written) => {
          await saved?.close(tx);
          if (saved !== null && isDetached) await context.addOutputFile(tx, saved.blobId);
          await context.completeAhead(tx, valueOf(written));
        },
      );
      return valueOf(outcome);
    },
    { statementTimeoutMs },
  );
  const value = await imported.catch(async (error: unknown) => {
    const failure = await withAllFaults(error, input, context, statementTimeoutMs);
    // Whoever does not wait reads the log in place of the stream.
    if (isDetached && isEndOfJob(failure, context, batchImport)) context.tellFailure(errorLines(failure));
    throw failure;
  });
  await renewStatistics(database, value.total);
  return value;
});

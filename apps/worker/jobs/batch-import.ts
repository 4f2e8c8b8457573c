// Handler of batch imports (contract trees-and-jobs 2): the stored upload, cut into blocks, goes into the repository or nothing does.
import { scanRecords } from '#domain/batch/record-scanner.ts';
import { batchImport } from '#domain/jobs/batch-import.ts';
import type { Json } from '#domain/json.ts';
import { readBlob } from '#store/blobs.ts';
import { openSaved } from '#store/bulk/saved.ts';
import { importBatch } from '../batch/import.ts';
import { defineHandler } from '../context.ts';

// A million records take minutes; each single statement stays far below this.
const statementTimeoutMs = 3_600_000;

/** Imports the upload. The value names the blob that holds the text of the `saved` object, or null where it was not asked for. */
export const handler = defineHandler(batchImport, async (payload, context) => {
  const { database } = context;
  return context.transaction(async (tx) => {
    const saved = payload.skipResults ? null : await openSaved(tx);
    const outcome = await importBatch(tx, {
      blocks: () => scanRecords(readBlob(database, payload.blobId)),
      repoId: payload.repoId,
      actor: payload.actor,
      migration: payload.migration,
      ...(saved === null ? {} : { onSaved: (on, text) => saved.append(on, text) }),
    }, context);
    await saved?.close(tx);
    const value: Json = { total: outcome.total, reused: outcome.reused, created: outcome.created, saved_blob: saved?.blobId ?? null };
    await context.complete(tx, value);
    return value;
  }, { statementTimeoutMs });
});

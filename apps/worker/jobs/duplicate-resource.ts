// Handler of copying a resource: the tree is written out as a batch, which the engine of imports takes in, in one transaction.
import { randomUUID } from 'node:crypto';
import { parseUri } from '#domain/addresses.ts';
import { copyOfComponent, copyOfResource } from '#domain/tree/resource-copy.ts';
import { fail } from '#domain/errors.ts';
import { duplicateResource } from '#domain/jobs/duplicate-resource.ts';
import type { Json } from '#domain/json.ts';
import { textOf } from '#domain/json.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { resource } from '#domain/kinds/resource.ts';
import { can } from '#domain/access/caller.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { deleteUpload, readUpload } from '#store/batch-import/read-upload.ts';
import { renewStatistics } from '#store/maintenance/statistics.ts';
import type { TreeRecords } from '#store/trees/records.ts';
import { treeRecords } from '#store/trees/records.ts';
import { importBatch } from '../batch-import/import.ts';
import type { JobContext } from '../handler.ts';
import { defineHandler } from '../handler.ts';

const statementTimeoutMs = 3_600_000;

/** Copies; the value tells the uri of the copy and how many records it has. */
export const handler = defineHandler(duplicateResource, async ({ repoId, actor, job }, context) => {
  const { database } = context;
  const address = parseUri(textOf(job, 'source') ?? '');
  if (address?.kind !== resource.name || address.repoId !== repoId)
    throw fail('bad_parameter', { source: ['Must be the uri of a resource of the repository of the job'] });
  const tree = {
    rootKind: resource,
    nodeKind: archivalObject,
    repoId,
    rootId: address.id,
    seesSuppressed: can(context.caller, 'view_suppressed', repoId),
  };
  const upload = await writeBlob(database, batchOf(tree, context), {
    fileName: 'copy.json',
    mediaType: 'application/json',
  });
  try {
    const done = await context.transaction(
      async (tx) => {
        const copies: string[] = [];
        const { created, total } = await importBatch(
          tx,
          {
            source: () => readUpload(database, upload.id),
            sizeBytes: upload.sizeBytes,
            repoId,
            actor,
            migration: false,
            // Written by rows.ts: "temporary": ["uri", id], …
            onSaved: async (_, saved) =>
              void copies.push(
                ...Object.values(
                  JSON.parse(`{${saved}}`) as { readonly [temporary: string]: readonly [string, number] },
                )
                  .map(([uri]) => uri)
                  .filter((uri) => parseUri(uri)?.kind === resource.name),
              ),
          },
          context,
        );
        await context.createdRecords(tx, copies);
        const value: Json = { uri: copies[0] ?? null, created };
        await context.complete(tx, value);
        return { value, total };
      },
      { statementTimeoutMs },
    );
    await renewStatistics(database, done.total);
    return done.value;
  } finally {
    // Where this fails, too, the upload expires within a day: no job names it.
    await deleteUpload(database, upload.id).catch(() => undefined);
  }
});

/** The copies as one JSON array. Fails with `not_found` where there is no such resource. */
async function* batchOf(tree: TreeRecords, { database, signal }: JobContext): AsyncGenerator<Uint8Array> {
  const names = { repoId: tree.repoId, importId: randomUUID() };
  let count = 0;
  for await (const record of treeRecords(database, tree)) {
    signal.throwIfAborted();
    yield Buffer.from(
      `${count === 0 ? '[' : ',\n'}${JSON.stringify(count === 0 ? copyOfResource(record, names) : copyOfComponent(record, names))}`,
    );
    count += 1;
  }
  if (count === 0) throw fail('not_found', `${tree.rootKind.model} not found`);
  yield Buffer.from(']');
}

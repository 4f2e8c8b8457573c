// Handler of container labels: the table that GET resource_labels answers, written into the output file as it comes.
import { parseUri } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { labelRefs, labelRows } from '#domain/formats/container-labels/rows.ts';
import { containerLabels } from '#domain/jobs/container-labels.ts';
import { textOf } from '#domain/json.ts';
import { resource } from '#domain/kinds/resource.ts';
import { can } from '#domain/access/caller.ts';
import { writeBlob } from '#store/files/blobs.ts';
import type { ExportTree } from '#store/exports/read-tree.ts';
import { exportTree } from '#store/exports/read-tree.ts';
import type { JobContext } from '../handler.ts';
import { defineHandler } from '../handler.ts';

/** Writes the file; the value tells how many labels it has. */
export const handler = defineHandler(containerLabels, async ({ repoId, job }, context) => {
  const { caller, database, signal } = context;
  const address = parseUri(textOf(job, 'source') ?? '');
  if (address?.kind !== resource.name || address.repoId !== repoId)
    throw fail('bad_parameter', { source: ['Must be the uri of a resource of the repository of the job'] });
  const format = textOf(job, 'format') ?? 'tsv';
  if (format !== 'tsv') throw fail('bad_parameter', { format: ['Must be tsv'] });
  const viewer = {
    seesSuppressed: can(caller, 'view_suppressed', repoId),
    mayView: (id: number) => can(caller, 'view_repository', id),
  };
  const tree = await exportTree(
    database,
    { kind: resource, repoId, id: address.id },
    { publishedOnly: false, resolve: labelRefs, viewer, signal },
  );
  let lines = 0;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const text of labelRows(tree.root.record, counted(tree, context))) {
      lines += text.split('\n').length - 1;
      yield Buffer.from(text);
    }
  }
  const blob = await writeBlob(database, bytes(), {
    fileName: `container_labels_${address.id}.tsv`,
    mediaType: 'text/tab-separated-values',
  });
  const value = { labels: lines - 1, format };
  context.log(`${value.labels} labels of ${tree.root.uri}`);
  return context.transaction(async (tx) => {
    await context.addOutputFile(tx, blob.id);
    await context.complete(tx, value);
    return value;
  });
});

/** The blocks of the tree, shown as progress. */
async function* counted({ blocks, count }: ExportTree, { progress }: JobContext): ExportTree['blocks'] {
  let done = 0;
  for await (const block of blocks) {
    yield block;
    done += block.length;
    progress({ label: 'Writing', done, total: count });
  }
}

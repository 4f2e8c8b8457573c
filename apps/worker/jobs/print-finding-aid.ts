// Handler of printing: reads the tree block by block, sets it in a thread, writes the bytes into the output file as they come.
import { parseUri } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { identifierOf } from '#domain/formats/writing/context.ts';
import { exportFileName } from '#domain/formats/writing/file-name.ts';
import { findingAidRefs } from '#domain/formats/writing/refs.ts';
import { printFindingAid } from '#domain/jobs/print-finding-aid.ts';
import { textOf } from '#domain/json.ts';
import { resource } from '#domain/kinds/resource.ts';
import { can } from '#domain/access/caller.ts';
import { mayWantSuppressed, seesSuppressed } from '#domain/access/suppression.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { exportTree } from '#store/exports/read-tree.ts';
import { defineHandler } from '../handler.ts';
import { print } from '../formats/print.ts';
import type { PrintReport } from '../threads/print-tasks.ts';

/** Prints; the value tells how many pages and components the document has. */
export const handler = defineHandler(printFindingAid, async ({ repoId, job }, context) => {
  const { caller, database, signal, threads } = context;
  const address = parseUri(textOf(job, 'source') ?? '');
  if (address?.kind !== resource.name || address.repoId !== repoId)
    throw fail('bad_parameter', { source: ['Must be the uri of a resource of the repository of the job'] });
  const includeUnpublished = job['include_unpublished'] === true;
  const viewer = {
    seesSuppressed: seesSuppressed(caller, repoId, mayWantSuppressed(caller, repoId)),
    seesUse: false,
    seesConfidential: false,
    mayView: (repository: number) => can(caller, 'view_repository', repository),
  };
  const tree = await exportTree(
    database,
    { kind: resource, repoId, id: address.id },
    { publishedOnly: !includeUnpublished, resolve: findingAidRefs, viewer, signal },
  );
  if (tree.root.record['publish'] !== true) context.log('Warning: the resource is not published');
  const about = {
    flags: {
      includeUnpublished,
      includeDaos: job['include_daos'] !== false,
      includeUris: false,
      numberedComponents: false,
    },
    product: 'Muniment',
    createdAt: `${new Date().toISOString().slice(0, 19).replace('T', ' ')} UTC`,
    includeArks: false,
    deepest: tree.deepest,
  };
  let report: PrintReport | undefined;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    report = yield* print(threads, tree, about, {
      signal,
      onRecords: (done) => context.progress({ label: 'Printing', done, total: tree.count }),
    });
  }
  const fileName = exportFileName(identifierOf(tree.root.record), '_ead.pdf', new Date());
  const blob = await writeBlob(database, bytes(), { fileName, mediaType: 'application/pdf' });
  const { pages = 0, components = 0, lost = 0 } = report ?? {};
  context.log(`${fileName}: ${pages} pages, ${components} components`);
  if (lost > 0) context.log(`${lost} characters that the fonts of the document lack are shown as ?`);
  return context.transaction(async (tx) => {
    await context.addOutputFile(tx, blob.id);
    const value = { pages, components };
    await context.complete(tx, value);
    return value;
  });
});

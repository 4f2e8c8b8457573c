// Handler of printing: reads the tree block by block, sets it in a thread, writes the bytes into the output file as they come.
import { parseUri } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { showsContact } from '#domain/formats/writing/contact.ts';
import { identifierOf, resolvedOf } from '#domain/formats/writing/context.ts';
import { exportFileName } from '#domain/formats/writing/file-name.ts';
import { findingAidRefs } from '#domain/formats/writing/refs.ts';
import { printFindingAid } from '#domain/jobs/print-finding-aid.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectOf, textOf } from '#domain/json.ts';
import { resource } from '#domain/kinds/resource.ts';
import { can, canAnywhere } from '#domain/access/caller.ts';
import { mayWantSuppressed, seesSuppressed } from '#domain/access/suppression.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { exportTree } from '#store/exports/read-tree.ts';
import type { JobContext } from '../handler.ts';
import { defineHandler } from '../handler.ts';
import { readImage } from '../outgoing/read-image.ts';
import { print } from '../formats/print.ts';
import { tellMissing } from '../printing/missing.ts';
import type { PrintReport } from '../threads/print-tasks.ts';

/** Prints; the value tells how many pages and components the document has, and `contacts` where it shows those of the repository. */
export const handler = defineHandler(printFindingAid, async ({ repoId, job }, context) => {
  const { caller, database, signal, threads } = context;
  const address = parseUri(textOf(job, 'source') ?? '');
  if (address?.kind !== resource.name || address.repoId !== repoId)
    throw fail('bad_parameter', { source: ['Must be the uri of a resource of the repository of the job'] });
  const includeUnpublished = job['include_unpublished'] === true;
  const viewer = {
    seesSuppressed: seesSuppressed(caller, repoId, mayWantSuppressed(caller, repoId)),
    seesUse: false,
    seesConfidential: context.options.showsContacts === true || canAnywhere(caller, 'view_agent_contact_record'),
    mayView: (repository: number) => can(caller, 'view_repository', repository),
  };
  const tree = await exportTree(
    database,
    { kind: resource, repoId, id: address.id },
    { publishedOnly: !includeUnpublished, resolve: findingAidRefs, viewer, signal },
  );
  if (tree.root.record['publish'] !== true) context.log('Warning: the resource is not published');
  const showsContacts = showsContact(resolvedOf(objectOf(tree.root.record, 'repository')));
  const logo = await logoOf(tree.root.record, context);
  const about = {
    logo,
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
  const { pages = 0, components = 0, missing = [], logo: isShown = false } = report ?? {};
  context.log(`${fileName}: ${pages} pages, ${components} components`);
  if (logo !== null && !isShown) context.log('Warning: the logo of the repository could not be read');
  for (const line of tellMissing(missing)) context.log(line);
  return context.transaction(async (tx) => {
    await context.addOutputFile(tx, blob.id);
    const value = { pages, components, ...(showsContacts ? { contacts: true } : {}) };
    await context.complete(tx, value);
    return value;
  });
});

/** The picture that the repository's record names; null where there is none, or none that can be had, which the log tells. */
async function logoOf(resource: JsonObject, { options, signal, log }: JobContext): Promise<Uint8Array | null> {
  const url = textOf(resolvedOf(objectOf(resource, 'repository')), 'image_url');
  if (url === undefined) return null;
  const found = await readImage(url, { allowPrivate: options.allowPrivate === true, timeoutMs: 10_000, signal });
  if (typeof found !== 'string') return found;
  log(`Warning: the logo of the repository is left out. ${found}`);
  return null;
}

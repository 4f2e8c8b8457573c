// A finding aid in, a finding aid out: EAD through the reader and the batch import into an empty database, and out again by the export.
import { readValueLabels } from '#store/enumerations/value-labels.ts';
import { findingAidRefs } from '#domain/formats/writing/refs.ts';
import { exportTree } from '#store/exports/read-tree.ts';
import type { FindingAidFlags } from '#domain/formats/writing/finding-aid.ts';
import { writeEad2002 } from '#domain/formats/ead/writing/write-2002.ts';
import { writeEad3 } from '#domain/formats/ead/writing/write-3.ts';
import type { JsonObject } from '#domain/json.ts';
import { readEad } from '#domain/formats/ead/reading/read.ts';
import { parseUri } from '#domain/addresses.ts';
import { resource } from '#domain/kinds/resource.ts';
import { readLists } from '#store/enumerations/completed-lists.ts';
import { readLabels } from '../../apps/worker/formats/labels.ts';
import type { Importer } from './batch.ts';
import { inChunks } from './real-data.ts';

const label = readValueLabels();
const valuesByLabel = readLabels();

/** Imports a document; gives the id of its resource. */
export async function importEad(
  importer: Pick<Importer, 'database' | 'repoId' | 'run'>,
  bytes: Uint8Array,
): Promise<number> {
  const lists = new Map((await readLists(importer.database.reader)).map((list) => [list.name, new Set(list.all)]));
  const records: JsonObject[] = await Array.fromAsync(
    readEad(inChunks(bytes), {
      repositoryUri: `/repositories/${importer.repoId}`,
      importId: 'e0',
      isEnumerationValue: (list, value) => lists.get(list)?.has(value) ?? false,
      enumerationValueForLabel: (list, text) => valuesByLabel[list]?.[text.toLowerCase()],
    }),
  );
  const { saved } = await importer.run(records, { blockBytes: 500_000, chunkBytes: 65_536, repoId: importer.repoId });
  const uri = Object.values(saved)
    .map(([real]) => real)
    .find((each) => parseUri(each)?.kind === 'resource');
  return parseUri(uri ?? '')?.id ?? 0;
}

/** All that there is to see, without the addresses of the installation. */
export const everything: FindingAidFlags = {
  includeUnpublished: true,
  includeDaos: true,
  includeUris: false,
  numberedComponents: false,
};

/** Exports a resource as EAD3. */
export const exportEad3 = (importer: Pick<Importer, 'database' | 'repoId'>, id: number): Promise<string> =>
  exportEad(importer, id, everything, writeEad3);

/** Exports a resource as one text, with a fixed date of creation. */
export async function exportEad(
  importer: Pick<Importer, 'database' | 'repoId'>,
  id: number,
  flags: FindingAidFlags = everything,
  write = writeEad2002,
): Promise<string> {
  const tree = await exportTree(
    importer.database,
    { kind: resource, repoId: importer.repoId, id },
    {
      publishedOnly: !flags.includeUnpublished,
      resolve: findingAidRefs,
      viewer: { seesSuppressed: true, seesConfidential: true, mayView: () => true },
    },
  );
  const setting = {
    flags,
    label,
    product: 'Muniment',
    createdAt: '2026-01-01 00:00:00 UTC',
    includeArks: false,
    deepest: tree.deepest,
  };
  return (await Array.fromAsync(write(tree.root.record, tree.blocks, setting))).join('');
}

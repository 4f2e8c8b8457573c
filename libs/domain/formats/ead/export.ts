// oai_ead: whole finding aids in EAD 2002, and in EAD3 as our addition (contract OAI 11). One to a page, and streamed: a finding aid may be
// many megabytes.
import type { FindingAidSetting } from '../writing/finding-aid.ts';
import { writeEad2002 } from './writing/write-2002.ts';
import { writeEad3 } from './writing/write-3.ts';
import type { OaiContext, OaiFormat } from '../oai/format.ts';
import { withoutDeclaration } from '../oai/format.ts';

const flags = { includeUnpublished: false, includeDaos: false, includeUris: true, numberedComponents: false } as const;

async function* written(
  write: typeof writeEad2002,
  { openTree, label, product, showsArks, now }: OaiContext,
): AsyncGenerator<string> {
  const { root, blocks, deepest } = await openTree();
  const setting: FindingAidSetting = {
    flags,
    label,
    product,
    includeArks: showsArks,
    deepest,
    createdAt: `${now.toISOString().slice(0, 19).replace('T', ' ')} UTC`,
  };
  let isFirst = true;
  for await (const piece of write(root, blocks, setting)) {
    yield isFirst ? withoutDeclaration(piece) : piece;
    isFirst = false;
  }
}

/** Prefix `oai_ead`. */
export const oaiEad: OaiFormat = {
  prefix: 'oai_ead',
  schema: 'https://www.loc.gov/ead/ead.xsd',
  namespace: 'http://www.loc.gov/ead/',
  kinds: ['resource'],
  pageSize: 1,
  write: (_record, context) => written(writeEad2002, context),
};

/** Prefix `oai_ead3`. */
export const oaiEad3: OaiFormat = {
  prefix: 'oai_ead3',
  schema: 'https://www.loc.gov/ead/ead3.xsd',
  namespace: 'http://ead3.archivists.org/schema/',
  kinds: ['resource'],
  pageSize: 1,
  write: (_record, context) => written(writeEad3, context),
};

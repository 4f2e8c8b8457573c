// Finding aids in EAD 2002 and EAD3: streamed over HTTP, and whole ones for harvesters (contract, exports 1 to 3; OAI 11).
import type { OptionValues, TreeSource } from '../define-export.ts';
import { defineExport, defineHarvested, flag } from '../define-export.ts';
import type { ExportContext } from '../writing/context.ts';
import { identifierOf } from '../writing/context.ts';
import { settingOf, unpublishedOption } from '../writing/finding-aid.ts';
import { findingAidRefs } from '../writing/refs.ts';
import type { RunParts } from '../writing/tree-runs.ts';
import { streamTree } from '../writing/tree-stream.ts';
import { ead2002Parts, writeEad2002 } from './writing/write-2002.ts';
import { ead3Parts, writeEad3 } from './writing/write-3.ts';

const forHarvesters =
  (write: typeof writeEad2002) =>
  ({ root, blocks, deepest }: TreeSource, context: ExportContext): AsyncGenerator<string> =>
    write(
      root,
      blocks,
      settingOf(context, deepest, {
        includeUnpublished: false,
        includeDaos: false,
        includeUris: context.release === 'R-B',
        numberedComponents: false,
      }),
    );

const options = {
  include_unpublished: unpublishedOption,
  include_daos: flag({ default: false, doc: 'Digital objects as dao and daogrp.' }),
  include_uris: flag({
    default: true,
    doc: 'The records’ own URIs as unitid of type aspace_uri; not in release R-A.',
  }),
  numbered_cs: flag({ default: false, doc: 'c01, c02… where the tree is at most twelve deep.' }),
  ead3: flag({ default: false, doc: 'EAD3 instead of EAD 2002.' }),
  print_pdf: flag({ default: false, doc: 'In release R-A alone: go to the PDF.' }),
};

const partsOf = (
  { root, deepest }: Pick<TreeSource, 'root' | 'deepest'>,
  context: ExportContext,
  asked: OptionValues<typeof options>,
): RunParts =>
  (asked.ead3 ? ead3Parts : ead2002Parts)(
    root,
    settingOf(context, deepest, {
      includeUnpublished: context.includesUnpublished,
      includeDaos: asked.include_daos,
      includeUris: asked.include_uris && context.release === 'R-B',
      numberedComponents: asked.numbered_cs,
    }),
  );

/** A finding aid; harvesters get EAD 2002 of it. */
export const ead = defineExport({
  paths: { resource: '/repositories/:repo_id/resource_descriptions/:id.xml' },
  name: 'Ead',
  summary: 'Finding aid as EAD',
  doc: 'EAD 2002, or EAD3; valid whatever markup notes hold. Streamed: a failure after the first bytes cuts the connection.',
  says: 'The document.',
  mediaType: 'application/xml',
  access: 'view_repository',
  unpublished: 'include_unpublished',
  options,
  sentOn: {
    says: 'To the PDF, with the same query (`print_pdf`).',
    to: ({ print_pdf: isPrinted }, release) => (isPrinted && release === 'R-A' ? '.pdf' : null),
  },
  reads: 'tree',
  refs: findingAidRefs,
  parts: partsOf,
  write: (source, context, asked) => streamTree(source.blocks, partsOf(source, context, asked)),
  file: {
    summary: 'File name and type of a finding aid',
    base: (record) => identifierOf(record),
    suffix: (format) => `_ead.${format}`,
    mediaType: (format) => `application/${format}`,
    example: 'MS001_20260102_030405_UTC__ead.xml',
  },
  oai: {
    prefix: 'oai_ead',
    schema: 'https://www.loc.gov/ead/ead.xsd',
    namespace: 'http://www.loc.gov/ead/',
    kinds: ['resource'],
    place: 2,
    write: forHarvesters(writeEad2002),
  },
});

/** Prefix `oai_ead3`, our addition. */
export const oaiEad3 = defineHarvested({
  reads: 'tree',
  write: forHarvesters(writeEad3),
  oai: {
    prefix: 'oai_ead3',
    schema: 'https://www.loc.gov/ead/ead3.xsd',
    namespace: 'http://ead3.archivists.org/schema/',
    kinds: ['resource'],
  },
});

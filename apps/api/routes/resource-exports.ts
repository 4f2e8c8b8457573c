// Documents made from a resource and its whole tree, streamed: finding aids, container labels, all records as NDJSON; and for each document
// what file it would be (contract, exports 1).
import { Readable } from 'node:stream';
import { identifierOf } from '#domain/formats/writing/finding-aid.ts';
import type { FindingAidSetting } from '#domain/formats/writing/finding-aid.ts';
import { writeEad2002 } from '#domain/formats/ead/writing/write-2002.ts';
import { writeEad3 } from '#domain/formats/ead/writing/write-3.ts';
import { exportFileName } from '#domain/formats/export-file.ts';
import { writeHtml } from '#domain/formats/printed-finding-aid/html/write.ts';
import { labelRows } from '#domain/formats/container-labels/rows.ts';
import { ndjsonLines } from '#domain/formats/ndjson/lines.ts';
import type { JsonObject } from '#domain/json.ts';
import { resource } from '#domain/kinds/resource.ts';
import { readRecord } from '#store/records/reading/read.ts';
import type { ExportOptions, ExportTree } from '#store/exports/read-tree.ts';
import { exportTree, findingAidRefs, labelRefs } from '#store/exports/read-tree.ts';
import { readValueLabels } from '#store/enumerations/value-labels.ts';
import { boolean, id, repositoryId, resolve, text } from '../request/parameters.ts';
import { interfaceVersions, productVersion } from '../openapi/product.ts';
import type { Reply } from '../reply/reply.ts';
import { redirect, stream } from '../reply/reply.ts';
import type { Access, Call, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { viewerOf } from '../record-routes/viewing.ts';
import { printedFindingAid } from './printed-finding-aid.ts';

const place = { repo_id: repositoryId(), id: id() };
const access: Access<unknown> = { all: ['view_repository'] };
const label = readValueLabels();

type ExportCall = Pick<
  Call<{ readonly repo_id: number; readonly id: number }, unknown>,
  'params' | 'services' | 'caller' | 'repoId' | 'wantsSuppressed' | 'whenGone' | 'release'
>;

const openTree = (
  call: ExportCall,
  options: Pick<ExportOptions, 'publishedOnly' | 'resolve' | 'after' | 'computed'>,
): Promise<ExportTree> =>
  exportTree(
    call.services.database,
    { kind: resource, repoId: call.params.repo_id, id: call.params.id },
    { ...options, viewer: viewerOf(call), signal: call.whenGone() },
  );

/** Pieces of text as a reply: pulled as fast as the client takes them; the work ends when it goes away. */
const streamed = (texts: AsyncIterable<string>, contentType: string): Reply =>
  stream(Readable.from(texts, { objectMode: false, highWaterMark: 64 * 1024 }), contentType);

const flags = {
  include_unpublished: boolean({
    default: false,
    doc: 'Also what is not published, marked audience="internal"; what is suppressed never.',
  }),
  include_daos: boolean({ default: false, doc: 'Digital objects as dao and daogrp.' }),
  include_uris: boolean({
    default: true,
    doc: 'The records’ own URIs as unitid of type aspace_uri; not in release R-A.',
  }),
  numbered_cs: boolean({ default: false, doc: 'c01, c02… where the tree is at most twelve deep.' }),
  ead3: boolean({ default: false, doc: 'EAD3 instead of EAD 2002.' }),
};

type Flags = {
  readonly include_unpublished: boolean;
  readonly include_daos: boolean;
  readonly include_uris: boolean;
  readonly numbered_cs: boolean;
};

const settingOf = (call: ExportCall & { readonly params: Flags }, tree: ExportTree): FindingAidSetting => ({
  flags: {
    includeUnpublished: call.params.include_unpublished,
    includeDaos: call.params.include_daos,
    numberedComponents: call.params.numbered_cs,
    includeUris: call.params.include_uris && call.release === 'R-B',
  },
  label,
  product: `Muniment ${productVersion} (${interfaceVersions[call.release]})`,
  createdAt: `${new Date().toISOString().slice(0, 19).replace('T', ' ')} UTC`,
  includeArks: call.services.config.MUNIMENT_ARKS,
  deepest: tree.deepest,
});

const findingAid = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/resource_descriptions/:id.xml',
  area: 'exports',
  summary: 'Finding aid as EAD',
  doc: 'EAD 2002, or EAD3; valid whatever markup notes hold. Streamed: a failure after the first bytes cuts the connection.',
  access,
  parameters: {
    ...place,
    ...flags,
    print_pdf: boolean({ default: false, doc: 'In release R-A alone: go to the PDF.' }),
  },
  replies: {
    200: { says: 'The document.', contentType: 'application/xml' },
    302: 'To the PDF, with the same query (`print_pdf`).',
    404: 'Resource not found',
  },
  handler: async (call) => {
    if (call.params.print_pdf && call.release === 'R-A')
      return redirect(
        302,
        `/repositories/${call.params.repo_id}/resource_descriptions/${call.params.id}.pdf?${call.queryText}`,
      );
    const tree = await openTree(call, { publishedOnly: !call.params.include_unpublished, resolve: findingAidRefs });
    const write = call.params.ead3 ? writeEad3 : writeEad2002;
    return streamed(write(tree.root.record, tree.blocks, settingOf(call, tree)), 'application/xml');
  },
});

const page = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/resource_descriptions/:id.html',
  area: 'exports',
  summary: 'Finding aid as an HTML page',
  doc: 'One page that needs nothing else, for reading and printing. Streamed.',
  access,
  parameters: {
    ...place,
    include_unpublished: flags.include_unpublished,
    include_daos: boolean({ default: true, doc: 'Links to digital objects.' }),
  },
  replies: { 200: { says: 'The page.', contentType: 'text/html' }, 404: 'Resource not found' },
  handler: async (call) => {
    const tree = await openTree(call, { publishedOnly: !call.params.include_unpublished, resolve: findingAidRefs });
    const params = { ...call.params, include_uris: false, numbered_cs: false };
    return streamed(
      writeHtml(tree.root.record, tree.blocks, settingOf({ ...call, params }, tree)),
      'text/html; charset=utf-8',
    );
  },
});

const labels = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/resource_labels/:id.tsv',
  area: 'exports',
  summary: 'Container labels of a collection',
  doc: 'Tab-separated, one row for each container in each series; unpublished records count, suppressed ones do not.',
  access,
  parameters: place,
  replies: { 200: { says: 'A header and rows.', contentType: 'text/tab-separated-values' }, 404: 'Resource not found' },
  handler: async (call) => {
    const tree = await openTree(call, { publishedOnly: false, resolve: labelRefs });
    return streamed(labelRows(tree.root.record, tree.blocks), 'text/tab-separated-values');
  },
});

const records = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/resources/:id/records.ndjson',
  area: 'exports',
  summary: 'A whole collection, one record a line',
  doc: 'The resource, then its components in reading order, each as a GET answers it, with its refs resolved to what is stored of their records. A client that was cut off goes on with `after`: the id of the last component it has.',
  access,
  parameters: {
    ...place,
    include_unpublished: flags.include_unpublished,
    after: id({ optional: true, doc: 'Id of the component after which to begin; the resource is then left out.' }),
    resolve: {
      ...resolve,
      default: findingAidRefs,
      doc: 'Ref properties to embed; those of finding aids where none is named.',
    },
  },
  replies: {
    200: { says: 'Lines of JSON.', contentType: 'application/x-ndjson' },
    400: '`after` is no record of the tree.',
    404: 'Resource not found',
  },
  handler: async (call) => {
    const { include_unpublished: includeUnpublished, after, resolve: names } = call.params;
    const tree = await openTree(call, {
      publishedOnly: !includeUnpublished,
      resolve: names,
      computed: true,
      ...(after === null ? {} : { after }),
    });
    return streamed(
      ndjsonLines(after === null ? tree.root.record : null, tree.blocks, includeUnpublished),
      'application/x-ndjson',
    );
  },
});

const metadata = (
  path: string,
  summary: string,
  tell: (base: string, format: string) => { readonly suffix: string; readonly mimetype: string },
): Route =>
  defineRoute({
    method: 'GET',
    path: `${path}/:id.:fmt/metadata`,
    area: 'exports',
    summary,
    access,
    parameters: { ...place, fmt: text({ doc: 'Suffix of the document, such as xml.' }) },
    replies: {
      200: {
        says: 'Name and type.',
        example: { filename: 'MS001_20260102_030405_UTC__ead.xml', mimetype: 'application/xml' },
      },
      404: 'Resource not found',
    },
    handler: async (call) => {
      const { text: found } = await readRecord(
        call.services.database.reader,
        resource,
        call.params.id,
        call.params.repo_id,
        viewerOf(call),
      );
      // Records are answered as JSON objects.
      const base = identifierOf(JSON.parse(found) as JsonObject);
      const { suffix, mimetype } = tell(base, call.params.fmt);
      return { filename: exportFileName(base, suffix, new Date()), mimetype };
    },
  });

/** The routes of this file. */
export const resourceExportRoutes: readonly Route[] = [
  findingAid,
  printedFindingAid,
  page,
  metadata('/repositories/:repo_id/resource_descriptions', 'File name and type of a finding aid', (_base, format) => ({
    suffix: `_ead.${format}`,
    mimetype: `application/${format}`,
  })),
  labels,
  metadata('/repositories/:repo_id/resource_labels', 'File name and type of container labels', () => ({
    suffix: '_labels.tsv',
    mimetype: 'text/tab-separated-values',
  })),
  records,
];

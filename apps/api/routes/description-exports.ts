// Resources as MARCXML, digital objects as Dublin Core, MODS and METS (contract behaviour-exports 1, 4, 7, 8, 9).
import { digitalObjectDc } from '#domain/formats/dc/digital-object.ts';
import { identifierOf } from '#domain/formats/writing/context.ts';
import { resourceMarc } from '#domain/formats/marc/writing/described.ts';
import { digitalObjectMets } from '#domain/formats/mets/digital-object.ts';
import { digitalObjectMods } from '#domain/formats/mods/digital-object.ts';
import { textOf } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { digitalObject } from '#domain/kinds/digital_object.ts';
import { resource } from '#domain/kinds/resource.ts';
import { readDescribed, readDigitalTree } from '#store/exports/read-record.ts';
import { exportContext, fileMetadata, metadataReply, xml } from '../exports/export-context.ts';
import { boolean, id, repositoryId, text } from '../request/parameters.ts';
import type { Access, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { Seeing } from '../record-routes/viewing.ts';
import { viewerOf } from '../record-routes/viewing.ts';

const access: Access<unknown> = { all: ['view_repository'] };
const unpublished = boolean({ optional: true, doc: 'Unpublished notes, agents, files and components as well.' });
const parameters = { repo_id: repositoryId(), id: id() };
const ofMetadata = { ...parameters, fmt: text({ doc: 'Part of the path; its value is not used.' }) };
const document = (says: string) => ({ says, contentType: 'application/xml' });
const area = 'exports';
const missingObject = 'DigitalObject not found';

type RecordCall = Seeing & { readonly params: { readonly repo_id: number; readonly id: number } };

const described = (call: RecordCall, kind: Kind) =>
  readDescribed(call.services.database.reader, kind, call.params.id, call.params.repo_id, viewerOf(call));
const digitalTree = (call: RecordCall, includesUnpublished: boolean) =>
  readDigitalTree(call.services.database, call.params.id, call.params.repo_id, viewerOf(call), {
    publishedOnly: !includesUnpublished,
  });

const marc = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/resources/marc21/:id.xml',
  area,
  summary: 'A resource as MARCXML',
  access,
  parameters: {
    ...parameters,
    include_unpublished_marc: boolean({ optional: true, doc: 'Unpublished notes and agents as well.' }),
  },
  replies: { 200: document('A collection of one MARC 21 record.'), 404: 'Resource not found' },
  handler: async (call) => {
    const { record, repository } = await described(call, resource);
    return xml(
      resourceMarc(record, exportContext(call.services, repository, call.params.include_unpublished_marc === true)),
    );
  },
});

const marcMetadata = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/resources/marc21/:id.:fmt/metadata',
  area,
  summary: 'File name and type of a resource as MARCXML',
  access,
  parameters: { ...ofMetadata, include_unpublished_marc: boolean({ optional: true, doc: 'Has no effect.' }) },
  replies: { 200: metadataReply, 404: 'Resource not found' },
  handler: async (call) => {
    const { record } = await described(call, resource);
    return fileMetadata(identifierOf(record, '.'), '_marc21.xml', new Date());
  },
});

const dublinCore = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/digital_objects/dublin_core/:id.xml',
  area,
  summary: 'A digital object as Dublin Core',
  access,
  parameters: { ...parameters, include_unpublished: unpublished },
  replies: { 200: document('Simple Dublin Core.'), 404: missingObject },
  handler: async (call) => {
    const { record, repository } = await described(call, digitalObject);
    return xml(
      digitalObjectDc(record, exportContext(call.services, repository, call.params.include_unpublished === true)),
    );
  },
});

const mods = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/digital_objects/mods/:id.xml',
  area,
  summary: 'A digital object as MODS',
  access,
  parameters: { ...parameters, include_unpublished: unpublished },
  replies: { 200: document('MODS 3.4; components are constituents.'), 404: missingObject },
  handler: async (call) => {
    const includes = call.params.include_unpublished === true;
    const { repository, ...tree } = await digitalTree(call, includes);
    return xml(digitalObjectMods(tree, exportContext(call.services, repository, includes)));
  },
});

const mets = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/digital_objects/mets/:id.xml',
  area,
  summary: 'A digital object as METS',
  access,
  parameters: {
    ...parameters,
    dmd: text({
      optional: true,
      doc: 'How objects are described inside: `mods`, which any other text stands for too, or `dc`.',
    }),
    include_unpublished: unpublished,
  },
  replies: { 200: document('METS with the files and the structure of the object.'), 404: missingObject },
  handler: async (call) => {
    const includes = call.params.include_unpublished === true;
    const { repository, ...tree } = await digitalTree(call, includes);
    return xml(
      digitalObjectMets(
        tree,
        call.params.dmd?.toLowerCase() === 'dc' ? 'dc' : 'mods',
        exportContext(call.services, repository, includes),
      ),
    );
  },
});

const metadataOf = (format: string, suffix: string): Route =>
  defineRoute({
    method: 'GET',
    path: `/repositories/:repo_id/digital_objects/${format}/:id.:fmt/metadata`,
    area,
    summary: 'File name and type of the export of a digital object',
    access,
    parameters: ofMetadata,
    replies: { 200: metadataReply, 404: missingObject },
    handler: async (call) => {
      const { record } = await described(call, digitalObject);
      return fileMetadata(textOf(record, 'digital_object_id') ?? '', suffix, new Date());
    },
  });

/** The routes of this file. */
export const descriptionExportRoutes: readonly Route[] = [
  marc,
  marcMetadata,
  dublinCore,
  mods,
  mets,
  metadataOf('dublin_core', '_dc.xml'),
  metadataOf('mods', '_mods.xml'),
  metadataOf('mets', '_mets.xml'),
];

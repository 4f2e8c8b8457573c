// MODS of digital objects over HTTP (contract behaviour-exports 8), of resources and components for harvesters (contract OAI 11).
import { textOf } from '../../json.ts';
import { defineExport, defineHarvested, flag } from '../define-export.ts';
import { describedMods } from './described.ts';
import { digitalObjectMods } from './digital-object.ts';

/** A digital object with its components. */
export const mods = defineExport({
  paths: { digital_object: '/repositories/:repo_id/digital_objects/mods/:id.xml' },
  name: 'Mods',
  summary: 'A digital object as MODS',
  says: 'MODS 3.4; components are constituents.',
  mediaType: 'application/xml',
  access: 'view_repository',
  unpublished: 'include_unpublished',
  options: { include_unpublished: flag({ doc: 'Unpublished notes, agents, files and components as well.' }) },
  reads: 'digital object',
  write: (tree, context) => digitalObjectMods(tree, context),
  file: {
    summary: 'File name and type of the export of a digital object',
    base: (record) => textOf(record, 'digital_object_id') ?? '',
    suffix: '_mods.xml',
    example: 'DO001_20260102_030405_UTC__mods.xml',
  },
});

/** Prefix `oai_mods`. */
export const oaiMods = defineHarvested({
  reads: 'record',
  write: ({ record }, context) => describedMods(record, context),
  oai: {
    prefix: 'oai_mods',
    schema: 'https://www.loc.gov/standards/mods/v3/mods-3-6.xsd',
    namespace: 'http://www.loc.gov/mods/v3',
    kinds: ['resource', 'archival_object'],
    place: 5,
  },
});

// Dublin Core: of digital objects over HTTP (contract behaviour-exports 7), of resources and components for harvesters (contract OAI 11).
import { textOf } from '../../json.ts';
import { defineExport, defineHarvested, flag } from '../define-export.ts';
import { describedRefs } from '../writing/refs.ts';
import { digitalObjectDc } from './digital-object.ts';
import {
  dctermsNamespace,
  dctermsSchema,
  oaiDcNamespace,
  oaiDcSchema,
  writeDcterms,
  writeOaiDc,
} from './statements-xml.ts';

/** A digital object in simple Dublin Core. */
export const digitalObjectDublinCore = defineExport({
  paths: { digital_object: '/repositories/:repo_id/digital_objects/dublin_core/:id.xml' },
  name: 'DublinCore',
  summary: 'A digital object as Dublin Core',
  says: 'Simple Dublin Core.',
  mediaType: 'application/xml',
  access: 'view_repository',
  unpublished: 'include_unpublished',
  options: { include_unpublished: flag({ doc: 'Unpublished notes, agents, files and components as well.' }) },
  reads: 'record',
  refs: describedRefs,
  write: ({ record }, context) => digitalObjectDc(record, context),
  file: {
    summary: 'File name and type of the export of a digital object',
    base: (record) => textOf(record, 'digital_object_id') ?? '',
    suffix: '_dc.xml',
    example: 'DO001_20260102_030405_UTC__dc.xml',
  },
});

/** Prefix `oai_dc`: unqualified Dublin Core, which every provider must have. */
export const oaiDc = defineHarvested({
  reads: 'record',
  write: ({ record }, context) => writeOaiDc(record, context),
  oai: {
    prefix: 'oai_dc',
    schema: oaiDcSchema,
    namespace: oaiDcNamespace,
    kinds: ['resource', 'archival_object'],
    place: 1,
  },
});

/** Prefix `oai_dcterms`: with the refinements of DCMI Metadata Terms. */
export const oaiDcterms = defineHarvested({
  reads: 'record',
  write: ({ record }, context) => writeDcterms(record, context),
  oai: {
    prefix: 'oai_dcterms',
    schema: dctermsSchema,
    namespace: dctermsNamespace,
    kinds: ['resource', 'archival_object'],
    place: 3,
  },
});

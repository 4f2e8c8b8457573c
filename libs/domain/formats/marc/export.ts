// MARCXML of resources over HTTP, of resources and components for harvesters (contract behaviour-exports 4, OAI 11).
import { defineExport, flag } from '../define-export.ts';
import { kindOfRecord } from '../oai/format.ts';
import { identifierOf } from '../writing/context.ts';
import { describedRefs } from '../writing/refs.ts';
import { archivalObjectMarc, resourceMarc } from './writing/described.ts';

/** A bibliographic record. */
export const marc21 = defineExport({
  paths: { resource: '/repositories/:repo_id/resources/marc21/:id.xml' },
  name: 'Marcxml',
  summary: 'A resource as MARCXML',
  says: 'A collection of one MARC 21 record.',
  mediaType: 'application/xml',
  access: 'view_repository',
  unpublished: 'include_unpublished_marc',
  options: { include_unpublished_marc: flag({ doc: 'Unpublished notes and agents as well.' }) },
  reads: 'record',
  refs: describedRefs,
  write: ({ record }, context) =>
    (kindOfRecord(record) === 'resource' ? resourceMarc : archivalObjectMarc)(record, context),
  file: {
    summary: 'File name and type of a resource as MARCXML',
    base: (record) => identifierOf(record, '.'),
    suffix: '_marc21.xml',
    options: { include_unpublished_marc: flag({ doc: 'Has no effect.' }) },
    example: 'MS001_20260102_030405_UTC__marc21.xml',
  },
  oai: {
    prefix: 'oai_marc',
    schema: 'https://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd',
    namespace: 'http://www.loc.gov/MARC21/slim',
    kinds: ['resource', 'archival_object'],
    place: 4,
  },
});

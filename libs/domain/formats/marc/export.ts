// oai_marc: the MARCXML export for harvesters (contract OAI 11).
import { archivalObjectMarc, resourceMarc } from './writing/described.ts';
import type { OaiFormat } from '../oai/format.ts';
import { kindOfRecord, withoutDeclaration } from '../oai/format.ts';

/** Prefix `oai_marc`. */
export const oaiMarc: OaiFormat = {
  prefix: 'oai_marc',
  schema: 'https://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd',
  namespace: 'http://www.loc.gov/MARC21/slim',
  kinds: ['resource', 'archival_object'],
  pageSize: 25,
  write: (record, context) =>
    withoutDeclaration((kindOfRecord(record) === 'resource' ? resourceMarc : archivalObjectMarc)(record, context)),
};

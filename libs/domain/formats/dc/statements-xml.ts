// The statements about a record as XML: unqualified Dublin Core, and DCMI Metadata Terms, as harvesters get them (contract OAI 11).
import type { JsonObject } from '../../json.ts';
import type { ExportContext } from '../writing/context.ts';
import { XmlWriter } from '../xml/writer.ts';
import { statementsOf } from './statements.ts';

const instance = 'http://www.w3.org/2001/XMLSchema-instance';

/** Namespace of the element `oai_dc:dc`. */
export const oaiDcNamespace = 'http://www.openarchives.org/OAI/2.0/oai_dc/';
/** Its schema. */
export const oaiDcSchema = 'http://www.openarchives.org/OAI/2.0/oai_dc.xsd';
/** Namespace of DCMI Metadata Terms. */
export const dctermsNamespace = 'http://purl.org/dc/terms/';
/** Their schema. */
export const dctermsSchema = 'http://dublincore.org/schemas/xmls/qdc/2008/02/11/dcterms.xsd';

/** The element `oai_dc:dc` of a record as publicRecord gives it. */
export function writeOaiDc(record: JsonObject, context: ExportContext): string {
  const xml = new XmlWriter().open('oai_dc:dc', {
    'xmlns:oai_dc': oaiDcNamespace,
    'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
    'xmlns:xsi': instance,
    'xsi:schemaLocation': `${oaiDcNamespace} ${oaiDcSchema}`,
  });
  for (const { dc, text } of statementsOf(record, context)) if (dc !== null) xml.element(`dc:${dc}`, {}, text);
  return xml.close().take();
}

/** The element `oai_dcterms:dcterms`, likewise. */
export function writeDcterms(record: JsonObject, context: ExportContext): string {
  const xml = new XmlWriter().open('oai_dcterms:dcterms', {
    'xmlns:oai_dcterms': 'http://www.openarchives.org/OAI/2.0/oai_dcterms/',
    'xmlns:dcterms': dctermsNamespace,
    'xmlns:xsi': instance,
    'xsi:schemaLocation': `${dctermsNamespace} ${dctermsSchema}`,
  });
  for (const { dcterms, text } of statementsOf(record, context))
    if (dcterms !== null) xml.element(`dcterms:${dcterms}`, {}, text);
  return xml.close().take();
}

// oai_dcterms: Dublin Core with the refinements of DCMI Metadata Terms (contract OAI 11).
import { XmlWriter } from '../xml/writer.ts';
import type { OaiFormat } from './format.ts';
import { statementsOf } from '../dc/statements.ts';

const schema = 'http://dublincore.org/schemas/xmls/qdc/2008/02/11/dcterms.xsd';
const namespace = 'http://purl.org/dc/terms/';
const rootNamespace = 'http://www.openarchives.org/OAI/2.0/oai_dcterms/';

/** Prefix `oai_dcterms`. */
export const oaiDcterms: OaiFormat = {
  prefix: 'oai_dcterms',
  schema,
  namespace,
  kinds: ['resource', 'archival_object'],
  pageSize: 25,
  write(record, context) {
    const xml = new XmlWriter().open('oai_dcterms:dcterms', {
      'xmlns:oai_dcterms': rootNamespace,
      'xmlns:dcterms': namespace,
      'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      'xsi:schemaLocation': `${namespace} ${schema}`,
    });
    for (const { dcterms, text } of statementsOf(record, context))
      if (dcterms !== null) xml.element(`dcterms:${dcterms}`, {}, text);
    return xml.close().take();
  },
};

// oai_dc: unqualified Dublin Core, which every provider must have (contract OAI 11).
import { XmlWriter } from '../xml/writer.ts';
import type { OaiFormat } from '../oai/format.ts';
import { statementsOf } from './statements.ts';

const namespace = 'http://www.openarchives.org/OAI/2.0/oai_dc/';
const schema = 'http://www.openarchives.org/OAI/2.0/oai_dc.xsd';

/** Prefix `oai_dc`. */
export const oaiDc: OaiFormat = {
  prefix: 'oai_dc',
  schema,
  namespace,
  kinds: ['resource', 'archival_object'],
  pageSize: 25,
  write(record, context) {
    const xml = new XmlWriter().open('oai_dc:dc', {
      'xmlns:oai_dc': namespace,
      'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
      'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      'xsi:schemaLocation': `${namespace} ${schema}`,
    });
    for (const { dc, text } of statementsOf(record, context)) if (dc !== null) xml.element(`dc:${dc}`, {}, text);
    return xml.close().take();
  },
};

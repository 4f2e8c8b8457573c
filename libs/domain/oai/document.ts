// Replies of the OAI provider as XML: the envelope and what stands in it (contract OAI 2 and 3). No white space between elements.
import { XmlWriter } from '../formats/xml/writer.ts';
import type { OaiFormat } from '../formats/oai/prefixes.ts';
import type { OaiFault } from './faults.ts';
import type { OaiSet } from './sets.ts';

/** What every reply says. `arguments_`: the request's, `verb` last; none where it failed. Times are ISO in seconds. */
export type Envelope = {
  readonly responseDate: string;
  readonly baseUrl: string;
  readonly arguments_: readonly (readonly [string, string])[];
};

/** The head of a record: `identifier` as harvesters know it. */
export type Header = { readonly identifier: string; readonly datestamp: string; readonly deleted: boolean };

/** How the provider presents itself. `prefix` as in identifiers, such as `oai:muniment`. */
export type Identity = {
  readonly name: string;
  readonly email: string;
  readonly prefix: string;
  readonly sampleIdentifier: string;
};

const namespace = 'http://www.openarchives.org/OAI/2.0/';
const instance = 'http://www.w3.org/2001/XMLSchema-instance';
const identifierNamespace = 'http://www.openarchives.org/OAI/2.0/oai-identifier';

/** The beginning of a reply, up to where the element of the verb or an error follows; closeDocument ends it. */
export function openDocument({ responseDate, baseUrl, arguments_ }: Envelope): string {
  const request = new XmlWriter().element('request', Object.fromEntries(arguments_), baseUrl).take();
  return `<?xml version="1.0" encoding="UTF-8"?><OAI-PMH xmlns="${namespace}" xmlns:xsi="${instance}" xsi:schemaLocation="${namespace} ${namespace}OAI-PMH.xsd"><responseDate>${responseDate}</responseDate>${request}`;
}

/** The end of every reply. */
export const closeDocument = '</OAI-PMH>';

/** An error. */
export const writeFault = ({ code, message }: OaiFault): string =>
  new XmlWriter().element('error', { code }, message).take();

/** Identify. */
export function writeIdentity({ name, email, prefix, sampleIdentifier }: Identity, baseUrl: string): string {
  const xml = new XmlWriter()
    .open('Identify')
    .element('repositoryName', {}, name)
    .element('baseURL', {}, baseUrl)
    .element('protocolVersion', {}, '2.0')
    .element('adminEmail', {}, email)
    .element('earliestDatestamp', {}, '1970-01-01T00:00:00Z')
    .element('deletedRecord', {}, 'persistent')
    .element('granularity', {}, 'YYYY-MM-DDThh:mm:ssZ')
    .element('compression', {}, 'gzip');
  xml
    .open('description')
    .open('oai-identifier', {
      xmlns: identifierNamespace,
      'xmlns:xsi': instance,
      'xsi:schemaLocation': `${identifierNamespace} ${identifierNamespace}.xsd`,
    })
    .element('scheme', {}, 'oai')
    .element('repositoryIdentifier', {}, prefix.replace(/^oai:/, ''))
    .element('delimiter', {}, ':')
    .element('sampleIdentifier', {}, sampleIdentifier);
  return xml.close().close().close().take();
}

/** ListMetadataFormats. */
export function writeFormats(formats: readonly OaiFormat[]): string {
  const xml = new XmlWriter().open('ListMetadataFormats');
  for (const { prefix, schema, namespace: of } of formats)
    xml
      .open('metadataFormat')
      .element('metadataPrefix', {}, prefix)
      .element('schema', {}, schema)
      .element('metadataNamespace', {}, of)
      .close();
  return xml.close().take();
}

/** ListSets. Sets of the settings carry their description in Dublin Core. */
export function writeSets(sets: readonly OaiSet[]): string {
  const xml = new XmlWriter().open('ListSets');
  for (const { spec, name, description } of sets) {
    xml.open('set').element('setSpec', {}, spec).element('setName', {}, name);
    if (description !== undefined) xml.raw(descriptionOf(description));
    xml.close();
  }
  return xml.close().take();
}

function descriptionOf(text: string): string {
  const dc = 'http://www.openarchives.org/OAI/2.0/oai_dc/';
  return new XmlWriter()
    .open('setDescription')
    .open('oai_dc:dc', {
      'xmlns:oai_dc': dc,
      'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
      'xmlns:xsi': instance,
      'xsi:schemaLocation': `${dc} http://www.openarchives.org/OAI/2.0/oai_dc.xsd`,
    })
    .element('dc:description', {}, text)
    .close()
    .close()
    .take();
}

/** The header of a record. */
export function writeHeader({ identifier, datestamp, deleted }: Header): string {
  return new XmlWriter()
    .open('header', deleted ? { status: 'deleted' } : {})
    .element('identifier', {}, identifier)
    .element('datestamp', {}, datestamp)
    .close()
    .take();
}

/** A token, or its empty element at the end of a list of several pages (`token` null). `cursor`: records before this page. */
export const writeToken = (token: string | null, cursor: number): string =>
  `<resumptionToken cursor="${cursor}"${token === null ? '/>' : `>${token}</resumptionToken>`}`;

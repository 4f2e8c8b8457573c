// EAC-CPF 2010 of a person, family or corporate entity (contract behaviour-exports 6), valid against its schema.
import type { JsonObject } from '../../../json.ts';
import type { ExportContext } from '../../writing/context.ts';
import { publishedPart } from '../../writing/published.ts';
import { XmlWriter } from '../../xml/writer.ts';
import { writeControl } from './control.ts';
import { writeDescription } from './description.ts';
import { writeIdentity } from './names.ts';
import type { LinkedRecord } from '../../define-export.ts';
import { writeAlternativeSets, writeRelations } from './relations.ts';

/**
 * The document, ended by a newline. Related agents and the subjects of places, occupations, functions and topics are resolved; `linked`
 * are the records that name the agent and that the caller may know of. Contacts are never written.
 */
export function agentEac(agent: JsonObject, linked: readonly LinkedRecord[], context: ExportContext): string {
  const shown = context.includesUnpublished ? agent : publishedPart(agent);
  const namespace = 'urn:isbn:1-931666-33-4';
  const xml = new XmlWriter().declaration().open('eac-cpf', {
    xmlns: namespace,
    'xmlns:html': 'http://www.w3.org/1999/xhtml',
    'xmlns:xlink': 'http://www.w3.org/1999/xlink',
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xsi:schemaLocation': `${namespace} https://eac.staatsbibliothek-berlin.de/schema/cpf.xsd`,
    'xml:lang': 'eng',
  });
  writeControl(xml, shown, context);
  xml.open('cpfDescription');
  writeIdentity(xml, shown);
  writeDescription(xml, shown, context);
  writeRelations(xml, shown, linked, context);
  writeAlternativeSets(xml, shown);
  return `${xml.close().close().take()}\n`;
}

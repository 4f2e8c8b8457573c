// EAC-CPF 2.0 of a person, family or corporate entity, asked for by a parameter (SAA, EAC-CPF 2.0, 2022: one element for all relations).
import type { JsonObject } from '../../../../json.ts';
import { objectOf, objectsOf, textOf } from '../../../../json.ts';
import type { ExportContext } from '../../../writing/context.ts';
import { displayName, plainText, resolvedOf, subjectsOf, termsOf } from '../../../writing/context.ts';
import { publishedPart } from '../../../writing/published.ts';
import { addressOf } from '../../../xml/any-uri.ts';
import { XmlWriter } from '../../../xml/writer.ts';
import { writeDates } from '../dates.ts';
import { entityTypes, nameParts, writeParts } from '../names.ts';
import type { LinkedRecord } from '../../../define-export.ts';
import { relationTypes } from '../relations.ts';
import { standardTime, writeDescriptiveNote } from '../values.ts';
import { writeControl } from './control.ts';
import { writeDescription } from './description.ts';
import { writeIdentity } from './identity.ts';
import { linkOf2 } from './links.ts';

/** The document, ended by a newline; input as agentEac of the 2010 version. */
export function agentEac2(agent: JsonObject, linked: readonly LinkedRecord[], context: ExportContext): string {
  const shown = context.includesUnpublished ? agent : publishedPart(agent);
  const namespace = 'https://archivists.org/ns/eac/v2';
  const xml = new XmlWriter().declaration().open('eac', {
    xmlns: namespace,
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xsi:schemaLocation': `${namespace} https://eac.staatsbibliothek-berlin.de/schema/v2/eac.xsd`,
  });
  writeControl(xml, shown, context);
  xml.open('cpfDescription');
  writeIdentity(xml, shown);
  writeDescription(xml, shown, context);
  writeRelations(xml, shown, linked, context);
  writeAlternativeSets(xml, shown);
  return `${xml.close().close().take()}\n`;
}

/** What the other one is in a relation of a family. */
const targetRoles: { readonly [relator: string]: string } = { is_parent_of: 'child', is_child_of: 'parent' };

function writeRelations(
  xml: XmlWriter,
  agent: JsonObject,
  linked: readonly LinkedRecord[],
  context: ExportContext,
): void {
  const related = objectsOf(agent, 'related_agents').filter((link) => resolvedOf(link) !== undefined);
  const resources = objectsOf(agent, 'agent_resources');
  if (related.length + resources.length + linked.length === 0) return;
  xml.open('relations');
  for (const link of related) {
    const other = resolvedOf(link) ?? {};
    const name = displayName(other);
    const dates = objectOf(link, 'dates');
    const model = textOf(other, 'jsonmodel_type') ?? '';
    xml.open('relation').open('targetEntity', {
      targetType: entityTypes[model] ?? 'agent',
      valueURI: `${context.publicUrl}${textOf(link, 'ref')}`,
    });
    if (name === undefined || nameParts[model] === undefined)
      xml.element('part', {}, textOf(name, 'software_name') ?? 'untitled');
    else writeParts(xml, model, name);
    xml.close();
    writeDates(xml, dates === undefined ? [] : [dates], true);
    const relator = textOf(link, 'relator') ?? '';
    xml.element(
      'relationType',
      { valueURI: addressOf(textOf(link, 'relationship_uri')) },
      relationTypes[relator] ?? 'associative',
    );
    if (targetRoles[relator] !== undefined) xml.element('targetRole', {}, targetRoles[relator]);
    writeDescriptiveNote(xml, textOf(link, 'description'));
    xml.close();
  }
  for (const resource of resources) {
    writeTarget(
      xml,
      'resource',
      addressOf(textOf(resource, 'file_uri')),
      textOf(resource, 'linked_resource') ?? '',
      standardTime(textOf(resource, 'last_verified_date')),
    );
    writeDates(xml, objectsOf(resource, 'dates'), true);
    xml.element('relationType', {}, `${textOf(resource, 'linked_agent_role') ?? 'source'}Of`);
    for (const place of subjectsOf(resource, 'places'))
      xml
        .open('place')
        .element(
          'placeName',
          { vocabularySource: textOf(place, 'source') },
          plainText(textOf(termsOf(place)[0], 'term') ?? textOf(place, 'title') ?? ''),
        )
        .close();
    writeDescriptiveNote(xml, textOf(resource, 'linked_resource_description'));
    xml.close();
  }
  for (const { uri, title, role } of linked) {
    writeTarget(xml, 'resource', `${context.publicUrl}${uri}`, plainText(title));
    xml.element('relationType', {}, `${role}Of`).close();
  }
  xml.close();
}

/** Opens a relation and writes whom or what it leads to; the caller closes it. */
function writeTarget(
  xml: XmlWriter,
  targetType: string,
  valueURI: string | undefined,
  text: string,
  lastDateTimeVerified?: string,
): void {
  xml
    .open('relation', { lastDateTimeVerified })
    .open('targetEntity', { targetType, valueURI })
    .element('part', {}, text === '' ? 'untitled' : text)
    .close();
}

function writeAlternativeSets(xml: XmlWriter, agent: JsonObject): void {
  const sets = objectsOf(agent, 'agent_alternate_sets');
  if (sets.length === 0) return;
  xml.open('alternativeSet');
  for (const set of sets) {
    const entry = textOf(set, 'set_component');
    xml.open('setComponent', linkOf2(set));
    if (entry !== undefined) xml.element('componentEntry', {}, entry);
    writeDescriptiveNote(xml, textOf(set, 'descriptive_note'));
    xml.close();
  }
  xml.close();
}

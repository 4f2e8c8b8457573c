// The relations of EAC-CPF: other agents, then what the agent made or is the subject of; and alternative sets.
import type { JsonObject } from '../../../json.ts';
import { objectOf, objectsOf, textOf } from '../../../json.ts';
import type { LinkedRecord } from '../../define-export.ts';
import type { ExportContext } from '../../writing/context.ts';
import { displayName, plainText, resolvedOf, subjectsOf, termsOf } from '../../writing/context.ts';
import { addressOf } from '../../xml/any-uri.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { writeDates } from './dates.ts';
import { linkOf, writeDescriptiveNote } from './values.ts';

/** cpfRelationType by relator: what the other agent is to this one. */
export const relationTypes: { readonly [relator: string]: string } = {
  is_earlier_form_of: 'temporal-later',
  is_later_form_of: 'temporal-earlier',
  is_temporal_with: 'temporal',
  is_subordinate_to: 'hierarchical-parent',
  is_superior_of: 'hierarchical-child',
  is_hierarchical_with: 'hierarchical',
  is_parent_of: 'family',
  is_child_of: 'family',
  is_related_with: 'family',
  is_identified_with: 'identity',
  is_associative_with: 'associative',
};
const resourceTypes: { readonly [role: string]: string } = { creator: 'creatorOf', subject: 'subjectOf' };

/** Writes the relations, empty where there are none. */
export function writeRelations(
  xml: XmlWriter,
  agent: JsonObject,
  linked: readonly LinkedRecord[],
  context: ExportContext,
): void {
  xml.open('relations');
  for (const related of objectsOf(agent, 'related_agents')) writeAgent(xml, related, context);
  for (const resource of objectsOf(agent, 'agent_resources')) writeResource(xml, resource);
  for (const { uri, title, role } of linked) {
    xml.open('resourceRelation', {
      resourceRelationType: resourceTypes[role] ?? 'other',
      'xlink:type': 'simple',
      'xlink:href': `${context.publicUrl}${uri}`,
    });
    xml.element('relationEntry', {}, plainText(title)).close();
  }
  xml.close();
}

function writeAgent(xml: XmlWriter, related: JsonObject, context: ExportContext): void {
  const agent = resolvedOf(related);
  const name = agent === undefined ? undefined : displayName(agent);
  if (name === undefined) return;
  const dates = objectOf(related, 'dates');
  xml.open('cpfRelation', {
    cpfRelationType: relationTypes[textOf(related, 'relator') ?? ''] ?? 'associative',
    'xlink:type': 'simple',
    'xlink:href': `${context.publicUrl}${textOf(related, 'ref')}`,
    'xlink:arcrole': addressOf(textOf(related, 'relationship_uri')),
  });
  xml.element(
    'relationEntry',
    {},
    textOf(name, 'primary_name') ?? textOf(name, 'family_name') ?? textOf(name, 'software_name'),
  );
  writeDates(xml, dates === undefined ? [] : [dates]);
  writeDescriptiveNote(xml, textOf(related, 'description'));
  xml.close();
}

function writeResource(xml: XmlWriter, resource: JsonObject): void {
  xml.open('resourceRelation', {
    resourceRelationType: resourceTypes[textOf(resource, 'linked_agent_role') ?? ''] ?? 'other',
    ...linkOf(resource),
  });
  xml.element('relationEntry', {}, textOf(resource, 'linked_resource'));
  writeDates(xml, objectsOf(resource, 'dates'));
  const [place] = subjectsOf(resource, 'places');
  if (place !== undefined)
    xml.element(
      'placeEntry',
      { vocabularySource: addressOf(textOf(place, 'source')) },
      textOf(termsOf(place)[0], 'term'),
    );
  writeDescriptiveNote(xml, textOf(resource, 'linked_resource_description'));
  xml.close();
}

/** Writes the alternative sets; nothing where there are none. */
export function writeAlternativeSets(xml: XmlWriter, agent: JsonObject): void {
  const sets = objectsOf(agent, 'agent_alternate_sets');
  if (sets.length === 0) return;
  xml.open('alternativeSet');
  for (const set of sets) {
    const entry = textOf(set, 'set_component');
    xml.open('setComponent', linkOf(set));
    if (entry !== undefined) xml.element('componentEntry', {}, entry);
    writeDescriptiveNote(xml, textOf(set, 'descriptive_note'));
    xml.close();
  }
  xml.close();
}

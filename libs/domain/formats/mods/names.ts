// Agents as MODS names (contract behaviour-exports 8): one for each name of an agent, with its parts typed.
import type { JsonObject } from '../../json.ts';
import { objectsOf, textOf } from '../../json.ts';
import type { AgentLink, ExportContext } from '../writing/context.ts';
import { addressOf } from '../xml/any-uri.ts';
import type { XmlWriter } from '../xml/writer.ts';

type Part = readonly [type: string | undefined, property: string];

const types: { readonly [model: string]: string } = {
  agent_person: 'personal',
  agent_family: 'family',
  agent_corporate_entity: 'corporate',
};
const parts: { readonly [model: string]: readonly Part[] } = {
  agent_person: [
    ['family', 'primary_name'],
    ['given', 'rest_of_name'],
    ['termsOfAddress', 'prefix'],
    ['termsOfAddress', 'title'],
    ['termsOfAddress', 'suffix'],
    ['termsOfAddress', 'number'],
    ['date', 'dates'],
  ],
  agent_family: [
    ['family', 'family_name'],
    ['termsOfAddress', 'prefix'],
    ['date', 'dates'],
  ],
  agent_corporate_entity: [
    [undefined, 'primary_name'],
    [undefined, 'subordinate_name_1'],
    [undefined, 'subordinate_name_2'],
    [undefined, 'number'],
    ['date', 'dates'],
  ],
  agent_software: [
    [undefined, 'manufacturer'],
    [undefined, 'software_name'],
    [undefined, 'version'],
  ],
};

/** Writes a `name` for each name of a linked agent; with the role, or its relator, unless it is a subject. */
export function writeNames(xml: XmlWriter, { link, agent }: AgentLink, context: ExportContext): void {
  const role = textOf(link, 'role');
  const relator = textOf(link, 'relator');
  for (const name of objectsOf(agent, 'names')) {
    openName(xml, agent, name);
    if (role !== 'subject') {
      xml.open('role').element('roleTerm', { type: 'text', authority: 'marcrelator' }, role);
      if (relator !== undefined)
        xml
          .element('roleTerm', { type: 'code', authority: 'marcrelator' }, relator)
          .element(
            'roleTerm',
            { type: 'text', authority: 'marcrelator' },
            context.label('linked_agent_archival_record_relators', relator),
          );
      xml.close();
    }
    xml.close();
  }
}

function openName(xml: XmlWriter, agent: JsonObject, name: JsonObject): void {
  const model = textOf(agent, 'jsonmodel_type') ?? '';
  const isConference = name['conference_meeting'] === true;
  xml.open('name', {
    type: isConference ? 'conference' : types[model],
    authority: textOf(name, 'source'),
    valueURI: addressOf(textOf(name, 'authority_id')),
  });
  for (const [type, property] of parts[model] ?? []) {
    const text = textOf(name, property);
    if (text !== undefined) xml.element('namePart', { type }, text);
  }
}

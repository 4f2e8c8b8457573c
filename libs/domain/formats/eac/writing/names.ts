// The identity section of EAC-CPF: identifiers, kind, and names with their parts and parallel forms (contract behaviour-exports 6).
import type { JsonObject } from '../../../json.ts';
import { objectsOf, textOf } from '../../../json.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { writeDates } from './dates.ts';
import { knownLanguage, scriptCode, toNameToken } from './values.ts';

/** entityType by kind of agent. */
export const entityTypes: { readonly [model: string]: string } = {
  agent_person: 'person',
  agent_family: 'family',
  agent_corporate_entity: 'corporateBody',
};

/** Parts of names in the order they are written: localType and property, by kind of agent. */
export const nameParts: { readonly [model: string]: readonly (readonly [localType: string, property: string])[] } = {
  agent_person: [
    ['surname', 'primary_name'],
    ['title', 'title'],
    ['prefix', 'prefix'],
    ['forename', 'rest_of_name'],
    ['suffix', 'suffix'],
    ['fuller_form', 'fuller_form'],
    ['numeration', 'number'],
    ['qualifier', 'qualifier'],
    ['dates', 'dates'],
  ],
  agent_family: [
    ['prefix', 'prefix'],
    ['surname', 'family_name'],
    ['family_type', 'family_type'],
    ['location', 'location'],
    ['qualifier', 'qualifier'],
    ['dates', 'dates'],
  ],
  agent_corporate_entity: [
    ['primary_name', 'primary_name'],
    ['subordinate_name_1', 'subordinate_name_1'],
    ['subordinate_name_2', 'subordinate_name_2'],
    ['numeration', 'number'],
    ['location', 'location'],
    ['qualifier', 'qualifier'],
    ['dates', 'dates'],
  ],
};

/** Writes the section. */
export function writeIdentity(xml: XmlWriter, agent: JsonObject): void {
  const model = textOf(agent, 'jsonmodel_type') ?? '';
  xml.open('identity');
  for (const identifier of objectsOf(agent, 'agent_identifiers'))
    xml.element(
      'entityId',
      { localType: textOf(identifier, 'identifier_type') },
      textOf(identifier, 'entity_identifier'),
    );
  xml.element('entityType', {}, entityTypes[model]);
  for (const name of objectsOf(agent, 'names')) writeName(xml, model, name);
  xml.close();
}

function writeName(xml: XmlWriter, model: string, name: JsonObject): void {
  const parallels = objectsOf(name, 'parallel_names');
  if (parallels.length === 0) {
    openEntry(xml, model, name);
    writeUseDates(xml, name);
    writeForm(xml, name);
    xml.close();
    return;
  }
  xml.open('nameEntryParallel');
  for (const form of [name, ...parallels]) {
    openEntry(xml, model, form);
    const source = toNameToken(textOf(form, 'source') ?? textOf(form, 'rules'));
    if (form['is_display_name'] === true && source !== undefined) xml.element('preferredForm', {}, source);
    xml.close();
  }
  writeUseDates(xml, name);
  writeForm(xml, name);
  xml.close();
}

function openEntry(xml: XmlWriter, model: string, name: JsonObject): void {
  xml.open('nameEntry', {
    'xml:lang': knownLanguage(textOf(name, 'language')),
    scriptCode: scriptCode(textOf(name, 'script')),
    transliteration: toNameToken(textOf(name, 'transliteration')),
  });
  writeParts(xml, model, name);
}

/** Writes the parts of a name, each with what it is; the schemas want one. */
export function writeParts(xml: XmlWriter, model: string, name: JsonObject): void {
  const parts = (nameParts[model] ?? []).flatMap(([localType, property]) => {
    const text = textOf(name, property)?.trim() ?? '';
    return text === '' ? [] : [[localType, text] as const];
  });
  for (const [localType, text] of parts) xml.element('part', { localType }, text);
  if (parts.length === 0) xml.element('part', {}, 'untitled');
}

function writeUseDates(xml: XmlWriter, name: JsonObject): void {
  const dates = objectsOf(name, 'use_dates');
  if (dates.length === 0) return;
  xml.open('useDates');
  writeDates(xml, dates);
  xml.close();
}

function writeForm(xml: XmlWriter, name: JsonObject): void {
  const source = toNameToken(textOf(name, 'source'));
  if (source !== undefined) xml.element(name['authorized'] === true ? 'authorizedForm' : 'alternativeForm', {}, source);
}

// MODS 3.4 of a digital object (contract behaviour-exports 8), and of one object or component for use inside METS.
import type { JsonObject } from '../../json.ts';
import { objectOf, objectsOf, textOf, textsOf } from '../../json.ts';
import type { DigitalTree } from '../writing/digital-tree.ts';
import { publishedTree } from '../writing/digital-tree.ts';
import type { ExportContext } from '../writing/context.ts';
import { agentLinks, plainText, resolvedOf, subjectsOf } from '../writing/context.ts';
import { codedLanguages, languageNotes, noteTexts, noteType } from '../writing/note-text.ts';
import { addressOf } from '../xml/any-uri.ts';
import type { Attributes } from '../xml/writer.ts';
import { XmlWriter } from '../xml/writer.ts';
import { writeDates } from './dates.ts';
import { writeNames } from './names.ts';
import { writeSubject } from './subjects.ts';

/** Values of typeOfResource by type of digital object; the labels that the reference writes are none of the schema's. */
const resourceTypes: { readonly [type: string]: string } = {
  cartographic: 'cartographic',
  mixed_materials: 'mixed material',
  moving_image: 'moving image',
  notated_music: 'notated music',
  software_multimedia: 'software, multimedia',
  sound_recording: 'sound recording',
  sound_recording_musical: 'sound recording-musical',
  sound_recording_nonmusical: 'sound recording-nonmusical',
  still_image: 'still image',
  text: 'text',
};

/** Types of note that are conditions of access, with the type of `accessCondition`. */
export const conditions: { readonly [type: string]: string } = {
  accessrestrict: 'restrictionOnAccess',
  userestrict: 'useAndReproduction',
  legalstatus: 'legalstatus',
};

// Components below this depth are left out, as in the reference.
const deepest = 20;
const physical: { readonly [type: string]: string } = { physdesc: 'physical_description', dimensions: 'dimensions' };

/** The document, ended by a newline: the object, and each component as a constituent with its title and files. Refs of the object are resolved. */
export function digitalObjectMods(tree: DigitalTree, context: ExportContext): string {
  const { object, components } = context.includesUnpublished ? tree : publishedTree(tree);
  const xml = new XmlWriter().declaration();
  writeMods(xml, object, context, () => {
    for (const { record, depth } of components) if (depth <= deepest) writeConstituent(xml, record);
  });
  return `${xml.take()}\n`;
}

/** Writes the element `mods` of an object or component whose unpublished parts are gone already; `last` writes what comes at its end. */
export function writeMods(
  xml: XmlWriter,
  record: JsonObject,
  context: ExportContext,
  last: () => void = () => {},
): void {
  const namespace = 'http://www.loc.gov/mods/v3';
  xml.open('mods', {
    xmlns: namespace,
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xmlns:xlink': 'http://www.w3.org/1999/xlink',
    version: '3.4',
    'xsi:schemaLocation': `${namespace} https://www.loc.gov/standards/mods/v3/mods-3-4.xsd`,
  });
  writeTitle(xml, textOf(record, 'title') ?? textOf(record, 'display_string') ?? textOf(record, 'label'));
  const identifier = textOf(record, 'digital_object_id') ?? textOf(record, 'component_id');
  if (identifier !== undefined) xml.element('identifier', {}, identifier);
  const type = resourceTypes[textOf(record, 'digital_object_type') ?? ''];
  if (type !== undefined) xml.element('typeOfResource', {}, type);
  writeLanguages(xml, record, context);
  writeDates(xml, record);
  writePhysicalDescription(xml, record);
  for (const note of objectsOf(record, 'notes')) writeNote(xml, note);
  writeRepository(xml, context.repository);
  for (const subject of subjectsOf(record)) writeSubject(xml, subject);
  for (const link of agentLinks(record, ['subject'])) {
    if (objectsOf(link.agent, 'names').length === 0) continue;
    xml.open('subject');
    writeNames(xml, link, context);
    xml.close();
  }
  for (const link of agentLinks(record, ['creator', 'source'])) writeNames(xml, link, context);
  last();
  xml.close();
}

/** Writes titleInfo; nothing without a title. */
export function writeTitle(xml: XmlWriter, title: string | undefined): void {
  if (title !== undefined) xml.open('titleInfo').element('title', {}, plainText(title)).close();
}

/** Writes the coded languages, each as text and code with its script, then the notes about them. */
export function writeLanguages(xml: XmlWriter, record: JsonObject, context: ExportContext): void {
  for (const coded of codedLanguages(record)) {
    const script = textOf(coded, 'script');
    // The schema has no script without a language.
    const language = textOf(coded, 'language') ?? (script === undefined ? undefined : 'und');
    if (language === undefined) continue;
    xml.open('language');
    term('languageTerm', 'iso639-2b', language, context.label('language_iso639_2', language));
    if (script !== undefined) term('scriptTerm', 'iso15924', script, context.label('script_iso15924', script));
    xml.close();
  }
  writeTexts(xml, 'note', { type: 'language' }, languageNotes(record).flatMap(noteTexts));

  function term(element: string, authority: string, code: string, label: string): void {
    xml.element(element, { type: 'text', authority }, label).element(element, { type: 'code', authority }, code);
  }
}

/** Writes an element for each text that says anything. */
export function writeTexts(xml: XmlWriter, element: string, attributes: Attributes, texts: readonly string[]): void {
  for (const text of texts.map(plainText)) if (text !== '') xml.element(element, attributes, text);
}

function writePhysicalDescription(xml: XmlWriter, record: JsonObject): void {
  const extents = objectsOf(record, 'extents');
  const texts: (readonly [type: string, text: string])[] = [];
  for (const extent of extents) {
    const [details, dimensions] = [textOf(extent, 'physical_details'), textOf(extent, 'dimensions')];
    if (details !== undefined) texts.push(['physical_description', details]);
    if (dimensions !== undefined) texts.push(['dimensions', dimensions]);
  }
  for (const note of objectsOf(record, 'notes')) {
    const type = physical[noteType(note)];
    if (type !== undefined) texts.push(...noteTexts(note).map((text): readonly [string, string] => [type, text]));
  }
  if (extents.length === 0 && texts.length === 0) return;
  xml.open('physicalDescription');
  for (const extent of extents)
    xml.element('extent', {}, `${textOf(extent, 'number') ?? ''} ${textOf(extent, 'extent_type') ?? ''}`.trim());
  for (const [type, text] of texts) xml.element('note', { type }, plainText(text));
  xml.close();
}

/** The texts of a note; those of a bibliography are its items as well. */
export const textsOfNote = (note: JsonObject): readonly string[] =>
  noteType(note) === 'bibliography' ? [...noteTexts(note), ...textsOf(note, 'items')] : noteTexts(note);

function writeNote(xml: XmlWriter, note: JsonObject): void {
  const type = noteType(note);
  const displayLabel = textOf(note, 'label');
  if (physical[type] !== undefined) return;
  const condition = conditions[type];
  const texts = textsOfNote(note);
  if (condition !== undefined) writeTexts(xml, 'accessCondition', { type: condition, displayLabel }, texts);
  else writeTexts(xml, 'note', { type, displayLabel }, texts);
}

/** The repository with the address of its agent's first contact, where the caller may see one. */
function writeRepository(xml: XmlWriter, repository: JsonObject | null): void {
  const name = textOf(repository ?? undefined, 'name');
  if (repository === null || name === undefined) return;
  const agent = resolvedOf(objectOf(repository, 'agent_representation'));
  const contact = objectsOf(agent, 'agent_contacts')[0];
  const lines = ['address_1', 'address_2', 'address_3', 'city', 'region', 'post_code', 'country'].flatMap(
    (property) => textOf(contact, property) ?? [],
  );
  const url = textOf(repository, 'url');
  xml.element(
    'note',
    { displayLabel: 'Digital object made available by' },
    `${plainText([name, ...lines].join(', '))}${url === undefined ? '' : ` (${url})`}`,
  );
}

function writeConstituent(xml: XmlWriter, component: JsonObject): void {
  xml.open('relatedItem', { type: 'constituent' });
  writeTitle(xml, textOf(component, 'title') ?? textOf(component, 'display_string') ?? textOf(component, 'label'));
  for (const version of objectsOf(component, 'file_versions')) {
    const uri = textOf(version, 'file_uri');
    if (uri !== undefined) xml.open('location').element('url', {}, addressOf(uri)).close();
  }
  xml.close();
}

// Notes of agents as EAC-CPF: lists, chronologies, outlines, citations and paragraphs in the order that the schema wants.
import type { JsonObject } from '../../../json.ts';
import { isObject, objectsOf, textOf, textsOf } from '../../../json.ts';
import { plainText } from '../../writing/context.ts';
import { noteTexts } from '../../writing/note-text.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { linkedPart, linkOf, writeDescriptiveNote, writeParagraphs } from './values.ts';

const elements: { readonly [type: string]: string } = {
  note_general_context: 'generalContext',
  note_bioghist: 'biogHist',
  note_structure_or_genealogy: 'structureOrGenealogy',
  note_mandate: 'mandate',
  note_legal_status: 'legalStatus',
};
// Their content is a term, dates, a citation and a descriptive note, not text as it comes.
const simple: ReadonlySet<string> = new Set(['note_mandate', 'note_legal_status']);
const order = [
  'note_general_context',
  'note_mandate',
  'note_legal_status',
  'note_structure_or_genealogy',
  'note_bioghist',
];

/** Writes the notes of an agent; biographies come last, where the schema has room for them. */
export function writeNotes(xml: XmlWriter, agent: JsonObject): void {
  for (const type of order) {
    for (const note of objectsOf(agent, 'notes').filter(
      (each) => textOf(each, 'jsonmodel_type') === type && noteTexts(each).length > 0,
    )) {
      xml.open(elements[type] ?? 'biogHist');
      if (simple.has(type)) writeSimple(xml, objectsOf(note, 'subnotes'));
      else writeDiscursive(xml, objectsOf(note, 'subnotes'));
      xml.close();
    }
  }
}

/** Writes notes where the schema wants a citation and then a descriptive note; further citations go into the note. */
export function writeSimple(xml: XmlWriter, notes: readonly JsonObject[]): void {
  const [citation, ...further] = notes.filter((note) => textOf(note, 'jsonmodel_type') === 'note_citation');
  if (citation !== undefined) writeCitation(xml, citation);
  writeDescriptiveNote(
    xml,
    ...notes.filter((note) => note !== citation && !further.includes(note)).flatMap(noteTexts),
    ...further.flatMap(noteTexts),
  );
}

function writeDiscursive(xml: XmlWriter, subnotes: readonly JsonObject[]): void {
  const isAbstract = (note: JsonObject): boolean => textOf(note, 'jsonmodel_type') === 'note_abstract';
  const [abstract, ...further] = subnotes.filter(isAbstract);
  if (abstract !== undefined)
    xml.element('abstract', {}, plainText([abstract, ...further].flatMap(noteTexts).join(' ')));
  for (const subnote of subnotes) if (!isAbstract(subnote)) writeSubnote(xml, subnote);
}

function writeSubnote(xml: XmlWriter, subnote: JsonObject): void {
  switch (textOf(subnote, 'jsonmodel_type')) {
    case 'note_citation':
      writeCitation(xml, subnote);
      return;
    case 'note_chronology':
      writeChronology(xml, subnote);
      return;
    case 'note_definedlist':
      writeList(xml, 'defined', subnote, definitionTexts(subnote));
      return;
    case 'note_orderedlist':
      writeList(xml, 'ordered', subnote, textsOf(subnote, 'items'));
      return;
    case 'note_outline':
      writeOutline(xml, subnote);
      return;
    default:
      writeParagraphs(xml, noteTexts(subnote));
  }
}

function writeCitation(xml: XmlWriter, note: JsonObject): void {
  const text = plainText(noteTexts(note).join(' '));
  if (text !== '') xml.element('citation', linkOf(linkedPart(note)), text);
}

/** The items of a list of definitions, each as one text, as both versions have them. */
export const definitionTexts = (list: JsonObject): readonly string[] =>
  objectsOf(list, 'items').map((item) => `${textOf(item, 'label') ?? ''}: ${textOf(item, 'value') ?? ''}`);

function writeTitle(xml: XmlWriter, list: JsonObject): void {
  const title = textOf(list, 'title');
  // Lists of EAC-CPF have no head.
  if (title !== undefined) xml.element('p', {}, plainText(title));
}

function writeList(xml: XmlWriter, localType: string, list: JsonObject, items: readonly string[]): void {
  writeTitle(xml, list);
  if (items.length === 0) return;
  xml.open('list', { localType });
  for (const item of items) xml.element('item', {}, plainText(item));
  xml.close();
}

function writeChronology(xml: XmlWriter, chronology: JsonObject): void {
  writeTitle(xml, chronology);
  const items = objectsOf(chronology, 'items');
  if (items.length === 0) return;
  xml.open('chronList');
  for (const item of items) {
    xml.open('chronItem').element('date', {}, textOf(item, 'event_date'));
    const place = textOf(item, 'place');
    if (place !== undefined) xml.element('placeEntry', {}, place);
    xml.element('event', {}, plainText(textsOf(item, 'events').join('; '))).close();
  }
  xml.close();
}

function writeOutline(xml: XmlWriter, outline: JsonObject): void {
  const levels = objectsOf(outline, 'levels').filter(
    (level) => Array.isArray(level['items']) && level['items'].length > 0,
  );
  if (levels.length === 0) return;
  xml.open('outline');
  for (const level of levels) writeLevels(xml, level);
  xml.close();
}

/** A level for each text, with the levels that follow it in the list inside of it. */
function writeLevels(xml: XmlWriter, level: JsonObject): void {
  const items = Array.isArray(level['items']) ? level['items'] : [];
  let isOpen = false;
  for (const item of items) {
    if (isObject(item)) {
      if (!isOpen) xml.open('level').element('item', {});
      isOpen = true;
      writeLevels(xml, item);
      continue;
    }
    if (isOpen) xml.close();
    xml.open('level').element('item', {}, plainText(String(item)));
    isOpen = true;
  }
  if (isOpen) xml.close();
}

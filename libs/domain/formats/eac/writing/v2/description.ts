// The description section of EAC-CPF 2.0: wrappers in the order of its schema, then dates of existence and notes.
import type { JsonObject } from '../../../../json.ts';
import { isObject, objectsOf, textOf, textsOf } from '../../../../json.ts';
import type { ExportContext } from '../../../writing/context.ts';
import { plainText, subjectsOf, termsOf } from '../../../writing/context.ts';
import { noteTexts } from '../../../writing/note-text.ts';
import { XmlWriter } from '../../../xml/writer.ts';
import { writeDates } from '../dates.ts';
import { definitionTexts } from '../notes.ts';
import { languageCode, linkedPart, scriptCode, writeDescriptiveNote, writeParagraphs } from '../values.ts';
import { linkOf2 } from './links.ts';

const discursive: readonly (readonly [type: string, element: string])[] = [
  ['note_general_context', 'generalContext'],
  ['note_structure_or_genealogy', 'structureOrGenealogy'],
  ['note_bioghist', 'biogHist'],
];

/** The term of a mandate or legal status whose note has no label. */
export const defaultTerms: { readonly [element: string]: string } = { mandate: 'Mandate', legalStatus: 'Legal status' };

/** Writes the section, empty where nothing is known. */
export function writeDescription(xml: XmlWriter, agent: JsonObject, context: ExportContext): void {
  const [topics, genders] = [named(agent, 'agent_topics'), objectsOf(agent, 'agent_genders')];
  const dates = objectsOf(agent, 'dates_of_existence');
  xml.open('description');
  writeAll(xml, 'functions', named(agent, 'agent_functions'), (part) => writePart(xml, 'function', undefined, part));
  writeAll(
    xml,
    'languagesUsed',
    objectsOf(agent, 'used_languages').filter((used) => textOf(used, 'language') !== undefined),
    (used) => writeLanguage(xml, used, context),
  );
  writeAll(xml, 'legalStatuses', notesOfType(agent, 'note_legal_status'), (note) =>
    writeNote(xml, 'legalStatus', note),
  );
  writeAll(xml, 'localDescriptions', [...topics, ...genders], (part) =>
    genders.includes(part)
      ? writeGender(xml, part, context)
      : writePart(xml, 'localDescription', 'associatedSubject', part),
  );
  writeAll(xml, 'mandates', notesOfType(agent, 'note_mandate'), (note) => writeNote(xml, 'mandate', note));
  writeAll(xml, 'occupations', named(agent, 'agent_occupations'), (part) =>
    writePart(xml, 'occupation', undefined, part),
  );
  writeAll(xml, 'places', named(agent, 'agent_places'), (place) => writePlace(xml, place));
  if (dates.length > 0) {
    xml.open('existDates');
    writeDates(xml, dates, true);
    xml.close();
  }
  for (const [type, element] of discursive) {
    for (const note of notesOfType(agent, type)) {
      const content = new XmlWriter();
      writeDiscursive(content, note);
      const text = content.take();
      if (text === '') continue;
      const label = textOf(note, 'label');
      xml.open(element);
      if (label !== undefined) xml.element('head', {}, plainText(label));
      xml.raw(text).close();
    }
  }
  xml.close();
}

/** Notes of a type of which anything is left to show. */
const notesOfType = (agent: JsonObject, type: string): readonly JsonObject[] =>
  objectsOf(agent, 'notes').filter((note) => textOf(note, 'jsonmodel_type') === type && noteTexts(note).length > 0);

/** Parts whose subject has a text, without which the schema has no room for them. */
const named = (agent: JsonObject, property: string): readonly JsonObject[] =>
  objectsOf(agent, property).filter((part) => headingOf(subjectsOf(part)[0]) !== '');

function writeAll(
  xml: XmlWriter,
  wrapper: string,
  parts: readonly JsonObject[],
  write: (part: JsonObject) => void,
): void {
  if (parts.length === 0) return;
  xml.open(wrapper);
  for (const part of parts) write(part);
  xml.close();
}

const headingOf = (subject: JsonObject | undefined): string =>
  plainText(textOf(subject === undefined ? undefined : termsOf(subject)[0], 'term') ?? textOf(subject, 'title') ?? '');

function writePart(xml: XmlWriter, element: string, localType: string | undefined, part: JsonObject): void {
  const [subject] = subjectsOf(part);
  xml.open(element, { localType, vocabularySource: textOf(subject, 'source') }).element('term', {}, headingOf(subject));
  writeDates(xml, objectsOf(part, 'dates'), true);
  for (const place of subjectsOf(part, 'places'))
    xml.element('placeName', { vocabularySource: textOf(place, 'source') }, headingOf(place));
  writeWithCitations(xml, objectsOf(part, 'notes'));
  xml.close();
}

function writeGender(xml: XmlWriter, gender: JsonObject, context: ExportContext): void {
  xml
    .open('localDescription', { localType: 'gender' })
    .element('term', {}, context.label('gender', textOf(gender, 'gender') ?? ''));
  writeDates(xml, objectsOf(gender, 'dates'), true);
  writeWithCitations(xml, objectsOf(gender, 'notes'));
  xml.close();
}

function writeLanguage(xml: XmlWriter, used: JsonObject, context: ExportContext): void {
  const [language, code] = [textOf(used, 'language') ?? 'und', scriptCode(textOf(used, 'script'))];
  xml
    .open('languageUsed')
    .element('language', { languageCode: languageCode(language) }, context.label('language_iso639_2', language));
  if (code !== undefined) xml.element('writingSystem', { scriptCode: code }, context.label('script_iso15924', code));
  writeDescriptiveNote(xml, ...objectsOf(used, 'notes').flatMap(noteTexts));
  xml.close();
}

function writePlace(xml: XmlWriter, place: JsonObject): void {
  const [subject] = subjectsOf(place);
  const role = textOf(place, 'place_role');
  xml.open('place').element('placeName', { vocabularySource: textOf(subject, 'source') }, headingOf(subject));
  if (role !== undefined) xml.element('placeRole', {}, role);
  writeDates(xml, objectsOf(place, 'dates'), true);
  writeDescriptiveNote(xml, ...objectsOf(place, 'notes').flatMap(noteTexts));
  xml.close();
}

/** A mandate or legal status has a term: the label of its note, else its kind; its text is the descriptive note, its citations are references. */
function writeNote(xml: XmlWriter, element: string, note: JsonObject): void {
  const subnotes = objectsOf(note, 'subnotes');
  xml.open(element).element('term', {}, textOf(note, 'label') ?? defaultTerms[element]);
  writeWithCitations(xml, subnotes);
  xml.close();
}

/** Notes where there is room for references before the descriptive note. */
function writeWithCitations(xml: XmlWriter, notes: readonly JsonObject[]): void {
  for (const note of notes.filter(isCitation)) writeCitation(xml, note);
  writeDescriptiveNote(xml, ...noteTexts({ subnotes: notes.filter((note) => !isCitation(note)) }));
}

const isCitation = (subnote: JsonObject): boolean =>
  textOf(subnote, 'jsonmodel_type') === 'note_citation' && plainText(noteTexts(subnote).join(' ')) !== '';

const writeCitation = (xml: XmlWriter, citation: JsonObject): unknown =>
  xml.element('reference', linkOf2(linkedPart(citation)), plainText(noteTexts(citation).join(' ')));

/** Writes what a note says, without its label. */
function writeDiscursive(xml: XmlWriter, note: JsonObject): void {
  const subnotes = objectsOf(note, 'subnotes');
  const abstract = subnotes
    .filter((subnote) => textOf(subnote, 'jsonmodel_type') === 'note_abstract')
    .flatMap(noteTexts)
    .join(' ');
  if (abstract !== '') xml.element('abstract', {}, plainText(abstract));
  for (const subnote of subnotes) writeSubnote(xml, subnote);
}

function writeSubnote(xml: XmlWriter, subnote: JsonObject): void {
  const type = textOf(subnote, 'jsonmodel_type');
  const title = textOf(subnote, 'title');
  if (type === 'note_abstract') return;
  const isDefined = type === 'note_definedlist';
  const items = isDefined ? definitionTexts(subnote) : type === 'note_orderedlist' ? textsOf(subnote, 'items') : [];
  if (items.length > 0) {
    const listType = textOf(subnote, 'enumeration') === undefined ? 'unordered' : 'ordered';
    xml.open('list', { listType, localType: isDefined ? 'defined' : undefined });
    if (title !== undefined) xml.element('head', {}, plainText(title));
    for (const item of items) xml.element('item', {}, plainText(item));
    xml.close();
    return;
  }
  if (isCitation(subnote)) {
    writeCitation(xml.open('p'), subnote);
    xml.close();
    return;
  }
  if (type === 'note_outline') {
    for (const level of objectsOf(subnote, 'levels')) writeLevel(xml, level);
    return;
  }
  if (type === 'note_chronology' && objectsOf(subnote, 'items').length > 0) {
    writeChronology(xml, subnote);
    return;
  }
  writeParagraphs(xml, noteTexts({ subnotes: [subnote] }));
}

/** A level of an outline, as a list that may hold lists. */
function writeLevel(xml: XmlWriter, level: JsonObject): void {
  const content = new XmlWriter();
  for (const item of Array.isArray(level['items']) ? level['items'] : []) {
    if (isObject(item)) writeLevel(content, item);
    else if (plainText(String(item)) !== '') content.element('item', {}, plainText(String(item)));
  }
  const text = content.take();
  if (text !== '') xml.open('list').raw(text).close();
}

function writeChronology(xml: XmlWriter, chronology: JsonObject): void {
  const title = textOf(chronology, 'title');
  xml.open('chronList');
  if (title !== undefined) xml.element('head', {}, plainText(title));
  for (const item of objectsOf(chronology, 'items')) {
    const [date, place] = [textOf(item, 'event_date'), textOf(item, 'place')];
    const events = textsOf(item, 'events').map(plainText);
    xml.open('chronItem').element('date', { status: date === undefined ? 'unknown' : undefined }, date ?? 'undated');
    // Several events of a date are a set.
    if (events.length > 1) xml.open('chronItemSet');
    for (const event of events.length === 0 ? [''] : events) xml.element('event', {}, event);
    if (place !== undefined) xml.open('place').element('placeName', {}, place).close();
    if (events.length > 1) xml.close();
    xml.close();
  }
  xml.close();
}

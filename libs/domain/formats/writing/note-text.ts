// The text of a note whatever its form: content of single notes, texts, lists and chronologies of others, flattened in their order
// (contract behaviour-oai 11, "common rules").
import type { JsonObject } from '../../json.ts';
import { isObject, objectsOf, textOf, textsOf } from '../../json.ts';
import { withoutTags } from '../../text/mixed-content.ts';
import { decodeEntities } from '../xml/fragment.ts';

/** The texts of a note in order, one for each content string or sub-note; markup is kept, blank ones are left out. */
export function noteTexts(note: JsonObject): readonly string[] {
  return [...contentOf(note), ...objectsOf(note, 'subnotes').flatMap(subnoteTexts)].filter(
    (text) => text.trim() !== '',
  );
}

/** Text without markup; what marks up words leaves no blank. */
export const unmarked = (text: string): string =>
  decodeEntities(withoutTags(text))
    .replace(/[ \t]+/g, ' ')
    .trim();

/** The texts of a note without markup; blank ones are left out. */
export const plainNoteTexts = (note: JsonObject): readonly string[] =>
  noteTexts(note)
    .map(unmarked)
    .filter((text) => text !== '');

/** The notes of a record of one of the types, in order. */
export const notesOf = (record: JsonObject, types: readonly string[]): readonly JsonObject[] =>
  objectsOf(record, 'notes').filter((note) => types.includes(noteType(note)));

/** What a note is: its `type`, and for bibliographies and others without one the end of its name. */
export const noteType = (note: JsonObject): string =>
  textOf(note, 'type') ?? (textOf(note, 'jsonmodel_type') ?? '').replace(/^note_/, '');

/** The notes of the languages of a record. */
export const languageNotes = (record: JsonObject): readonly JsonObject[] =>
  objectsOf(record, 'lang_materials').flatMap((material) => objectsOf(material, 'notes'));

/** The coded languages of a record, in order; `script` may be absent. */
export const codedLanguages = (record: JsonObject): readonly JsonObject[] =>
  objectsOf(record, 'lang_materials').flatMap((material) =>
    isObject(material['language_and_script']) ? [material['language_and_script']] : [],
  );

function contentOf(note: JsonObject): readonly string[] {
  const content = textOf(note, 'content');
  return content === undefined ? textsOf(note, 'content') : [content];
}

function subnoteTexts(subnote: JsonObject): readonly string[] {
  const type = textOf(subnote, 'jsonmodel_type');
  if (type === 'note_chronology')
    return [
      titled(
        subnote,
        objectsOf(subnote, 'items').map((item) =>
          [textOf(item, 'event_date'), textOf(item, 'place'), ...textsOf(item, 'events')].filter(Boolean).join(', '),
        ),
      ),
    ];
  if (type === 'note_definedlist')
    return [
      titled(
        subnote,
        objectsOf(subnote, 'items').map((item) => `${textOf(item, 'label') ?? ''}: ${textOf(item, 'value') ?? ''}`),
      ),
    ];
  if (type === 'note_orderedlist') return [titled(subnote, textsOf(subnote, 'items'))];
  if (type === 'note_outline') return objectsOf(subnote, 'levels').flatMap(levelTexts);
  return contentOf(subnote);
}

function titled(list: JsonObject, items: readonly string[]): string {
  const title = textOf(list, 'title');
  return `${title === undefined || title === '' ? '' : `${title}. `}${items.join('; ')}`;
}

function levelTexts(level: JsonObject): readonly string[] {
  const items = level['items'];
  return Array.isArray(items)
    ? items.flatMap((item) => (typeof item === 'string' ? [item] : isObject(item) ? levelTexts(item) : []))
    : [];
}

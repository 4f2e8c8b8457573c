// What notes say, whatever document they go into: their elements, heads and texts (contract, exports 2 "Notes").
import type { JsonObject } from '../../json.ts';
import { objectsOf, textOf, textsOf } from '../../json.ts';
import type { LabelOf } from './finding-aid.ts';

/** Notes that stand in `did`. */
export const didNotes: ReadonlySet<string> = new Set([
  'abstract',
  'physdesc',
  'langmaterial',
  'materialspec',
  'physloc',
  'dimensions',
  'physfacet',
]);

/** Notes that are elements of their own beside `did`. */
export const blockNotes: ReadonlySet<string> = new Set([
  'accruals',
  'appraisal',
  'arrangement',
  'bioghist',
  'accessrestrict',
  'userestrict',
  'custodhist',
  'altformavail',
  'originalsloc',
  'fileplan',
  'odd',
  'acqinfo',
  'otherfindaid',
  'phystech',
  'prefercite',
  'processinfo',
  'relatedmaterial',
  'scopecontent',
  'separatedmaterial',
  'legalstatus',
]);

/** The type of a note by which it finds its element; bibliographies and indexes are types of their own. */
export function noteType(note: JsonObject): string {
  const model = textOf(note, 'jsonmodel_type');
  if (model === 'note_bibliography') return 'bibliography';
  return model === 'note_index' ? 'index' : (textOf(note, 'type') ?? '');
}

/** The text of a note without sub-structure: its content, then its text sub-notes. */
export function noteTexts(note: JsonObject): readonly string[] {
  const content = note['content'];
  const texts: string[] = [];
  const add = (text: string): void => {
    if (text.trim() !== '') texts.push(text);
  };
  if (typeof content === 'string') add(content);
  else for (const text of textsOf(note, 'content')) add(text);
  for (const part of objectsOf(note, 'subnotes'))
    if (textOf(part, 'jsonmodel_type') === 'note_text') add(textOf(part, 'content') ?? '');
  return texts;
}

/**
 * A note whose element holds no paragraphs, in as many as it takes to mark the texts that are not published: one, or a published and an
 * unpublished one, which then has no id, since an id stands once.
 */
export function byAudience(note: JsonObject): readonly JsonObject[] {
  const parts = objectsOf(note, 'subnotes');
  const hidden = parts.filter((part) => part['publish'] === false);
  if (hidden.length === 0 || note['publish'] === false) return [note];
  const shown = { ...note, subnotes: parts.filter((part) => part['publish'] !== false) };
  if (noteTexts(shown).length === 0) return [{ ...note, publish: false }];
  return [shown, { ...note, content: [], publish: false, subnotes: hidden, persistent_id: null }];
}

/** The head of a note: its label, else the word for its type. */
export function noteHead(note: JsonObject, label: LabelOf): string {
  const own = textOf(note, 'label');
  if (own !== undefined && own.trim() !== '') return own;
  const type = noteType(note);
  if (type === 'bibliography') return 'Bibliography';
  return type === 'index' ? 'Index' : label('note_multipart_type', type);
}

/** The elements of index items, by their type. */
export const indexElements: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['person', 'persname'],
  ['family', 'famname'],
  ['corporate_entity', 'corpname'],
  ['subject', 'subject'],
  ['function', 'function'],
  ['occupation', 'occupation'],
  ['title', 'title'],
  ['geographic_name', 'geogname'],
  ['genre_form', 'genreform'],
]);

/** What an entry of an index says to readers: what it names, and where that is. */
export const indexWords = (item: JsonObject): readonly string[] =>
  ['value', 'reference_text'].flatMap((property) => textOf(item, property)?.trim() || []);

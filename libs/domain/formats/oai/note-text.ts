// The texts of notes as plain text, whatever the form of the note (contract OAI 11, "Common rules").
import type { JsonObject } from '../../json.ts';
import { isObject, objectsOf, textOf, textsOf } from '../../json.ts';
import { withoutMarkup } from '../../text/mixed-content.ts';

/** Text without markup; what marks up words leaves no blank. */
export const plain = (text: string): string => withoutMarkup(text).replace(/[ \t]+/g, ' ').trim();

/** The plain texts of a note, one for each content string or sub-note; blank ones are left out. */
export const noteTexts = (note: JsonObject): readonly string[] => [...contentOf(note), ...objectsOf(note, 'subnotes').flatMap(subnoteTexts)].map(plain).filter((text) => text !== '');

function contentOf(note: JsonObject): readonly string[] {
  const content = textOf(note, 'content');
  return content === undefined ? textsOf(note, 'content') : [content];
}

function subnoteTexts(subnote: JsonObject): readonly string[] {
  switch (textOf(subnote, 'jsonmodel_type')) {
    case 'note_chronology':
      return [titled(subnote, objectsOf(subnote, 'items').map((item) => [textOf(item, 'event_date') ?? '', ...textsOf(item, 'events')].filter((text) => text !== '').join(', ')))];
    case 'note_definedlist':
      return [titled(subnote, objectsOf(subnote, 'items').map((item) => `${textOf(item, 'label') ?? ''}: ${textOf(item, 'value') ?? ''}`))];
    case 'note_orderedlist':
      return [titled(subnote, textsOf(subnote, 'items'))];
    case 'note_outline':
      return objectsOf(subnote, 'levels').flatMap(levelTexts);
    default:
      return contentOf(subnote);
  }
}

function titled(list: JsonObject, items: readonly string[]): string {
  const title = textOf(list, 'title');
  return `${title === undefined || title === '' ? '' : `${title}. `}${items.join('; ')}`;
}

function levelTexts(level: JsonObject): readonly string[] {
  const items = level['items'];
  return Array.isArray(items) ? items.flatMap((item) => (typeof item === 'string' ? [item] : isObject(item) ? levelTexts(item) : [])) : [];
}

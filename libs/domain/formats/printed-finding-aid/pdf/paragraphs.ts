// Mixed content as plain paragraphs, and notes as a head with paragraphs and items.
import type { JsonObject } from '../../../json.ts';
import { objectsOf, textOf, textsOf } from '../../../json.ts';
import type { LabelOf } from '../../writing/finding-aid.ts';
import { indexWords, noteHead, noteTexts, noteType } from '../../writing/note-content.ts';
import { parseFragment } from '../../xml/fragment.ts';
import { isElement, textContent } from '../../xml/tree.ts';
import type { XmlChild, XmlNode } from '../../xml/tree.ts';
import { apart, ownLines, silent } from '../parting.ts';

/** A paragraph or an item of a list. */
export type Paragraph = { readonly text: string; readonly isItem: boolean };

/** A note as it is printed. */
export type PrintedNote = { readonly head: string; readonly body: readonly Paragraph[] };

/** The plain text of one line, such as a title. */
export const inlineText = (text: string): string => lineOf(wordsOf(parseFragment(text) ?? [text]));

const lineOf = (text: string): string => text.replace(/\s+/gu, ' ').trim();

const wordsOf = (children: readonly XmlChild[]): string =>
  children
    .map((child) => {
      if (!isElement(child)) return child;
      if (silent.has(child.name)) return '';
      const words = wordsOf(child.children);
      return apart.has(child.name) ? ` ${words} ` : words;
    })
    .join('');

/** The address of the web that an element leads to. */
const addressOf = ({ attributes }: XmlNode): string | undefined =>
  attributes
    .map(({ local, value }) => (local === 'href' ? value.trim() : ''))
    .find((value) => /^https?:\/\//i.test(value));

/** Mixed content as paragraphs, parted at blank lines, paragraphs, line breaks and items. */
export function paragraphsOf(text: string): readonly Paragraph[] {
  const found: Paragraph[] = [];
  let run = '';
  const flush = (isItem: boolean): void => {
    const text = lineOf(run);
    if (text !== '') found.push({ text, isItem });
    run = '';
  };
  const walk = (children: readonly XmlChild[], isItem: boolean): void => {
    for (const child of children) {
      if (!isElement(child)) {
        const [first = '', ...rest] = child.split(/\n[ \t\r]*\n\s*/);
        run += first;
        for (const part of rest) {
          flush(isItem);
          run = part;
        }
        continue;
      }
      if (silent.has(child.name)) continue;
      const parts = ownLines.has(child.name);
      if (parts) flush(isItem);
      else if (apart.has(child.name)) run += ' ';
      const isOwnItem = child.name === 'item' || child.name === 'li';
      walk(child.children, isItem || isOwnItem);
      const address = addressOf(child);
      // Paper has no links: the address stands behind what is linked, and leads there where the document is on a screen.
      if (address !== undefined && !textContent(child.children).includes(address))
        run += textContent(child.children).trim() === '' ? address : ` (${address})`;
      if (parts) flush(isItem || isOwnItem);
      else if (apart.has(child.name)) run += ' ';
    }
  };
  walk(parseFragment(text) ?? [text], false);
  flush(false);
  return found;
}

/** The notes of a record, those on its languages first; notes that say nothing are left out. */
export function printedNotes(record: JsonObject, label: LabelOf): readonly PrintedNote[] {
  const notes = [
    ...objectsOf(record, 'lang_materials').flatMap((material) => objectsOf(material, 'notes')),
    ...objectsOf(record, 'notes'),
  ];
  return notes.map((note) => printed(note, label)).filter(({ body }) => body.length > 0);
}

function printed(note: JsonObject, label: LabelOf): PrintedNote {
  const head =
    textOf(note, 'label') ??
    (textOf(note, 'jsonmodel_type') === 'note_singlepart'
      ? label('note_singlepart_type', noteType(note))
      : noteHead(note, label));
  const items = [
    ...textsOf(note, 'items'),
    ...objectsOf(note, 'items').map((entry) => indexWords(entry).join(': ')),
  ].map(item);
  return {
    head: inlineText(head),
    body: [...noteTexts(note).flatMap(paragraphsOf), ...objectsOf(note, 'subnotes').flatMap(listOf), ...items].filter(
      ({ text }) => text !== '',
    ),
  };
}

const item = (text: string): Paragraph => ({ text: inlineText(text), isItem: true });

function listOf(part: JsonObject): readonly Paragraph[] {
  const title = { text: inlineText(textOf(part, 'title') ?? ''), isItem: false };
  const pairs = (name: string, says: (entry: JsonObject) => string): readonly Paragraph[] => [
    title,
    ...objectsOf(part, 'items').map((entry) =>
      item([textOf(entry, name) ?? '', says(entry)].filter((text) => text !== '').join(': ')),
    ),
  ];
  switch (textOf(part, 'jsonmodel_type')) {
    case 'note_orderedlist':
      return [title, ...textsOf(part, 'items').map((text, index) => item(`${index + 1}. ${text}`))];
    case 'note_definedlist':
      return pairs('label', (entry) => textOf(entry, 'value') ?? '');
    case 'note_chronology':
      return pairs('event_date', (entry) => [textOf(entry, 'place') ?? [], textsOf(entry, 'events')].flat().join('; '));
    default:
      return [];
  }
}

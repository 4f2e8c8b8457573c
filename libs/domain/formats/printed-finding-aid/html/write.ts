// A finding aid as one HTML page that needs nothing else: for reading, printing and saving. Streamed like the EAD it stands beside.
import type { JsonObject } from '../../../json.ts';
import { objectOf, objectsOf, textOf, textsOf } from '../../../json.ts';
import { resolvedOf } from '../../writing/context.ts';
import { audience } from '../../writing/finding-aid.ts';
import type { FindingAidSetting } from '../../writing/finding-aid.ts';
import { createIds, prefixedId } from '../../writing/identifiers.ts';
import type { DocumentIds } from '../../writing/identifiers.ts';
import { indexWords, noteHead, noteTexts, noteType } from '../../writing/note-content.ts';
import { streamTree } from '../../writing/tree-stream.ts';
import type { TreeRecord } from '../../writing/tree-stream.ts';
import { publishedPart } from '../../writing/published.ts';
import { languageOf, runsRightToLeft } from '../language.ts';
import { printedTitle, titlePage } from '../pdf/lines.ts';
import { readableTerms } from '../terms.ts';
import type { Wording } from '../terms.ts';
import { escapeAttribute, escapeText } from '../../xml/escape.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { blocksHtml, inlineHtml } from './mixed.ts';
import { style } from './style.ts';

/** A tree to write: see TreeSource. */
type Tree = {
  readonly root: JsonObject;
  readonly groups: readonly TreeRecord[];
  readonly blocks: AsyncIterable<readonly TreeRecord[]>;
};

/** The page in pieces of text; the tree and `setting` as for EAD. Unpublished parts are marked where they are asked for. */
export function writeHtml({ root, groups, blocks }: Tree, setting: FindingAidSetting): AsyncGenerator<string> {
  const ids = createIds();
  const shown = (record: JsonObject): JsonObject => (setting.flags.includeUnpublished ? record : publishedPart(record));
  let hasComponents = false;
  return streamTree(blocks, {
    head(writer) {
      const resource = shown(root);
      const language = languageOf(root);
      const direction = runsRightToLeft(language) ? 'rtl' : 'ltr';
      writer.raw(
        `<!DOCTYPE html>\n<html lang="${escapeAttribute(language)}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeText(printedTitle(root))}</title><style>${style}</style></head>`,
      );
      writer
        .raw('<body>')
        .raw(headerHtml(root, setting))
        .raw(contentsHtml(groups))
        .open('main')
        .raw(heading('summary'));
      writeTerms(writer, setting, resource);
      const notes = notesOf(resource).filter((note) => noteHtml(note, setting) !== null);
      if (notes.length > 0) writer.raw(heading('notes'));
      for (const note of notes) writeNote(writer, setting, ids, note);
    },
    open(writer, depth, record) {
      if (!hasComponents) writer.raw(heading('inventory'));
      hasComponents = true;
      const component = shown(record);
      writer.open('section', { id: ids.claim(textOf(component, 'ref_id')), class: audience(component) });
      const level = Math.min(depth + 2, 6);
      writer.raw(`<h${level} dir="auto">${titleHtml(component)}</h${level}>`);
      writeTerms(writer, setting, component);
      for (const note of notesOf(component)) writeNote(writer, setting, ids, note);
    },
    foot: (writer) => void writer.close().raw('</body></html>'),
  });
}

// Sections of the page by their ids; English like the other words of the page.
const sections = { summary: 'Summary', notes: 'Notes', inventory: 'Inventory' };
const heading = (id: keyof typeof sections): string => `<h2 id="${id}" lang="en" dir="ltr">${sections[id]}</h2>`;

const titleHtml = (component: JsonObject): string =>
  inlineHtml(textOf(component, 'title') ?? textOf(component, 'display_string') ?? '');

/** The lines of the title page, with the logo above them. */
function headerHtml(root: JsonObject, setting: FindingAidSetting): string {
  const image = textOf(resolvedOf(objectOf(root, 'repository')), 'image_url') ?? '';
  const logo = /^https?:\/\//i.test(image)
    ? `<img src="${escapeAttribute(image)}" alt="Logo" referrerpolicy="no-referrer">`
    : '';
  const lines = titlePage(root, setting).map(({ part, text }) => {
    if (part === 'title')
      return `<h1 dir="auto">${inlineHtml(textOf(root, 'finding_aid_title') ?? textOf(root, 'title') ?? '')}</h1>`;
    const said = /^https?:\/\/\S+$/.test(text) ? htmlWording.link(text, text) : escapeText(text);
    return `<p dir="auto"${part === 'contact' ? ' class="contact"' : ''}>${said}</p>`;
  });
  return `<header>${logo}${lines.join('')}</header>`;
}

/** The list of series and other groups; those without an id of their own cannot be led to. */
function contentsHtml(groups: readonly TreeRecord[]): string {
  if (groups.length === 0) return '';
  const item = (href: string, html: string, depth: number): string =>
    `<li style="--depth:${depth}"><a href="#${href}" dir="auto">${html}</a></li>`;
  const entries = groups.map(({ depth, record }) =>
    item(escapeAttribute(prefixedId(textOf(record, 'ref_id') ?? '')), withoutLinks(titleHtml(record)), depth),
  );
  return `<nav aria-labelledby="contents"><h2 id="contents" lang="en" dir="ltr">Contents</h2><ol>${item('summary', sections.summary, 0)}${item('inventory', sections.inventory, 0)}${entries.join('')}</ol></nav>`;
}

/** A link within a link is none. */
const withoutLinks = (html: string): string => html.replace(/<\/?a\b[^>]*>/g, '');

const htmlWording: Wording = {
  text: escapeText,
  inline: inlineHtml,
  link: (title, address) => `<a href="${escapeAttribute(address)}">${escapeText(title)}</a>`,
};

function writeTerms(writer: XmlWriter, setting: FindingAidSetting, record: JsonObject): void {
  const given = readableTerms(record, setting, htmlWording)
    .map(([term, html]) => `<dt lang="en">${term}</dt><dd dir="auto">${html}</dd>`)
    .join('');
  if (given !== '') writer.raw(`<dl>${given}</dl>`);
}

const notesOf = (record: JsonObject): readonly JsonObject[] => [
  ...objectsOf(record, 'lang_materials').flatMap((material) => objectsOf(material, 'notes')),
  ...objectsOf(record, 'notes'),
];

/** Head and body of a note; null where it says nothing. */
function noteHtml(note: JsonObject, setting: FindingAidSetting): string | null {
  const type = noteType(note);
  const head =
    textOf(note, 'label') ??
    (textOf(note, 'jsonmodel_type') === 'note_singlepart'
      ? setting.label('note_singlepart_type', type)
      : noteHead(note, setting.label));
  const lists = objectsOf(note, 'subnotes').map(listHtml).join('');
  const items = textsOf(note, 'items')
    .filter((item) => item.trim() !== '')
    .map((item) => `<li>${inlineHtml(item)}</li>`);
  const entries = objectsOf(note, 'items').map((item) => `<li>${indexWords(item).map(inlineHtml).join(': ')}</li>`);
  const listed = [...items, ...entries].join('');
  const body = `${noteTexts(note).map(blocksHtml).join('')}${lists}${listed === '' ? '' : `<ul>${listed}</ul>`}`;
  return body === '' ? null : `<h3 dir="auto">${inlineHtml(head)}</h3>${body}`;
}

function writeNote(writer: XmlWriter, setting: FindingAidSetting, ids: DocumentIds, note: JsonObject): void {
  const html = noteHtml(note, setting);
  if (html === null) return;
  writer
    .open('div', { id: ids.claim(textOf(note, 'persistent_id')), class: audience(note) })
    .raw(html)
    .close();
}

function listHtml(part: JsonObject): string {
  const title = textOf(part, 'title');
  const head = title === undefined ? '' : `<p><strong>${inlineHtml(title)}</strong></p>`;
  const list = (element: 'ol' | 'dl', entries: readonly string[]): string =>
    entries.length === 0 ? head : `${head}<${element}>${entries.join('')}</${element}>`;
  const pairs = (name: string, says: (entry: JsonObject) => readonly string[]): string =>
    list(
      'dl',
      objectsOf(part, 'items').map(
        (entry) =>
          `<dt>${inlineHtml(textOf(entry, name) ?? '')}</dt><dd>${says(entry).map(inlineHtml).join('<br>')}</dd>`,
      ),
    );
  switch (textOf(part, 'jsonmodel_type')) {
    case 'note_orderedlist':
      return list(
        'ol',
        textsOf(part, 'items').map((item) => `<li>${inlineHtml(item)}</li>`),
      );
    case 'note_definedlist':
      return pairs('label', (entry) => [textOf(entry, 'value') ?? '']);
    case 'note_chronology':
      return pairs('event_date', (entry) => [textOf(entry, 'place') ?? [], textsOf(entry, 'events')].flat());
    default:
      return '';
  }
}

// A finding aid as one HTML page that needs nothing else: for reading, printing and saving. Streamed like the EAD it stands beside.
import type { JsonObject } from '../../../json.ts';
import { objectOf, objectsOf, textOf, textsOf } from '../../../json.ts';
import { resolvedOf } from '../../writing/context.ts';
import { audience, plain } from '../../writing/finding-aid.ts';
import type { FindingAidSetting } from '../../writing/finding-aid.ts';
import { createIds } from '../../writing/identifiers.ts';
import type { DocumentIds } from '../../writing/identifiers.ts';
import { noteHead, noteTexts, noteType } from '../../writing/note-content.ts';
import { streamTree } from '../../writing/tree-stream.ts';
import type { TreeRecord } from '../../writing/tree-stream.ts';
import { publishedPart } from '../../writing/published.ts';
import { readableTerms } from '../terms.ts';
import type { Wording } from '../terms.ts';
import { escapeText } from '../../xml/escape.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { blocksHtml, inlineHtml } from './mixed.ts';

const style =
  'body{font:1rem/1.5 Georgia,serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}h1,h2,h3,summary{font-family:system-ui,sans-serif}section section{border-inline-start:2px solid #ddd;padding-inline-start:1rem;margin-block:.75rem}h3{margin:.5rem 0 0;font-size:1rem}dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.25rem 0}dt{color:#666}dd{margin:0}.internal{background:#fff6d6}@media print{a{color:inherit}}';

/** The page in pieces of text; `root`, `blocks` and `setting` as for EAD. Unpublished parts are marked where they are asked for. */
export function writeHtml(
  root: JsonObject,
  blocks: AsyncIterable<readonly TreeRecord[]>,
  setting: FindingAidSetting,
): AsyncGenerator<string> {
  const ids = createIds();
  const shown = (record: JsonObject): JsonObject => (setting.flags.includeUnpublished ? record : publishedPart(record));
  return streamTree(blocks, {
    head(writer) {
      const resource = shown(root);
      const title = textOf(resource, 'finding_aid_title') ?? textOf(resource, 'title') ?? '';
      const repository = plain(textOf(resolvedOf(objectOf(resource, 'repository')), 'name'));
      writer.raw(
        `<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeText(plain(title))}</title><style>${style}</style></head>`,
      );
      writer
        .raw('<body>')
        .open('main')
        .raw(`<header><p>${escapeText(repository)}</p><h1 dir="auto">${inlineHtml(title)}</h1></header>`);
      writeRecord(writer, setting, ids, resource);
      writer.raw('<h2>Contents</h2>');
    },
    open(writer, depth, record) {
      const component = shown(record);
      writer.open('section', { id: ids.claim(textOf(component, 'ref_id')), class: audience(component) });
      const level = Math.min(depth + 2, 6);
      writer.raw(
        `<h${level} dir="auto">${inlineHtml(textOf(component, 'title') ?? textOf(component, 'display_string') ?? '')}</h${level}>`,
      );
      writeRecord(writer, setting, ids, component);
    },
    foot: (writer) => void writer.close().raw('</body></html>'),
  });
}

const htmlWording: Wording = {
  text: escapeText,
  inline: inlineHtml,
  link: (title, address) => `<a href="${escapeText(address).replaceAll('"', '&quot;')}">${escapeText(title)}</a>`,
};

function writeRecord(writer: XmlWriter, setting: FindingAidSetting, ids: DocumentIds, record: JsonObject): void {
  const given = readableTerms(record, setting, htmlWording)
    .map(([term, html]) => `<dt>${term}</dt><dd dir="auto">${html}</dd>`)
    .join('');
  if (given !== '') writer.raw(`<dl>${given}</dl>`);
  for (const note of [
    ...objectsOf(record, 'lang_materials').flatMap((material) => objectsOf(material, 'notes')),
    ...objectsOf(record, 'notes'),
  ])
    writeNote(writer, setting, ids, note);
}

function writeNote(writer: XmlWriter, setting: FindingAidSetting, ids: DocumentIds, note: JsonObject): void {
  const type = noteType(note);
  const head =
    textOf(note, 'label') ??
    (textOf(note, 'jsonmodel_type') === 'note_singlepart'
      ? setting.label('note_singlepart_type', type)
      : noteHead(note, setting.label));
  const lists = objectsOf(note, 'subnotes').map(listHtml).join('');
  const items = textsOf(note, 'items').map((item) => `<li>${inlineHtml(item)}</li>`);
  const entries = objectsOf(note, 'items').map((item) => `<li>${inlineHtml(textOf(item, 'value') ?? '')}</li>`);
  const listed = [...items, ...entries].join('');
  const body = `${noteTexts(note).map(blocksHtml).join('')}${lists}${listed === '' ? '' : `<ul>${listed}</ul>`}`;
  if (body === '') return;
  writer
    .open('div', { id: ids.claim(textOf(note, 'persistent_id')), class: audience(note) })
    .raw(`<h3>${inlineHtml(head)}</h3>${body}`)
    .close();
}

function listHtml(part: JsonObject): string {
  const title =
    textOf(part, 'title') === undefined ? '' : `<p><strong>${inlineHtml(textOf(part, 'title') ?? '')}</strong></p>`;
  switch (textOf(part, 'jsonmodel_type')) {
    case 'note_orderedlist':
      return `${title}<ol>${textsOf(part, 'items')
        .map((item) => `<li>${inlineHtml(item)}</li>`)
        .join('')}</ol>`;
    case 'note_definedlist':
      return `${title}<dl>${objectsOf(part, 'items')
        .map(
          (item) =>
            `<dt>${inlineHtml(textOf(item, 'label') ?? '')}</dt><dd>${inlineHtml(textOf(item, 'value') ?? '')}</dd>`,
        )
        .join('')}</dl>`;
    case 'note_chronology':
      return `${title}<dl>${objectsOf(part, 'items')
        .map(
          (item) =>
            `<dt>${inlineHtml(textOf(item, 'event_date') ?? '')}</dt><dd>${textsOf(item, 'events').map(inlineHtml).join('<br>')}</dd>`,
        )
        .join('')}</dl>`;
    default:
      return '';
  }
}

// Notes of resources and components as elements of EAD3 (contract, exports 3).
import type { JsonObject } from '../../../json.ts';
import { objectsOf, textOf, textsOf } from '../../../json.ts';
import { escapeText } from '../../xml/escape.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { audience, noteId, plain } from '../../writing/finding-aid.ts';
import type { EadWriting } from '../../writing/finding-aid.ts';
import { prefixedId } from '../../writing/identifiers.ts';
import { allBlocksXml, blocksXml, inlineXml } from './mixed.ts';
import { ead3 as model } from './model-3.ts';
import {
  blockNotes,
  byAudience,
  didNotes,
  indexElements,
  noteHead,
  noteTexts,
  noteType,
} from '../../writing/note-content.ts';

const inParagraph = (text: string): string => inlineXml(model, model.paragraph, text);
const inHead = (text: string): string => inlineXml(model, model.bare, text);

/** The notes that stand in a `did`; what EAD 2002 splits into dimensions and facets is `physdesc` here. */
export function writeDidNotes(writer: XmlWriter, writing: EadWriting, record: JsonObject): void {
  for (const note of objectsOf(record, 'notes').flatMap(byAudience)) {
    const type = noteType(note);
    const text = noteTexts(note).join('\n\n');
    // A note on languages stands among the languages, which alone an EAD3 langmaterial may hold.
    if (!didNotes.has(type) || type === 'langmaterial' || text === '') continue;
    const isPhysical = type === 'dimensions' || type === 'physfacet' || type === 'physdesc';
    writer.open(isPhysical ? 'physdesc' : type, {
      id: noteId(writing, note),
      audience: audience(note),
      localtype: isPhysical && type !== 'physdesc' ? type : undefined,
      label: plain(textOf(note, 'label')),
    });
    writer.raw(inlineXml(model, type === 'abstract' ? model.title : model.basic, text)).close();
  }
}

/** All notes beside `did`. */
export function writeNotes(writer: XmlWriter, writing: EadWriting, record: JsonObject): void {
  const notes = objectsOf(record, 'notes');
  for (const note of notes) if (blockNotes.has(noteType(note))) writeBlockNote(writer, writing, note);
  for (const note of notes) if (noteType(note) === 'bibliography') writeBibliography(writer, writing, note);
  for (const note of notes) if (noteType(note) === 'index') writeIndex(writer, writing, note);
}

function writeBlockNote(writer: XmlWriter, writing: EadWriting, note: JsonObject): void {
  let head: string | undefined;
  let body = '';
  const own = typeof note['content'] === 'string' ? [note['content']] : textsOf(note, 'content');
  for (const part of [
    ...own.map((text): JsonObject => ({ jsonmodel_type: 'note_text', content: text })),
    ...objectsOf(note, 'subnotes'),
  ]) {
    if (textOf(part, 'jsonmodel_type') !== 'note_text') {
      body += listXml(part);
      continue;
    }
    const internal = audience(note) === undefined ? audience(part) : undefined;
    const blocks = blocksXml(
      model,
      textOf(part, 'content') ?? '',
      internal,
      internal === undefined && head === undefined,
    );
    head ??= blocks.head;
    body += blocks.xml;
  }
  writer
    .open(noteType(note), { id: noteId(writing, note), audience: audience(note) })
    .open('head')
    .raw(head ?? inHead(noteHead(note, writing.label)))
    .close()
    .raw(body === '' ? '<p/>' : body)
    .close();
}

const numerations = model.valuesOf?.get('numeration');
const headXml = (part: JsonObject): string =>
  textOf(part, 'title') === undefined ? '' : `<head>${inHead(textOf(part, 'title') ?? '')}</head>`;

function listXml(part: JsonObject): string {
  const internal = audience(part) === undefined ? '' : ' audience="internal"';
  switch (textOf(part, 'jsonmodel_type')) {
    case 'note_orderedlist': {
      const numeration = numerations?.get(textOf(part, 'enumeration') ?? '');
      const items = textsOf(part, 'items')
        .map((item) => `<item>${inParagraph(item)}</item>`)
        .join('');
      return `<list${internal} listtype="ordered"${numeration === undefined ? '' : ` numeration="${numeration}"`}>${headXml(part)}${items === '' ? '<item/>' : items}</list>`;
    }
    case 'note_definedlist': {
      const items = objectsOf(part, 'items')
        .map(
          (item) =>
            `<defitem><label>${inHead(textOf(item, 'label') ?? '')}</label><item>${inParagraph(textOf(item, 'value') ?? '')}</item></defitem>`,
        )
        .join('');
      return `<list${internal} listtype="deflist">${headXml(part)}${items === '' ? '<item/>' : items}</list>`;
    }
    case 'note_chronology': {
      const items = objectsOf(part, 'items')
        .map((item) => {
          const events = textsOf(item, 'events')
            .map((event) => `<event>${inParagraph(event)}</event>`)
            .join('');
          const place = plain(textOf(item, 'place'));
          const where = place === '' ? '' : `<geogname><part>${escapeText(place)}</part></geogname>`;
          return `<chronitem><datesingle>${inHead(textOf(item, 'event_date') ?? '')}</datesingle><chronitemset>${where}${events === '' ? '<event/>' : events}</chronitemset></chronitem>`;
        })
        .join('');
      return `<chronlist${internal}>${headXml(part)}${items === '' ? '<chronitem><datesingle/><event/></chronitem>' : items}</chronlist>`;
    }
    default:
      return '';
  }
}

function writeBibliography(writer: XmlWriter, writing: EadWriting, note: JsonObject): void {
  const { xml: content, head = inHead(noteHead(note, writing.label)) } = allBlocksXml(model, noteTexts(note));
  writer
    .open('bibliography', { id: noteId(writing, note), audience: audience(note) })
    .open('head')
    .raw(head)
    .close();
  const items = textsOf(note, 'items').filter((item) => item.trim() !== '');
  writer.raw(content === '' && items.length === 0 ? '<p/>' : content);
  for (const item of items)
    writer
      .open('bibref')
      .raw(inlineXml(model, model.title, item))
      .close();
  writer.close();
}

function writeIndex(writer: XmlWriter, writing: EadWriting, note: JsonObject): void {
  const { xml: content, head = inHead(noteHead(note, writing.label)) } = allBlocksXml(model, noteTexts(note));
  writer
    .open('index', { id: noteId(writing, note), audience: audience(note) })
    .open('head')
    .raw(head)
    .close();
  writer.raw(content);
  const items = objectsOf(note, 'items');
  // The schema wants an entry where a note has none.
  if (items.length === 0) writer.raw('<indexentry><name><part/></name></indexentry>');
  for (const item of items) {
    writer
      .open('indexentry')
      .open(indexElements.get(textOf(item, 'type') ?? '') ?? 'name')
      .open('part')
      .raw(inHead(textOf(item, 'value') ?? ''))
      .close()
      .close();
    const reference = textOf(item, 'reference');
    const text = textOf(item, 'reference_text');
    if (reference !== undefined || text !== undefined)
      writer
        .open('ref', { target: reference === undefined ? undefined : prefixedId(reference) })
        .raw(inHead(text ?? '').replace(/<ref[^>]*>|<\/ref>/g, ''))
        .close();
    writer.close();
  }
  writer.close();
}

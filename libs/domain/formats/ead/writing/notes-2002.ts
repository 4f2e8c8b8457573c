// Notes of resources and components as elements of EAD 2002 (contract, exports 2 "Notes").
import type { JsonObject } from '../../../json.ts';
import { objectsOf, textOf, textsOf } from '../../../json.ts';
import { escapeText } from '../../xml/escape.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { audience, noteId, plain } from '../../writing/finding-aid.ts';
import type { EadWriting } from '../../writing/finding-aid.ts';
import { prefixedId } from '../../writing/identifiers.ts';
import { allBlocksXml, blocksXml, inlineXml } from './mixed.ts';
import { ead2002 as model } from './model-2002.ts';
import {
  blockNotes,
  byAudience,
  didNotes,
  indexElements,
  noteHead,
  noteTexts,
  noteType,
} from '../../writing/note-content.ts';

// Paragraphs of several sub-notes are one text in an element that holds none.
const joined = (texts: readonly string[]): string => texts.join('\n\n');

/** The notes that stand in a `did`. */
export function writeDidNotes(writer: XmlWriter, writing: EadWriting, record: JsonObject): void {
  for (const note of objectsOf(record, 'notes').flatMap(byAudience)) {
    const type = noteType(note);
    if (!didNotes.has(type)) continue;
    const text = joined(noteTexts(note));
    if (text === '') continue;
    const label = plain(textOf(note, 'label'));
    const common = { id: noteId(writing, note), audience: audience(note) };
    if (type === 'dimensions' || type === 'physfacet') {
      writer
        .open('physdesc', { audience: common.audience })
        .open(type, { id: common.id, label })
        .raw(inlineXml(model, model.basic, text))
        .close()
        .close();
      continue;
    }
    writer.rawElement(
      type,
      { id: common.id, audience: common.audience, label },
      inlineXml(model, type === 'langmaterial' ? languageContent : model.basic, text),
    );
  }
}

/** What `langmaterial` holds. */
export const languageContent: ReadonlySet<string> = new Set([...model.basic, 'language']);

/** All notes beside `did`: notes of text and lists, then bibliographies, then indexes. */
export function writeNotes(writer: XmlWriter, writing: EadWriting, record: JsonObject): void {
  const notes = objectsOf(record, 'notes');
  const last: { readonly bibliographies: JsonObject[]; readonly indexes: JsonObject[] } = {
    bibliographies: [],
    indexes: [],
  };
  for (const note of notes) {
    const type = noteType(note);
    if (type === 'legalstatus') for (const part of byAudience(note)) writeLegalStatus(writer, writing, part);
    else if (blockNotes.has(type)) writeBlockNote(writer, writing, note);
    else if (type === 'bibliography') last.bibliographies.push(note);
    else if (type === 'index') last.indexes.push(note);
  }
  for (const note of last.bibliographies) writeBibliography(writer, writing, note);
  for (const note of last.indexes) writeIndex(writer, writing, note);
}

function writeLegalStatus(writer: XmlWriter, writing: EadWriting, note: JsonObject): void {
  const common = { id: noteId(writing, note), audience: audience(note) };
  writer
    .open('accessrestrict', { audience: common.audience })
    .open('legalstatus', common)
    .raw(inlineXml(model, model.bare, joined(noteTexts(note))))
    .close()
    .close();
}

function writeBlockNote(writer: XmlWriter, writing: EadWriting, note: JsonObject): void {
  const common = { id: noteId(writing, note), audience: audience(note) };
  let head: string | undefined;
  let body = '';
  const content = note['content'];
  const own = typeof content === 'string' ? [content] : textsOf(note, 'content');
  const addText = (text: string, internal?: 'internal'): void => {
    const blocks = blocksXml(model, text, internal, internal === undefined && head === undefined);
    head ??= blocks.head;
    body += blocks.xml;
  };
  for (const text of own) addText(text);
  for (const part of objectsOf(note, 'subnotes'))
    if (textOf(part, 'jsonmodel_type') === 'note_text')
      addText(textOf(part, 'content') ?? '', common.audience === undefined ? audience(part) : undefined);
    else body += listXml(part);
  writer
    .open(noteType(note), common)
    .rawElement('head', undefined, head ?? inlineXml(model, model.bare, noteHead(note, writing.label)))
    .raw(body === '' ? '<p/>' : body)
    .close();
}

const inParagraph = (text: string): string => inlineXml(model, model.paragraph, text);
const headXml = (part: JsonObject): string =>
  textOf(part, 'title') === undefined
    ? ''
    : `<head>${inlineXml(model, model.bare, textOf(part, 'title') ?? '')}</head>`;

/** A list or chronology among the sub-notes; '' for what documents do not show. */
function listXml(part: JsonObject): string {
  const internal = audience(part) === undefined ? '' : ' audience="internal"';
  const model_ = textOf(part, 'jsonmodel_type');
  if (model_ === 'note_orderedlist') {
    const numeration = textOf(part, 'enumeration');
    const known =
      numeration !== undefined && /^(arabic|(upper|lower)(alpha|roman))$/.test(numeration)
        ? ` numeration="${numeration}"`
        : '';
    const items = textsOf(part, 'items')
      .map((item) => `<item>${inParagraph(item)}</item>`)
      .join('');
    return `<list${internal} type="ordered"${known}>${headXml(part)}${items === '' ? '<item/>' : items}</list>`;
  }
  if (model_ === 'note_definedlist') {
    const items = objectsOf(part, 'items')
      .map(
        (item) =>
          `<defitem><label>${inlineXml(model, labelContent, textOf(item, 'label') ?? '')}</label><item>${inParagraph(textOf(item, 'value') ?? '')}</item></defitem>`,
      )
      .join('');
    return `<list${internal} type="deflist">${headXml(part)}${items === '' ? '<item/>' : items}</list>`;
  }
  if (model_ !== 'note_chronology') return '';
  const items = objectsOf(part, 'items')
    .map((item) => {
      const place = plain(textOf(item, 'place'));
      // EAD 2002 has no place of its own for where something was: an event that names nothing else.
      const where = place === '' ? '' : `<event><geogname>${escapeText(place)}</geogname></event>`;
      const events = `${where}${textsOf(item, 'events')
        .map((event) => `<event>${inParagraph(event)}</event>`)
        .join('')}`;
      return `<chronitem><date>${inlineXml(model, model.bare, textOf(item, 'event_date') ?? '')}</date><eventgrp>${events === '' ? '<event/>' : events}</eventgrp></chronitem>`;
    })
    .join('');
  return `<chronlist${internal}>${headXml(part)}${items === '' ? '<chronitem><date/><eventgrp><event/></eventgrp></chronitem>' : items}</chronlist>`;
}

const labelContent: ReadonlySet<string> = new Set([...model.title].filter((name) => name !== 'edition'));

function writeBibliography(writer: XmlWriter, writing: EadWriting, note: JsonObject): void {
  const { xml: content, head = inlineXml(model, model.bare, noteHead(note, writing.label)) } = allBlocksXml(
    model,
    noteTexts(note),
  );
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
      .raw(inlineXml(model, model.elements.get('bibref')?.content ?? model.bare, item))
      .close();
  writer.close();
}

function writeIndex(writer: XmlWriter, writing: EadWriting, note: JsonObject): void {
  const { xml: content, head = inlineXml(model, model.bare, noteHead(note, writing.label)) } = allBlocksXml(
    model,
    noteTexts(note),
  );
  writer
    .open('index', { id: noteId(writing, note), audience: audience(note) })
    .open('head')
    .raw(head)
    .close();
  writer.raw(content);
  const items = objectsOf(note, 'items');
  // The schema wants an entry where a note has none.
  if (items.length === 0) writer.raw('<indexentry><name/></indexentry>');
  for (const item of items) {
    writer
      .open('indexentry')
      .open(indexElements.get(textOf(item, 'type') ?? '') ?? 'name')
      .raw(inlineXml(model, model.bare, textOf(item, 'value') ?? ''))
      .close();
    const reference = textOf(item, 'reference');
    const text = textOf(item, 'reference_text');
    if (reference !== undefined || text !== undefined) {
      writer
        .open('ref', { target: reference === undefined ? undefined : prefixedId(reference) })
        .raw(inlineXml(model, model.bare, text ?? ''))
        .close();
    }
    writer.close();
  }
  writer.close();
}

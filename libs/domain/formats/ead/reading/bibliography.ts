// EAD 2002 `bibliography` and `index` to their notes.
import type { JsonObject } from '../../../json.ts';
import { attributeOf, elementsOf, isElement, textContent } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';
import type { EadContext } from './context.ts';
import type { Draft } from './draft.ts';
import { mixedLine, mixedText } from '../../reading/content.ts';
import { noteAttributes } from '../../reading/note-records.ts';
import { inAudienceOf, partedByAudience } from '../../xml/audience.ts';

/** The index item type of each heading element (behaviour-exports.md section 2, read backwards). */
const itemTypes: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['persname', 'person'],
  ['famname', 'family'],
  ['corpname', 'corporate_entity'],
  ['subject', 'subject'],
  ['function', 'function'],
  ['occupation', 'occupation'],
  ['title', 'title'],
  ['geogname', 'geographic_name'],
  ['genreform', 'genre_form'],
]);

/** Adds a note_bibliography: head, paragraphs, one item per bibref; a nested bibliography is a note of its own, and what is internal another that is not published. */
export function readBibliography(context: EadContext, draft: Draft, node: XmlNode): void {
  for (const part of partedByAudience(node)) readBibliographyPart(context, draft, part);
}

function readBibliographyPart(context: EadContext, draft: Draft, node: XmlNode): void {
  const { label, content, rest } = readFrame(node);
  const items: string[] = [];
  const nested: XmlNode[] = [];
  for (const child of rest) {
    if (child.name === 'bibliography') nested.push(child);
    else if (child.name === 'bibref') {
      items.push(mixedText(child.children));
      tellAddress(context, child);
    } else content.push(mixedText([child]));
  }
  addNote(
    draft,
    'note_bibliography',
    node,
    label,
    content,
    items.filter((text) => text !== ''),
  );
  for (const inner of nested) readBibliography(context, draft, inAudienceOf(node, inner));
}

/** Adds a note_index: head, paragraphs, one item per name of each indexentry, with where it refers to; what is internal is a note of its own, which is not published. */
export function readIndex(context: EadContext, draft: Draft, node: XmlNode): void {
  for (const part of partedByAudience(node)) readIndexPart(context, draft, part);
}

function readIndexPart(context: EadContext, draft: Draft, node: XmlNode): void {
  const { label, content, rest } = readFrame(node);
  const items: JsonObject[] = [];
  const nested: XmlNode[] = [];
  for (const child of rest) {
    if (child.name === 'index') nested.push(child);
    else if (child.name === 'indexentry') items.push(...readEntry(context, child));
    else if (child.name === 'listhead') context.report.drop(child, 'column heads of an index are not imported');
    else content.push(mixedText([child]));
  }
  addNote(draft, 'note_index', node, label, content, items);
  for (const inner of nested) readIndex(context, draft, inAudienceOf(node, inner));
}

/** What has a meaning of its own in a bibliography or an index. */
const structured: ReadonlySet<string> = new Set(['bibref', 'bibliography', 'indexentry', 'index', 'listhead']);

type Frame = { readonly label: string; readonly content: string[]; readonly rest: readonly XmlNode[] };

/** The head, the paragraphs (and loose text) as content, and the other elements. */
function readFrame(node: XmlNode): Frame {
  let label = '';
  const content: string[] = [];
  const rest: XmlNode[] = [];
  for (const child of node.children) {
    if (!isElement(child)) content.push(mixedText([child]));
    else if (child.name === 'head' && label === '') label = mixedLine(child.children);
    else if (child.name === 'p' || child.name === 'head') content.push(mixedText(child.children));
    else if (structured.has(child.name)) rest.push(child);
    // Other blocks (a list, a table, a bare archref) stay as markup in the content, at their place among the paragraphs.
    else content.push(mixedText([child]));
  }
  return { label, content, rest };
}

function addNote(
  draft: Draft,
  kind: string,
  node: XmlNode,
  label: string,
  content: readonly string[],
  items: readonly (JsonObject | string)[],
): void {
  const texts = content.filter((text) => text !== '');
  if (texts.length === 0 && items.length === 0 && label === '') return;
  draft.notes.push({
    jsonmodel_type: kind,
    ...(label === '' ? {} : { label }),
    content: texts,
    items,
    ...noteAttributes(node),
  });
}

/** An entry may group several names and several references; each name comes with each reference. */
function readEntry(context: EadContext, entry: XmlNode): readonly JsonObject[] {
  const parts = elementsOf(entry).flatMap((child) =>
    child.name === 'namegrp' || child.name === 'ptrgrp' ? elementsOf(child) : [child],
  );
  const pointers = parts.filter((part) => part.name === 'ref' || part.name === 'ptr');
  for (const pointer of pointers) tellAddress(context, pointer);
  const references = pointers.map(readReference);
  const items: JsonObject[] = [];
  for (const part of parts) {
    const type = itemTypes.get(part.name);
    const value = mixedLine(part.children);
    if (type !== undefined && value !== '') {
      const own = { jsonmodel_type: 'note_index_item', type, value };
      items.push(...(references.length === 0 ? [own] : references.map((reference) => ({ ...own, ...reference }))));
    } else if (part.name === 'indexentry') {
      items.push(...readEntry(context, part));
    } else if (type === undefined && part.name !== 'ref' && part.name !== 'ptr') {
      context.report.drop(part, 'not imported inside indexentry');
    }
  }
  const hasOwnItem = parts.some((part) => itemTypes.has(part.name) && textContent(part) !== '');
  if (!hasOwnItem)
    for (const part of parts)
      if (part.name === 'ref') context.report.drop(part, 'reference of an indexentry without a name');
  return items;
}

/** Items are texts and names; where they lead on the web has no place in them. */
function tellAddress(context: EadContext, node: XmlNode): void {
  context.report.dropText(node.line, node.name, attributeOf(node, 'href') ?? '', 'address of an item');
}

function readReference(node: XmlNode): JsonObject {
  const target = attributeOf(node, 'target');
  const text = mixedLine(node.children);
  return { ...(target === undefined ? {} : { reference: target }), ...(text === '' ? {} : { reference_text: text }) };
}

// EAC-CPF narrative elements to notes of agents.
import type { JsonObject } from '../../../json.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { hasText, mixedText, splitLongText } from '../../reading/content.ts';
import { textSubnotes } from '../../reading/note-records.ts';
import { attributeOf, elementsOf, isElement, textContent } from '../../xml/tree.ts';
import type { XmlChild, XmlNode } from '../../xml/tree.ts';
import { dateElements, dateText, isDateElement } from './dates.ts';
import { isPublic } from '../../xml/audience.ts';
import { attributes } from './v2/elements.ts';
import { dropOthers } from '../../reading/report.ts';

/** Kinds of notes by their elements, the same in both versions. */
export const noteKinds: ReadonlyMap<string, string> = new Map([
  ['biogHist', 'note_bioghist'],
  ['generalContext', 'note_general_context'],
  ['structureOrGenealogy', 'note_structure_or_genealogy'],
  ['mandate', 'note_mandate'],
  ['legalStatus', 'note_legal_status'],
]);

/** Kinds whose sub-notes may be citations; in others a citation is a paragraph. */
const citing: ReadonlySet<string> = new Set(['note_bioghist', 'note_mandate', 'note_legal_status']);
/** Kinds whose sub-notes may be lists and outlines; in others each item is a paragraph. */
const listing: ReadonlySet<string> = new Set(['note_bioghist', 'note_general_context', 'note_structure_or_genealogy']);

/** The note of an element; undefined where the element is none, or empty. Its text is one (contract), but where lists and outlines stand in it. */
export function readNote(context: ReadingContext, node: XmlNode): JsonObject | undefined {
  const kind = noteKinds.get(node.name);
  if (kind === undefined) return undefined;
  const publish = isPublic(node);
  const subnotes: JsonObject[] = [];
  let rest: XmlChild[] = [];
  const flush = (): void => {
    const text = hasText(rest) ? mixedText(rest) : '';
    rest = [];
    if (text !== '') subnotes.push(...textSubnotes(text, publish));
  };
  for (const child of node.children) {
    const own = isElement(child) ? ownSubnote(context, child, kind, publish) : undefined;
    if (own === undefined) {
      rest.push(...asParagraphs(child));
      continue;
    }
    if (isElement(child) && (child.name === 'list' || child.name === 'outline')) flush();
    subnotes.push(...own);
  }
  flush();
  return subnotes.length === 0 ? undefined : { jsonmodel_type: kind, subnotes, publish };
}

const paragraphs: ReadonlySet<string> = new Set(['descriptiveNote', 'event', 'item', 'placeEntry', 'term']);
const wrappers: ReadonlySet<string> = new Set(['chronItem', 'chronList', 'level', 'list', 'outline']);

/** A date, a term, a place, an item or a descriptive note is a paragraph of the text; tags that only EAC-CPF has would mean nothing in it. */
function asParagraphs(child: XmlChild): readonly XmlChild[] {
  if (!isElement(child)) return [child];
  if (wrappers.has(child.name)) return child.children.flatMap(asParagraphs);
  const paragraph = (children: readonly XmlChild[]): readonly XmlChild[] => [
    { ...child, name: 'p', attributes: [], children },
  ];
  if (isDateElement(child)) return paragraph([dateText(child)]);
  if (paragraphs.has(child.name)) return paragraph(child.children.map(asMarkup));
  if (child.name !== 'citation') return [asMarkup(child)];
  const [href, title] = [attributeOf(child, 'href'), attributeOf(child, 'title')];
  const children = child.children.map(asMarkup);
  return paragraph(
    href === undefined ? children : [{ ...child, name: 'extref', attributes: attributes({ href, title }), children }],
  );
}

function ownSubnote(
  context: ReadingContext,
  node: XmlNode,
  kind: string,
  publish: boolean,
): readonly JsonObject[] | undefined {
  const text = (): string => mixedText(node.children.map(asMarkup));
  if (node.name === 'citation' && citing.has(kind)) return citationNote(node, text(), publish);
  if (node.name === 'list' && listing.has(kind)) return readList(context, node, publish);
  if (node.name === 'outline' && listing.has(kind)) return outlineNote(levelItems(context, node), publish);
  if (kind !== 'note_bioghist') return undefined;
  if (node.name === 'abstract')
    return text() === '' ? [] : [{ jsonmodel_type: 'note_abstract', content: splitLongText(text()), publish }];
  return node.name === 'chronList' ? chronology(context, node, publish) : undefined;
}

/** A citation with its link (href, title, role…), which stands for the words where there are none. */
export function citationNote(node: XmlNode, text: string, publish: boolean): readonly JsonObject[] {
  const xlink = Object.fromEntries(
    ['href', 'title', 'role', 'arcrole', 'actuate', 'show'].flatMap((name) => {
      const value = attributeOf(node, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const words = text === '' ? (attributeOf(node, 'href') ?? '') : text;
  if (words === '') return [];
  const link = Object.keys(xlink).length === 0 ? {} : { xlink };
  return [{ jsonmodel_type: 'note_citation', content: splitLongText(words), ...link, publish }];
}

function readList(context: ReadingContext, list: XmlNode, publish: boolean): readonly JsonObject[] {
  dropOthers(context.report, list, ['item']);
  const items = elementsOf(list, 'item')
    .map((item) => mixedText(item.children.map(asMarkup)))
    .filter((text) => text !== '');
  return listNote(list, items, { publish });
}

/** A list of definitions where exports say so of `label: value` items, else an ordered list; nothing without items. */
export function listNote(list: XmlNode, items: readonly string[], properties: JsonObject): readonly JsonObject[] {
  if (items.length === 0) return [];
  const pairs = items.map((item) => /^(.+?): (.+)$/s.exec(item));
  if (attributeOf(list, 'localType') !== 'defined' || pairs.includes(null))
    return [{ jsonmodel_type: 'note_orderedlist', items, ...properties }];
  const definitions = pairs.map((pair) => ({ label: pair?.[1] ?? '', value: pair?.[2] ?? '' }));
  return [{ jsonmodel_type: 'note_definedlist', items: definitions, ...properties }];
}

/** An outline of one level, which may hold others; nothing without items. */
export const outlineNote = (items: readonly (string | JsonObject)[], publish: boolean): readonly JsonObject[] =>
  items.length === 0
    ? []
    : [{ jsonmodel_type: 'note_outline', levels: [{ jsonmodel_type: 'note_outline_level', items }], publish }];

/** The texts of the levels in an element, each with the levels below it as one level after it. */
function levelItems(context: ReadingContext, node: XmlNode): readonly (string | JsonObject)[] {
  dropOthers(context.report, node, node.name === 'outline' ? ['level'] : ['level', 'item']);
  return elementsOf(node, 'level').flatMap((level) => {
    const texts = elementsOf(level, 'item').map((item) => mixedText(item.children.map(asMarkup)));
    const items = levelItems(context, level);
    return [
      ...texts.filter((text) => text !== ''),
      ...(items.length === 0 ? [] : [{ jsonmodel_type: 'note_outline_level', items }]),
    ];
  });
}

/** Words of a note as EAD marks them, which notes are written in: a span is an emphasis, and a `reference` of EAC-CPF 2.0 a link. */
export const asMarkup = (child: XmlChild): XmlChild => {
  if (!isElement(child)) return child;
  const children = child.children.map(asMarkup);
  if (child.name === 'reference') {
    const link = attributes({ href: attributeOf(child, 'href'), title: attributeOf(child, 'linkTitle') });
    return { ...child, name: 'extref', attributes: link, children };
  }
  return child.name === 'span' ? spanMarkup(child, children) : { ...child, children };
};

/** A span as an emphasis of EAD, which notes are written in; without a known style it is its text. */
export function spanMarkup(span: XmlNode, children: readonly XmlChild[]): XmlChild {
  const render = /\b(italic|bold|underline)\b/.exec(attributeOf(span, 'style') ?? '')?.[0];
  return render === undefined
    ? textContent(span)
    : { ...span, name: 'emph', attributes: attributes({ render }), children };
}

function chronology(context: ReadingContext, node: XmlNode, publish: boolean): readonly JsonObject[] {
  dropOthers(context.report, node, ['chronItem']);
  const items = elementsOf(node, 'chronItem').flatMap((item) => {
    const date = elementsOf(item)
      .filter(isDateElement)
      .map(dateText)
      .filter((text) => text !== '')
      .join(', ');
    const place = elementsOf(item, 'placeEntry').map(textContent).join(', ');
    const events = elementsOf(item, 'event')
      .map((event) => mixedText(event.children.map(asMarkup)))
      .filter((text) => text !== '');
    dropOthers(context.report, item, ['placeEntry', 'event', ...dateElements]);
    if (date === '' && place === '' && events.length === 0) return [];
    return [{ ...(date === '' ? {} : { event_date: date }), ...(place === '' ? {} : { place }), events }];
  });
  return items.length === 0 ? [] : [{ jsonmodel_type: 'note_chronology', items, publish }];
}

// The narrative elements of EAC-CPF 2.0 as notes of agents: heads are labels, lists and chronologies sub-notes in their place among the
// paragraphs, references and spans the markup that notes have.
import type { JsonObject } from '../../../../json.ts';
import type { ReadingContext } from '../../../reading/context.ts';
import { hasText, mixedText, splitLongText } from '../../../reading/content.ts';
import { textSubnotes } from '../../../reading/note-records.ts';
import { defaultTerms } from '../../writing/v2/description.ts';
import { attributeOf, elementsOf, isElement, textContent } from '../../../xml/tree.ts';
import type { XmlChild, XmlNode } from '../../../xml/tree.ts';
import { dateText, isDateElement } from '../dates.ts';
import { citationNote, listNote, noteKinds, outlineNote, spanMarkup } from '../notes.ts';
import { attributes, linkAttributes } from './elements.ts';
import { isPublic, partedByAudience } from '../../../xml/audience.ts';

/** The note of an element; undefined where the element is none, or empty. What in it is internal comes last, in sub-notes that are not published. */
export function readNote2(context: ReadingContext, node: XmlNode): JsonObject | undefined {
  const kind = noteKinds.get(node.name);
  if (kind === undefined) return undefined;
  const publish = isPublic(node);
  const [whole = { subnotes: [] }, hidden] = partedByAudience(node).map((part) =>
    node.name in defaultTerms ? readTerms(part, isPublic(part)) : readNarrative(context, part, kind, isPublic(part)),
  );
  const { label } = whole;
  const subnotes = [
    ...whole.subnotes,
    ...(hidden?.label === undefined ? [] : textSubnotes(hidden.label, false)),
    ...(hidden?.subnotes ?? []),
  ];
  return subnotes.length === 0
    ? undefined
    : { jsonmodel_type: kind, ...(label === undefined ? {} : { label }), subnotes, publish };
}

type Content = { readonly label?: string | undefined; readonly subnotes: readonly JsonObject[] };

/** A mandate or legal status: its term is the label of what is said about it, or all that is said. */
function readTerms(node: XmlNode, publish: boolean): Content {
  const [label, ...further] = elementsOf(node, 'term')
    .map(textContent)
    .filter((text) => text !== '');
  const rest = elementsOf(node)
    .filter((child) => child.name !== 'term' && child.name !== 'reference')
    .map((child) => (isDateElement(child) ? dateText(child) : mixedText(child.children.map(asMarkup))));
  const text = [...further, ...rest].filter((part) => part !== '').join('\n\n');
  const citations = elementsOf(node, 'reference').flatMap((reference) => citationOf(reference, publish));
  if (text === '' && citations.length === 0)
    return { subnotes: label === undefined ? [] : textSubnotes(label, publish) };
  return {
    ...(label === defaultTerms[node.name] ? {} : { label }),
    subnotes: [...citations, ...(text === '' ? [] : textSubnotes(text, publish))],
  };
}

function readNarrative(context: ReadingContext, node: XmlNode, kind: string, publish: boolean): Content {
  const [head] = elementsOf(node, 'head');
  const label = head === undefined ? '' : textContent(head);
  const subnotes: JsonObject[] = [];
  let waiting: XmlChild[] = [];
  const flush = (): void => {
    const text = mixedText(waiting.map(asMarkup));
    waiting = [];
    if (text !== '') subnotes.push(...textSubnotes(text, publish));
  };
  for (const child of node.children) {
    if (child === head) continue;
    const own = isElement(child) ? ownSubnote(context, child, kind, publish) : undefined;
    if (own === undefined) {
      waiting.push(child);
      continue;
    }
    flush();
    subnotes.push(...own);
  }
  flush();
  return { ...(label === '' ? {} : { label }), subnotes };
}

function ownSubnote(
  context: ReadingContext,
  node: XmlNode,
  kind: string,
  publish: boolean,
): readonly JsonObject[] | undefined {
  if (node.name === 'list') return inParts(node, publish, readList);
  if (kind !== 'note_bioghist') return undefined;
  const [reference, ...others] = node.name === 'p' ? node.children.filter((child) => hasText([child])) : [];
  if (reference !== undefined && isElement(reference) && reference.name === 'reference' && others.length === 0)
    return citationOf(reference, publish);
  if (node.name === 'chronList')
    return inParts(node, publish, (part, isShown) => readChronology(context, part, isShown));
  if (node.name !== 'abstract') return undefined;
  const text = mixedText(node.children.map(asMarkup));
  return text === '' ? [] : [{ jsonmodel_type: 'note_abstract', content: splitLongText(text), publish }];
}

/** The sub-notes of a list or chronology: one more for its internal items; with something internal deeper in it, all of it is kept back. */
function inParts(
  list: XmlNode,
  publish: boolean,
  read: (part: XmlNode, publish: boolean) => readonly JsonObject[],
): readonly JsonObject[] {
  if (!publish) return read(list, false);
  return partedByAudience(list).flatMap((part) => read(part, isPublic(part) && !hidesDeeper(part)));
}

const holders: ReadonlySet<string> = new Set(['list', 'chronItem', 'chronItemSet']);
const hidesDeeper = (node: XmlNode): boolean =>
  elementsOf(node).some(
    (child) => holders.has(child.name) && (elementsOf(child).some((inner) => !isPublic(inner)) || hidesDeeper(child)),
  );

/** A paragraph that is nothing but a reference is a citation, and so is a reference beside the term of a mandate. */
const citationOf = (reference: XmlNode, publish: boolean): readonly JsonObject[] =>
  citationNote(
    { ...reference, attributes: linkAttributes(reference) },
    mixedText(reference.children.map(asMarkup)),
    publish,
  );

/** A list whose kind is told is an ordered list, with or without numbers, or one of definitions; another is an outline, since lists may hold lists. */
function readList(list: XmlNode, publish: boolean): readonly JsonObject[] {
  const type = attributeOf(list, 'listType');
  const [head] = elementsOf(list, 'head');
  const title = head === undefined ? '' : textContent(head);
  const heading = title === '' ? [] : textSubnotes(title, publish);
  if (type === undefined || elementsOf(list, 'list').length > 0)
    return [...heading, ...outlineNote(outlineItems(list), publish)];
  const items = elementsOf(list, 'item')
    .map((item) => mixedText(item.children.map(asMarkup)))
    .filter((text) => text !== '');
  const [note] = listNote(list, items, {
    ...(title === '' ? {} : { title }),
    ...(type === 'ordered' ? { enumeration: 'arabic' } : {}),
    publish,
  });
  return note === undefined ? heading : [note];
}

function outlineItems(list: XmlNode): readonly (string | JsonObject)[] {
  return elementsOf(list).flatMap((child): readonly (string | JsonObject)[] => {
    if (child.name === 'list') {
      const items = [
        ...elementsOf(child, 'head')
          .map(textContent)
          .filter((text) => text !== ''),
        ...outlineItems(child),
      ];
      return items.length === 0 ? [] : [{ jsonmodel_type: 'note_outline_level', items }];
    }
    const text = child.name === 'head' ? '' : mixedText(child.children.map(asMarkup));
    return text === '' ? [] : [text];
  });
}

function readChronology(context: ReadingContext, list: XmlNode, publish: boolean): readonly JsonObject[] {
  const [head] = elementsOf(list, 'head');
  const title = head === undefined ? '' : textContent(head);
  const items = elementsOf(list, 'chronItem').flatMap((item) => {
    const parts = elementsOf(item).flatMap((part) => (part.name === 'chronItemSet' ? elementsOf(part) : [part]));
    const date = parts
      .filter((part) => isDateElement(part) && attributeOf(part, 'status') !== 'unknown')
      .map(dateText)
      .filter((text) => text !== '')
      .join(', ');
    const place = parts
      .filter((part) => part.name === 'place')
      .flatMap((part) => elementsOf(part, 'placeName'))
      .map(textContent)
      .filter((text) => text !== '')
      .join(', ');
    const events = parts
      .filter((part) => part.name === 'event')
      .map((part) => mixedText(part.children.map(asMarkup)))
      .filter((text) => text !== '');
    for (const part of parts) {
      if (part.name === 'place')
        for (const other of elementsOf(part))
          if (other.name !== 'placeName') context.report.drop(other, 'not imported from a place of chronItem');
      if (!isDateElement(part) && part.name !== 'place' && part.name !== 'event')
        context.report.drop(part, 'not imported inside chronItem');
    }
    return date === '' && place === '' && events.length === 0
      ? []
      : [{ ...(date === '' ? {} : { event_date: date }), ...(place === '' ? {} : { place }), events }];
  });
  if (items.length === 0) return title === '' ? [] : textSubnotes(title, publish);
  return [{ jsonmodel_type: 'note_chronology', ...(title === '' ? {} : { title }), items, publish }];
}

/** `reference` is a link of EAD, which notes are written in, and `span` an emphasis. */
function asMarkup(child: XmlChild): XmlChild {
  if (!isElement(child)) return child;
  const children = child.children.map(asMarkup);
  if (child.name === 'reference')
    return {
      ...child,
      name: 'extref',
      attributes: attributes({ href: attributeOf(child, 'href'), title: attributeOf(child, 'linkTitle') }),
      children,
    };
  return child.name === 'span' ? spanMarkup(child, children) : { ...child, attributes: [], children };
}

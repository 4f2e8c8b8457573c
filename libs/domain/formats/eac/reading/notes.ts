// EAC-CPF narrative elements to notes of agents.
import type { JsonObject } from '../../../json.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { hasText, mixedText, splitLongText } from '../../reading/content.ts';
import { textSubnotes } from '../../reading/note-records.ts';
import { elementsOf, isElement, textContent } from '../../xml/tree.ts';
import type { XmlChild, XmlNode } from '../../xml/tree.ts';
import { dateText, isDateElement } from './dates.ts';
import { isPublic } from '../../xml/audience.ts';

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

/** The note of an element; undefined where the element is none, or empty. */
export function readNote(context: ReadingContext, node: XmlNode): JsonObject | undefined {
  const kind = noteKinds.get(node.name);
  if (kind === undefined) return undefined;
  const publish = isPublic(node);
  const subnotes: JsonObject[] = [];
  const rest: XmlChild[] = [];
  for (const child of node.children) {
    const own = isElement(child) ? ownSubnote(context, child, kind, publish) : undefined;
    if (own === undefined)
      rest.push(
        isElement(child) && isDateElement(child)
          ? { ...child, name: 'p', attributes: [], children: [dateText(child)] }
          : child,
      );
    else subnotes.push(...own);
  }
  // A term, a place or a descriptive note is a paragraph of the text; tags that only EAC-CPF has would mean nothing in it.
  const text = hasText(rest) ? mixedText(rest.map(asParagraph)) : '';
  if (text !== '') subnotes.push(...textSubnotes(text, publish));
  return subnotes.length === 0 ? undefined : { jsonmodel_type: kind, subnotes, publish };
}

function asParagraph(child: XmlChild): XmlChild {
  if (!isElement(child)) return child;
  if (child.name === 'descriptiveNote') return { ...child, name: 'p', attributes: [] };
  return ['term', 'placeEntry', 'citation'].includes(child.name) ? { ...child, name: 'p', attributes: [] } : child;
}

function ownSubnote(
  context: ReadingContext,
  node: XmlNode,
  kind: string,
  publish: boolean,
): readonly JsonObject[] | undefined {
  const text = mixedText(node.children);
  if (node.name === 'citation' && citing.has(kind))
    return text === '' ? [] : [{ jsonmodel_type: 'note_citation', content: splitLongText(text), publish }];
  if (kind !== 'note_bioghist') return undefined;
  if (node.name === 'abstract')
    return text === '' ? [] : [{ jsonmodel_type: 'note_abstract', content: splitLongText(text), publish }];
  return node.name === 'chronList' ? chronology(context, node, publish) : undefined;
}

function chronology(context: ReadingContext, node: XmlNode, publish: boolean): readonly JsonObject[] {
  const items = elementsOf(node, 'chronItem').flatMap((item) => {
    const date = elementsOf(item)
      .filter(isDateElement)
      .map(dateText)
      .filter((text) => text !== '')
      .join(', ');
    const place = elementsOf(item, 'placeEntry').map(textContent).join(', ');
    const events = elementsOf(item, 'event')
      .map((event) => mixedText(event.children))
      .filter((text) => text !== '');
    for (const other of elementsOf(item))
      if (!isDateElement(other) && other.name !== 'placeEntry' && other.name !== 'event')
        context.report.drop(other, 'not imported inside chronItem');
    if (date === '' && events.length === 0) return [];
    return [{ ...(date === '' ? {} : { event_date: date }), ...(place === '' ? {} : { place }), events }];
  });
  return items.length === 0 ? [] : [{ jsonmodel_type: 'note_chronology', items, publish }];
}

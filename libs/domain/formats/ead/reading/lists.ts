// EAD 2002 `list` and `chronlist` to sub-notes: ordered lists, defined lists, chronologies.
import type { JsonObject } from '../../../json.ts';
import { attributeOf, elementOf, elementsOf, isElement, textContent } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';
import type { EadContext } from './context.ts';
import { mixedLine, mixedText } from '../../reading/content.ts';
import { isPublic, partedByAudience } from '../../xml/audience.ts';
import { dropOthers } from '../../reading/report.ts';

/** What stands for a missing half of a definition: both halves are required (schemas.json, note_definedlist). */
const missingHalf = '–';

/** Whether an element becomes a sub-note of its own. */
export function isListElement(node: XmlNode): boolean {
  return node.name === 'list' || node.name === 'chronlist';
}

/** The sub-notes of a list or chronology: none where it holds nothing, and one more for its internal items, which are not published. `publish` false of the note wins. */
export function listSubnotes(context: EadContext, node: XmlNode, publish: boolean): readonly JsonObject[] {
  const parts = publish ? partedByAudience(node) : [node];
  return parts.map((part) => listSubnote(context, part, publish)).filter((subnote) => subnote !== undefined);
}

function listSubnote(context: EadContext, node: XmlNode, publish: boolean): JsonObject | undefined {
  const isShown = publish && isPublic(node);
  if (node.name === 'chronlist') return chronology(context, node, isShown);
  return elementOf(node, 'defitem') === undefined
    ? orderedList(context, node, isShown)
    : definedList(context, node, isShown);
}

function orderedList(context: EadContext, node: XmlNode, publish: boolean): JsonObject | undefined {
  dropOthers(context.report, node, ['head', 'item']);
  const items = elementsOf(node, 'item')
    .map((item) => mixedText(item.children))
    .filter((text) => text !== '');
  const heading = title(node);
  if (items.length === 0 && heading['title'] === undefined) return undefined;
  const numeration = attributeOf(node, 'numeration');
  const enumeration = numeration === undefined ? undefined : context.fixed('note_orderedlist_enumeration', numeration);
  if (numeration !== undefined && enumeration === undefined) {
    context.report.dropText(
      node.line,
      node.name,
      numeration,
      'numeration is not in the list note_orderedlist_enumeration',
    );
  }
  return {
    jsonmodel_type: 'note_orderedlist',
    ...heading,
    ...(enumeration === undefined ? {} : { enumeration }),
    items,
    publish,
  };
}

function definedList(context: EadContext, node: XmlNode, publish: boolean): JsonObject | undefined {
  dropOthers(context.report, node, ['head', 'item', 'defitem']);
  const items = elementsOf(node).flatMap((child) => {
    if (child.name !== 'defitem' && child.name !== 'item') return [];
    if (child.name === 'defitem') dropOthers(context.report, child, ['label', 'item']);
    const label = child.name === 'item' ? '' : halfText(child, 'label');
    const value = child.name === 'item' ? mixedText(child.children) : halfText(child, 'item');
    return label === '' && value === '' ? [] : [{ label: label || missingHalf, value: value || missingHalf }];
  });
  const heading = title(node);
  if (items.length === 0 && heading['title'] === undefined) return undefined;
  return { jsonmodel_type: 'note_definedlist', ...heading, items, publish };
}

function chronology(context: EadContext, node: XmlNode, publish: boolean): JsonObject | undefined {
  dropOthers(context.report, node, ['head', 'chronitem']);
  const items = elementsOf(node, 'chronitem').flatMap((item) => {
    dropOthers(context.report, item, ['date', 'event', 'eventgrp']);
    const groups = elementsOf(item, 'eventgrp');
    for (const group of groups) dropOthers(context.report, group, ['event']);
    const eventNodes = elementsOf(item).flatMap((child) =>
      child.name === 'eventgrp' ? elementsOf(child, 'event') : child.name === 'event' ? [child] : [],
    );
    const place = placeOf(eventNodes[0]);
    const events = (place === '' ? eventNodes : eventNodes.slice(1))
      .map((event) => mixedText(event.children))
      .filter((text) => text !== '');
    const date = elementsOf(item, 'date').map(textContent).join('; ');
    if (date === '' && place === '' && events.length === 0) return [];
    return [{ ...(date === '' ? {} : { event_date: date }), ...(place === '' ? {} : { place }), events }];
  });
  const heading = title(node);
  if (items.length === 0 && heading['title'] === undefined) return undefined;
  return { jsonmodel_type: 'note_chronology', ...heading, items, publish };
}

// As long as a place of a chronology may be (schemas.json, note_chronology).
const longestPlace = 255;

/** The place of the events of an item: what the first of them says that names a place and nothing else, as exports write it. A place of an authority file stays an event, with its markup. */
function placeOf(event: XmlNode | undefined): string {
  const [place, ...others] = (event?.children ?? []).filter((child) => isElement(child) || child.trim() !== '');
  if (place === undefined || !isElement(place) || others.length > 0) return '';
  const text = place.name === 'geogname' && place.attributes.length === 0 ? textContent(place) : '';
  return [...text].length > longestPlace ? '' : text;
}

function title(node: XmlNode): JsonObject {
  const text = elementsOf(node, 'head')
    .map((head) => mixedLine(head.children))
    .join('; ');
  return text === '' ? {} : { title: text };
}

function halfText(node: XmlNode, name: string): string {
  return elementsOf(node, name)
    .map((half) => mixedText(half.children))
    .filter((text) => text !== '')
    .join('\n\n');
}

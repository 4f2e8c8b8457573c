// EAD 2002 `physdesc` to extents and notes (behaviour-imports.md section 3, "did and description").
import type { JsonObject } from '../../json.ts';
import { attributeOf, isElement, textContent, type XmlNode } from '../xml/tree.ts';
import type { EadContext } from './context.ts';
import { isPublic, type Draft } from './draft.ts';
import { multipartNote, singlepartNote } from './note-records.ts';
import { mixedText } from './content.ts';

/** Adds what a `physdesc` says: an extent where one starts with a number, else notes; nothing of it is left out but punctuation. */
export function readPhysdesc(context: EadContext, draft: Draft, node: XmlNode): void {
  if (!node.children.some(isElement)) {
    readPlain(draft, node);
    return;
  }
  const parts = sortParts(node);
  const numeric = parts.extents.find((extent) => parseExtent(textContent(extent)) !== undefined);
  const parsed = numeric === undefined ? undefined : parseExtent(textContent(numeric));
  if (parsed === undefined) {
    for (const extent of parts.extents) addSinglepart(draft, 'physdesc', extent);
    for (const facet of parts.physfacets) addSinglepart(draft, 'physfacet', facet);
    for (const size of parts.dimensions) {
      const text = mixedText(size.children);
      if (text !== '') draft.notes.push(multipartNote('dimensions', text, size));
    }
  } else {
    const further = parts.extents.filter((extent) => extent !== numeric);
    draft.extents.push({
      jsonmodel_type: 'extent',
      portion: attributeOf(node, 'altrender') === 'part' ? 'part' : 'whole',
      number: parsed.number,
      extent_type: context.controlled('extent_extent_type', parsed.type),
      ...joined('container_summary', further),
      ...joined('physical_details', parts.physfacets),
      ...joined('dimensions', parts.dimensions),
    });
  }
  for (const other of parts.others) {
    const text = mixedText(other.children);
    if (text !== '') draft.notes.push(singlepartNote('physdesc', `${other.name}: ${text}`, undefined, isPublic(node)));
  }
  // What stands between the elements is a note where it says something, and only reported where it is punctuation.
  if (/[\p{L}\p{N}]/u.test(parts.text)) draft.notes.push(singlepartNote('physdesc', parts.text, undefined, isPublic(node)));
  else context.report.dropText(node.line, node.name, parts.text, 'punctuation between the parts of physdesc');
}

/** The extent in a text such as `10.2 linear feet (8 boxes)`, for a resource whose physdesc has no markup. */
export function extentFromPlainText(context: EadContext, text: string): JsonObject | undefined {
  const parsed = parseExtent(text);
  if (parsed === undefined) return undefined;
  const match = /^(.*?\S)\s*\((.+)\)$/.exec(parsed.type);
  const type = match?.[1] ?? parsed.type;
  const summary = match?.[2];
  return {
    jsonmodel_type: 'extent',
    portion: 'whole',
    number: parsed.number,
    extent_type: context.controlled('extent_extent_type', type),
    ...(summary === undefined ? {} : { container_summary: summary }),
  };
}

/** What stands in for the extent a resource must have where its source counts nothing: the collection itself. */
export function extentStandIn(context: { controlled(list: string, text: string): string }): JsonObject {
  return { jsonmodel_type: 'extent', portion: 'whole', number: '1', extent_type: context.controlled('extent_extent_type', 'collection') };
}

type Parts = {
  readonly extents: readonly XmlNode[];
  readonly physfacets: readonly XmlNode[];
  readonly dimensions: readonly XmlNode[];
  readonly others: readonly XmlNode[];
  readonly text: string;
};

function sortParts(node: XmlNode): Parts {
  const extents: XmlNode[] = [];
  const physfacets: XmlNode[] = [];
  const dimensions: XmlNode[] = [];
  const others: XmlNode[] = [];
  const texts: string[] = [];
  for (const child of node.children) {
    if (!isElement(child)) texts.push(child);
    else if (child.name === 'lb') texts.push(' ');
    else if (child.name === 'extent') extents.push(child);
    else if (child.name === 'physfacet') physfacets.push(child);
    else if (child.name === 'dimensions') dimensions.push(child);
    else others.push(child);
  }
  return { extents, physfacets, dimensions, others, text: textContent(texts) };
}

function readPlain(draft: Draft, node: XmlNode): void {
  const text = textContent(node);
  if (text === '') return;
  draft.plainPhysdescs.push(text);
  addSinglepart(draft, 'physdesc', node);
}

function addSinglepart(draft: Draft, type: string, node: XmlNode): void {
  const text = mixedText(node.children);
  if (text !== '') draft.notes.push(singlepartNote(type, text, node));
}

function joined(property: string, nodes: readonly XmlNode[]): JsonObject {
  const text = nodes
    .map(textContent)
    .filter((part) => part !== '')
    .join('; ');
  return text === '' ? {} : { [property]: text };
}

/** A number and the rest; separators of thousands go, since the number is calculated with. */
function parseExtent(text: string): { readonly number: string; readonly type: string } | undefined {
  const match = /^(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.?\d+|\d+\.)\s+(\S.*)$/.exec(text);
  const [, number, type] = match ?? [];
  if (number === undefined || type === undefined) return undefined;
  return { number: number.replaceAll(',', ''), type };
}

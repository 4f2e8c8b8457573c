// EAD 2002 `physdesc` to extents and notes (behaviour-imports.md section 3, "did and description").
import type { JsonObject } from '../../../json.ts';
import { attributeOf, elementsOf, isElement, textContent } from '../../xml/tree.ts';
import type { XmlChild, XmlNode } from '../../xml/tree.ts';
import type { EadContext } from './context.ts';
import type { Draft } from './draft.ts';
import { longestListValue } from '../../../requests/enumeration.ts';
import { leadingNumber } from '../../reading/leading-number.ts';
import { labelOf, multipartNote, singlepartNote } from '../../reading/note-records.ts';
import { mixedText } from '../../reading/content.ts';
import { inAudienceOf, isPublic } from '../../xml/audience.ts';

/** Markup of words, which is part of a statement and none of what it tells (`5 <emph>fine</emph> scrapbooks`). */
const inline: ReadonlySet<string> = new Set(
  'abbr archref bibref emph expan extptr extref foreign lb linkgrp ptr quote ref title'.split(' '),
);

const isMarkup = (node: XmlNode): boolean => node.name !== 'lb' && inline.has(node.name);

/** Adds what a `physdesc` says: an extent where one starts with a number, else notes; nothing of it is left out but punctuation. */
export function readPhysdesc(context: EadContext, draft: Draft, node: XmlNode): void {
  if (node.children.every((child) => !isElement(child) || inline.has(child.name)))
    return readPlain(context, draft, node);
  const label = attributeOf(node, 'label');
  const before = draft.notes.length;
  readParts(context, draft, node);
  // An extent has no label.
  const notes = draft.notes.splice(before);
  draft.notes.push(...(label === undefined ? notes : notes.map((note) => ({ label, ...note }))));
  if (label !== undefined && notes.length === 0)
    context.report.dropTextOnce(node.line, node.name, label, 'label of an extent');
}

function readParts(context: EadContext, draft: Draft, node: XmlNode): void {
  const parts = sortParts(node);
  const numeric = parts.extents.find((extent) => parseExtent(extentText(extent)) !== undefined);
  const parsed = numeric === undefined ? undefined : parseExtent(extentText(numeric));
  if (parsed === undefined) {
    for (const extent of parts.extents) {
      addSinglepart(draft, 'physdesc', extent);
      draft.plainPhysdescs.push(extentText(extent));
    }
    for (const facet of parts.physfacets) addSinglepart(draft, 'physfacet', facet);
    for (const size of parts.dimensions.map(withUnit)) {
      const text = mixedText(size.children);
      if (text !== '') draft.notes.push({ ...labelOf(size), ...multipartNote('dimensions', text, size) });
    }
  } else {
    const further = parts.extents.filter((extent) => extent !== numeric);
    for (const part of [...parts.extents, ...parts.physfacets, ...parts.dimensions]) {
      const label = attributeOf(part, 'label');
      if (label !== undefined) context.report.dropTextOnce(part.line, part.name, label, 'label of an extent');
    }
    draft.extents.push({
      jsonmodel_type: 'extent',
      portion: attributeOf(node, 'altrender') === 'part' ? 'part' : 'whole',
      number: parsed.number,
      extent_type: context.controlled('extent_extent_type', parsed.type),
      ...joined('container_summary', further, extentText),
      ...joined('physical_details', parts.physfacets),
      ...joined('dimensions', parts.dimensions.map(withUnit)),
    });
  }
  const hasWords = /[\p{L}\p{N}]/u.test(parts.text);
  for (const other of parts.others) {
    // The statement has its words with their markup.
    if (hasWords && inline.has(other.name)) continue;
    context.report.dropText(
      other.line,
      other.name,
      attributeOf(other, 'href') ?? '',
      'address beside the parts of physdesc',
    );
    const text = mixedText(other.children);
    if (text !== '') draft.notes.push(singlepartNote('physdesc', `${other.name}: ${text}`, undefined, isPublic(node)));
  }
  // What stands between the elements is a note where it says something, and only reported where it is punctuation.
  if (hasWords) draft.notes.push(singlepartNote('physdesc', statementOf(node, parts.text), undefined, isPublic(node)));
  else context.report.dropText(node.line, node.name, parts.text, 'punctuation between the parts of physdesc');
}

/** What is said beside the parts: a sentence behind them, else the whole with its parts, of which other words are but a piece (`ca. 5 linear feet`). */
function statementOf(node: XmlNode, words: string): string {
  const at = node.children.findLastIndex((child) => isElement(child) && child.name !== 'lb');
  const last = textContent(node.children.slice(at, at + 1));
  const after = textContent(node.children.slice(at + 1));
  const [, sentence] = /^[.;]\s*(\p{Lu}.*\s.*)$/su.exec(/[.;]$/.test(last) ? `.${after}` : after) ?? [];
  if (sentence !== undefined && words === after && !elementsOf(node).some(isMarkup)) return mixedText([sentence]);
  return mixedText(
    node.children.flatMap((child, index): readonly XmlChild[] => {
      if (!isElement(child) || isMarkup(child)) return [child];
      if (child.name === 'lb') return [' '];
      const text = child.name === 'extent' ? extentText(child) : textContent(child);
      const before = node.children[index - 1];
      return before !== undefined && isElement(before) ? [' ', text] : [text];
    }),
  );
}

/** The text of an extent; one that is a number alone has its unit in an attribute (`unit` in EAD 2002, `type` in files of some systems). */
function extentText(node: XmlNode): string {
  const text = textContent(node);
  const unit = attributeOf(node, 'unit') ?? attributeOf(node, 'type');
  return unit !== undefined && leadingNumber(text)?.rest === '' ? `${text} ${unit}` : text;
}

/** A size with the unit that stands in an attribute behind its number; several in one (`height`, `width`) stay apart. */
function withUnit(node: XmlNode): XmlNode {
  const parts = node.children.flatMap((child) =>
    isElement(child) && child.name === 'dimensions' ? [withUnit(child), ' '] : [child],
  );
  const unit = attributeOf(node, 'unit');
  const lacksUnit = unit !== undefined && /\d$/.test(textContent(parts));
  return { ...node, children: lacksUnit ? [...parts, ` ${unit}`] : parts };
}

/** The extent in a text such as `10.2 linear feet (8 boxes)` or `ca. 10 boxes`, for a resource whose physdesc has no extent that counts. */
export function extentFromPlainText(context: EadContext, text: string): JsonObject | undefined {
  const parsed = countIn(
    text.replace(
      /^(?:c(?:irc)?a?\.?|about|approx(?:imately|\.)?|environ|ungefähr|etwa|rund|ongeveer)\s+(?=[\d.])/i,
      '',
    ),
  );
  if (parsed === undefined) return undefined;
  const match = parsed.type.endsWith(')') ? /^(.*?\S)\s*\((.+)\)$/s.exec(parsed.type) : null;
  const type = match?.[1] ?? parsed.type;
  const summary = match?.[2];
  if (!isUnit(type)) return undefined;
  return {
    jsonmodel_type: 'extent',
    portion: 'whole',
    number: parsed.number,
    extent_type: context.controlled('extent_extent_type', type),
    ...(summary === undefined ? {} : { container_summary: summary }),
  };
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
  for (const part of node.children) {
    const child = isElement(part) ? inAudienceOf(node, part) : part;
    if (!isElement(child)) texts.push(child);
    else if (child.name === 'lb') texts.push(' ');
    else if (child.name === 'extent') extents.push(child);
    else if (child.name === 'physfacet') physfacets.push(child);
    else if (child.name === 'dimensions') dimensions.push(child);
    else others.push(child);
  }
  return { extents, physfacets, dimensions, others, text: textContent(texts) };
}

function readPlain(context: EadContext, draft: Draft, node: XmlNode): void {
  const text = textContent(node);
  if (text === '') return context.report.drop(node, 'a physdesc without words');
  draft.plainPhysdescs.push(text);
  addSinglepart(draft, 'physdesc', node);
}

function addSinglepart(draft: Draft, type: string, node: XmlNode): void {
  const text = mixedText(node.children);
  if (text !== '') draft.notes.push(singlepartNote(type, text, node));
}

function joined(
  property: string,
  nodes: readonly XmlNode[],
  textOf: (node: XmlNode) => string = textContent,
): JsonObject {
  const text = nodes
    .map((node) => textOf(node))
    .filter((part) => part !== '')
    .join('; ');
  return text === '' ? {} : { [property]: text };
}

type Count = { readonly number: string; readonly type: string };

/** A number and its unit; undefined where that is longer than a value of a list. */
function parseExtent(text: string): Count | undefined {
  const count = countIn(text);
  return count === undefined || !isUnit(count.type) ? undefined : count;
}

/** A number and the rest. What measures a sheet (`5 x 7 cm`) counts nothing. */
function countIn(text: string): Count | undefined {
  const { number, rest = '' } = leadingNumber(text) ?? {};
  const type = /^\s+(\S.*)$/s.exec(rest)?.[1];
  return number === undefined || type === undefined || /^[x×]\s*\d/i.test(type) ? undefined : { number, type };
}

const isUnit = (type: string): boolean => [...type].length <= longestListValue;

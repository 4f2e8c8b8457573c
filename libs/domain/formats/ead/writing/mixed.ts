// Mixed content on its way out: what a note or title holds is parsed, fitted into what the format allows at that place, and written; so a
// document is well-formed and valid whatever people wrote. What does not fit gives way to its text; nothing of the text is lost.
import { asInternal } from '../../xml/audience.ts';
import { parseFragment } from '../../xml/fragment.ts';
import { gatherRuns } from '../../xml/paragraph-runs.ts';
import type { XmlAttribute } from '../../xml/reader.ts';
import { isElement } from '../../xml/tree.ts';
import type { XmlChild, XmlNode } from '../../xml/tree.ts';
import { escapeAttribute, escapeText } from '../../xml/escape.ts';
import { anyUri, nameToken, prefixedId } from '../../writing/identifiers.ts';

/** What an attribute may hold: one of some values, any text, a name token, a day as EAD has it, or such a day or span of days. */
type AttributeKind = ReadonlySet<string> | 'text' | 'token' | 'day' | 'days';

/** What one element may hold: child elements, text (`hasText`) or children in an order (names, each with a blank behind it), attributes. */
export type ElementModel = {
  readonly content: ReadonlySet<string>;
  readonly hasText: boolean;
  readonly order?: RegExp;
  readonly attributes: ReadonlyMap<string, AttributeKind>;
  /** The element that its content stands in (`part` in names of EAD3). */
  readonly wrapped?: string;
  /** What elements become in it alone (a `date` in an item of an EAD3 chronology is a `datesingle`). */
  readonly renamed?: ReadonlyMap<string, string>;
};

/** What a format allows inside mixed content, by the groups of its schema. `renamed`: elements of HTML and older forms, and what they become. */
export type ContentModel = {
  readonly bare: ReadonlySet<string>;
  readonly basic: ReadonlySet<string>;
  readonly basicWithoutRefs: ReadonlySet<string>;
  readonly paragraph: ReadonlySet<string>;
  readonly title: ReadonlySet<string>;
  readonly blocks: ReadonlySet<string>;
  readonly renamed: ReadonlyMap<string, string>;
  /** The same for attributes; for those of elements that link; and values by the attribute's name. */
  readonly renamedAttributes?: ReadonlyMap<string, string>;
  readonly renamedLinks?: ReadonlyMap<string, string>;
  readonly valuesOf?: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly elements: ReadonlyMap<string, ElementModel>;
};

const renderOf: ReadonlyMap<string, string> = new Map([
  ['b', 'bold'],
  ['strong', 'bold'],
  ['i', 'italic'],
  ['em', 'italic'],
  ['u', 'underline'],
  ['sub', 'sub'],
  ['sup', 'super'],
]);
/** Attributes of an element from the words of a model: `name` (any text), `name~` (a name token), `name@` (a day), `name#` (days), `name=a|b` (one of these); and those that all but a few elements have. */
export function attributesOf(
  text: string,
  common = 'altrender audience=external|internal',
): ElementModel['attributes'] {
  const named = `${text} ${common}`
    .split(' ')
    .filter((each) => each !== '')
    .map((each): [string, AttributeKind] => {
      const [name = '', values] = each.split('=');
      if (values !== undefined) return [name, new Set(values.split('|'))];
      if (name.endsWith('@')) return [name.slice(0, -1), 'day'];
      if (name.endsWith('#')) return [name.slice(0, -1), 'days'];
      return name.endsWith('~') ? [name.slice(0, -1), 'token'] : [name, 'text'];
    });
  return new Map(named);
}

const xlinkNames: ReadonlySet<string> = new Set(['href', 'role', 'arcrole', 'title', 'show', 'actuate', 'type']);
// XLink's own spelling of values that EAD's DTD wrote in lower case.
const xlinkValues: ReadonlyMap<string, string> = new Map(
  ['new', 'replace', 'embed', 'other', 'none', 'onLoad', 'onRequest'].map((value) => [value.toLowerCase(), value]),
);
// Days as the schema of EAD 2002 has them, whole or cut after the year or month, or two of them as a span.
const day = String.raw`-?[012]\d{3}(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?`;
const oneDay = new RegExp(`^${day}$`);
const days = new RegExp(`^${day}(?:/${day})?$`);
// Elements that part text where they give way to it.
const parting: ReadonlySet<string> = new Set([
  'p',
  'item',
  'list',
  'head',
  'label',
  'event',
  'date',
  'entry',
  'row',
  'addressline',
  'blockquote',
  'note',
  'chronlist',
  'chronitem',
  'defitem',
  'div',
  'li',
  'ul',
  'ol',
  'table',
  'td',
  'tr',
]);

// Forms of browsers send CR and LF at the end of each line: to a reader of XML, both are one line feed.
const withLineFeeds = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/** The markup of a text for a place that holds inline content; blank lines become `lb` where they are allowed, blanks elsewhere. */
export function inlineXml(model: ContentModel, allowed: ReadonlySet<string>, content: string): string {
  const text = withLineFeeds(content);
  if (!/[<&\n]/.test(text)) return escapeText(text);
  return contentXml(model, allowed, parseFragment(text) ?? [text]).trim();
}

/** Blocks, and the heading that was taken out of them. */
type Blocks = { readonly xml: string; readonly head?: string };

/**
 * The markup of a text as blocks: paragraphs at blank lines, lists and the like as they stand, all of them marked where the text is `internal`
 * and what it stands in is not. `head`: the first heading in it, taken out where there is a place for it (`takesHead`); others give way to their text.
 */
export function blocksXml(
  model: ContentModel,
  content: string,
  internal?: 'internal',
  takesHead = internal === undefined,
): Blocks {
  const text = withLineFeeds(content);
  const start = internal === undefined ? '<p>' : '<p audience="internal">';
  if (!/[<&]/.test(text) && !/\n\s*\n/.test(text))
    return { xml: text.trim() === '' ? '' : `${start}${escapeText(text.trim())}</p>` };
  let head: string | undefined;
  let xml = '';
  const paragraph = (children: readonly XmlChild[], tag = start): void => {
    const inner = contentXml(model, model.paragraph, children).trim();
    if (inner !== '') xml += `${tag}${inner}</p>`;
  };
  const runs = gatherRuns((run) => paragraph(run));
  for (const child of parseFragment(text) ?? [text]) {
    if (!isElement(child)) {
      runs.add(child);
    } else if (child.name === 'head' && takesHead && head === undefined) {
      head = contentXml(model, model.bare, child.children).trim();
    } else if (child.name === 'p') {
      runs.end();
      // What it says of itself, such as that it is internal, it says still.
      const own = internal === undefined ? child : asInternal(child);
      paragraph(child.children, `<p${attributesXml(model, model.elements.get('p'), own)}>`);
    } else if (model.blocks.has(child.name)) {
      // A block between words stands by itself, as importers part them too; one that does not fit gives way to its text.
      const block = elementXml(model, internal === undefined ? child : asInternal(child), model.blocks);
      if (block === null) runs.add(child);
      else {
        runs.end();
        xml += block;
      }
    } else {
      runs.add(child);
    }
  }
  runs.end();
  return { xml, ...(head === undefined ? {} : { head }) };
}

/** The blocks of several texts, of whose headings the first is taken out. */
export function allBlocksXml(model: ContentModel, texts: readonly string[]): Blocks {
  let head: string | undefined;
  const xml = texts.map((text) => {
    const blocks = blocksXml(model, text, undefined, head === undefined);
    head ??= blocks.head;
    return blocks.xml;
  });
  return { xml: xml.join(''), ...(head === undefined ? {} : { head }) };
}

function contentXml(model: ContentModel, allowed: ReadonlySet<string>, children: readonly XmlChild[]): string {
  let xml = '';
  for (const child of children) {
    if (!isElement(child)) {
      xml += child.includes('\n') ? textXml(child, allowed) : escapeText(child);
      continue;
    }
    xml += elementXml(model, child, allowed) ?? unwrapped(model, allowed, child);
  }
  return xml;
}

const textXml = (text: string, allowed: ReadonlySet<string>): string =>
  text
    .split(/(?:(?<![ \t\r])[ \t\r]+)?\n[ \t\r]*\n\s*/)
    .map((part) => escapeText(part))
    .join(allowed.has('lb') ? '<lb/>' : ' ');

function unwrapped(model: ContentModel, allowed: ReadonlySet<string>, node: XmlNode): string {
  const inner = contentXml(model, allowed, node.children);
  return parting.has(node.name) ? ` ${inner} ` : inner;
}

/** An element with what it may hold, or null where it has no place there, or its parts are not those it must have. */
function elementXml(model: ContentModel, node: XmlNode, allowed: ReadonlySet<string>): string | null {
  const name = model.elements.has(node.name) ? node.name : (model.renamed.get(node.name) ?? node.name);
  const element = model.elements.get(name);
  if (element === undefined || !allowed.has(name)) return null;
  const attributes = attributesXml(model, element, node);
  if (element.order === undefined) {
    const content = element.hasText ? contentXml(model, element.content, node.children) : '';
    const inner = element.wrapped === undefined ? content : `<${element.wrapped}>${content}</${element.wrapped}>`;
    return inner === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${inner}</${name}>`;
  }
  const parts: string[] = [];
  let order = '';
  for (const child of node.children) {
    if (!isElement(child)) {
      if (child.trim() === '') continue;
      // Loose text among blocks is a paragraph; elsewhere the element is not what it says.
      if (!element.content.has('p')) return null;
      parts.push(`<p>${textXml(child.trim(), model.paragraph)}</p>`);
      order += 'p ';
      continue;
    }
    const name = element.renamed?.get(child.name) ?? child.name;
    const part = elementXml(model, { ...child, name }, element.content);
    if (part === null) return null;
    parts.push(part);
    order += `${name} `;
  }
  return element.order.test(order) ? `<${name}${attributes}>${parts.join('')}</${name}>` : null;
}

function attributesXml(model: ContentModel, element: ElementModel | undefined, node: XmlNode): string {
  if (element === undefined) return '';
  const written = new Map<string, string>();
  const render = renderOf.get(node.name);
  if (render !== undefined && element.attributes.has('render')) written.set('render', render);
  for (const attribute of node.attributes) {
    const name = attributeName(model, element, attribute);
    const kind = name === undefined ? undefined : element.attributes.get(name);
    if (name === undefined || kind === undefined || written.has(name)) continue;
    const value = attributeValue(
      name,
      kind,
      model.valuesOf?.get(name)?.get(attribute.value.trim()) ?? attribute.value.trim(),
    );
    if (value !== '') written.set(name, value);
  }
  let text = '';
  for (const [name, value] of written) text += ` ${name}="${escapeAttribute(value)}"`;
  return text;
}

function attributeName(model: ContentModel, element: ElementModel, { local }: XmlAttribute): string | undefined {
  const renamed =
    (element.attributes.has('href') ? model.renamedLinks?.get(local) : undefined) ??
    (element.attributes.has('listtype') && local === 'type' ? 'listtype' : model.renamedAttributes?.get(local));
  if (renamed !== undefined && !element.attributes.has(local))
    return element.attributes.has(renamed) ? renamed : undefined;
  if (xlinkNames.has(local) && element.attributes.has(`xlink:${local}`)) return `xlink:${local}`;
  return element.attributes.has(local) ? local : undefined;
}

function attributeValue(name: string, kind: AttributeKind, value: string): string {
  if (name.endsWith('href')) return anyUri(value);
  if (name === 'xlink:show' || name === 'xlink:actuate') return xlinkValues.get(value.toLowerCase()) ?? '';
  if (name === 'target') return prefixedId(value);
  if (kind === 'text') return value;
  if (kind === 'token') return nameToken(value);
  if (kind === 'day') return oneDay.test(value) ? value : '';
  if (kind === 'days') return days.test(value) ? value : '';
  return kind.has(value) ? value : kind.has(value.toLowerCase()) ? value.toLowerCase() : '';
}

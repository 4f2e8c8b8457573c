// A whole small document as a tree, on fast-xml-parser: for parts that are looked at here and there, not read from beginning to end. Whatever may
// be large, and whatever people are told the place of a fault in, is read by reader.ts (docs/decisions/0023).
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { fail } from '../../errors.ts';
import { hasForbidden } from './escape.ts';
import { decodeEntities } from './fragment.ts';
import type { XmlAttribute } from './reader.ts';
import { isElement } from './tree.ts';
import type { XmlChild, XmlNode } from './tree.ts';

/** What a document may cost: its characters, and nested elements. */
export type XmlDocumentLimits = { readonly characters: number; readonly depth: number };

const cdata = '#cdata';
const attributes = ':@';

/** A node as the parser gives it: one key with its children or its text, and attributes beside it. */
type Ordered = { readonly [key: string]: readonly Ordered[] | string | { readonly [name: string]: string } };

/**
 * The outermost element of a document, white space as it is; `line` of its nodes is 0. Prefixes are not looked up: those of names are cut,
 * `xlink:` and `xml:` of attributes stay. Fails with `import_failed` {message, line, column, element} where it is not well formed, beyond the
 * limits, or has a DOCTYPE: so there are no entities but those of XML and HTML, and nothing to expand.
 */
export function readXmlDocument(text: string, limits: XmlDocumentLimits): XmlNode {
  if (text.length > limits.characters) throw refuse(`The document has more than ${limits.characters} characters.`);
  if (/<!DOCTYPE/i.test(text)) throw refuse('The document has a DOCTYPE, which is not read here.');
  if (hasForbidden(text)) throw malformed('disallowed character');
  // The parser itself takes what is not well formed.
  const checked = XMLValidator.validate(text);
  if (checked !== true) throw malformed(checked.err.msg, checked.err.line, checked.err.col);
  const outermost = childrenOf(parse(text, limits.depth)).filter((child) => isElement(child) || child.trim() !== '');
  const [root] = outermost;
  if (root === undefined || !isElement(root) || outermost.length > 1) throw malformed('not one outermost element');
  return root;
}

function parse(text: string, depth: number): readonly Ordered[] {
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    cdataPropName: cdata,
    ignoreDeclaration: true,
    ignorePiTags: true,
    // Numbers stay as they are written.
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    // Decoded below, the ones of XML and HTML alone.
    processEntities: false,
    maxNestedTags: depth,
  });
  try {
    // What it gives with preserveOrder.
    return parser.parse(text) as readonly Ordered[];
  } catch (error) {
    throw error instanceof Error && /nested/i.test(error.message)
      ? refuse(`Elements are nested more than ${depth} deep.`)
      : malformed(error instanceof Error ? error.message : 'unknown');
  }
}

function childrenOf(nodes: readonly Ordered[]): readonly XmlChild[] {
  return nodes.flatMap((node): readonly XmlChild[] => {
    const name = Object.keys(node).find((key) => key !== attributes);
    const content = name === undefined ? undefined : node[name];
    if (name === undefined || content === undefined) return [];
    if (typeof content === 'string') return [decoded(content)];
    if (!isNodes(content)) return [];
    // Text of CDATA is what it says.
    if (name === cdata) return content.flatMap((piece) => (typeof piece['#text'] === 'string' ? [piece['#text']] : []));
    return [
      { name: localOf(name), attributes: attributesOf(node[attributes]), children: childrenOf(content), line: 0 },
    ];
  });
}

const isNodes = (content: Ordered[string]): content is readonly Ordered[] => Array.isArray(content);

const attributesOf = (given: Ordered[string] | undefined): readonly XmlAttribute[] =>
  Object.entries(given ?? {}).flatMap(([name, value]): readonly XmlAttribute[] =>
    typeof value === 'string' && name !== 'xmlns' && !name.startsWith('xmlns:')
      ? [{ name: attributeName(name), local: localOf(name), value: decoded(value.replace(/\r\n?|[\t\n]/g, ' ')) }]
      : [],
  );

const attributeName = (name: string): string => (/^(?:xlink|xml):/.test(name) ? name : localOf(name));
const localOf = (name: string): string => name.slice(name.indexOf(':') + 1);

const decoded = (text: string): string =>
  text.replace(/&[^;&<\s]*;?/g, (reference) => {
    const character = decodeEntities(reference);
    if (character === reference) throw malformed(`undefined entity (${reference.slice(0, 20)})`);
    return character;
  });

const refuse = (message: string, line = 1, column = 0): Error =>
  fail('import_failed', { message, line, column, element: '' });

const malformed = (reason: string, line?: number, column?: number): Error =>
  refuse(`The document is not well-formed XML: ${reason.replace(/\.$/, '')}.`, line, column);

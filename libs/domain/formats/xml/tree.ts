// A small part of a document as a tree: what a streaming reader collects for one element (a note, a did) and maps at once.
// White space is collapsed here as the import contract says (behaviour-imports.md section 3).
import { fail } from '../../errors.ts';
import type { XmlAttribute, XmlTag } from './reader.ts';

/** An element with its content in order; `line` is where its start tag ends. */
export type XmlNode = {
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlChild[];
  readonly line: number;
};

/** An element or a piece of text. */
export type XmlChild = XmlNode | string;

/** Collects one element: feed it the calls of a reader from the element's own start tag on. */
export type TreeBuilder = {
  open(tag: XmlTag): void;
  text(text: string): void;
  /** The finished node when the element closed was the outermost one, else undefined. */
  close(): XmlNode | undefined;
  /** Characters so far, as they are counted against the limit. */
  readonly size: number;
};

type OpenNode = { name: string; attributes: readonly XmlAttribute[]; children: XmlChild[]; line: number };

/** Makes a builder; an element of more than `maxCharacters` of text and names fails with `import_failed`. `keepsSpace`: white space stays as it is. */
export function createTreeBuilder(maxCharacters = 32_000_000, keepsSpace = false): TreeBuilder {
  const stack: OpenNode[] = [];
  let size = 0;
  const grow = (characters: number): void => {
    size += characters;
    if (size <= maxCharacters) return;
    const root = stack[0];
    throw fail('import_failed', {
      message: `One element holds more than ${maxCharacters} characters.`,
      line: root?.line ?? 0,
      column: 0,
      element: root?.name ?? '',
    });
  };
  return {
    open(tag) {
      // 64 stands for what a node or an attribute costs beside its text, so that millions of empty ones count too; 8 for a piece of text.
      grow(tag.attributes.reduce((sum, attribute) => sum + 64 + attribute.value.length, 64));
      const node: OpenNode = { name: tag.name, attributes: tag.attributes, children: [], line: tag.line };
      stack.at(-1)?.children.push(node);
      stack.push(node);
    },
    text(text) {
      grow(8 + text.length);
      stack.at(-1)?.children.push(keepsSpace ? text : collapseSpace(text));
    },
    close() {
      const node = stack.pop();
      return stack.length === 0 ? node : undefined;
    },
    get size() {
      return size;
    },
  };
}

/** Text with every run of white space (not of no-break spaces) as one blank. */
export function collapseSpace(text: string): string {
  return /[\t\r\n]| {2}/.test(text) ? text.replace(/[ \t\r\n]+/g, ' ') : text;
}

/** Whether a child is an element. */
export function isElement(child: XmlChild): child is XmlNode {
  return typeof child !== 'string';
}

/** The child elements, in order; with a name, only those of that name. */
export function elementsOf(node: XmlNode, name?: string): readonly XmlNode[] {
  const elements = node.children.filter(isElement);
  return name === undefined ? elements : elements.filter((element) => element.name === name);
}

/** The first child element of a name. */
export function elementOf(node: XmlNode, name: string): XmlNode | undefined {
  return node.children.find((child): child is XmlNode => isElement(child) && child.name === name);
}

/** Every descendant element of a name, in document order; those inside a hit are found as well. */
export function descendantsOf(node: XmlNode, name: string): readonly XmlNode[] {
  return elementsOf(node).flatMap((element) =>
    element.name === name ? [element, ...descendantsOf(element, name)] : descendantsOf(element, name),
  );
}

/** An attribute by local name, trimmed; undefined where it is absent or blank. An attribute without a prefix wins. */
export function attributeOf(node: XmlNode | XmlTag, local: string): string | undefined {
  const found =
    node.attributes.find((attribute) => attribute.name === local) ??
    node.attributes.find((attribute) => attribute.local === local);
  const value = found === undefined ? '' : collapseSpace(found.value).trim();
  return value === '' ? undefined : value;
}

const spacedElements: ReadonlySet<string> = new Set([
  'p',
  'lb',
  'head',
  'item',
  'label',
  'date',
  'event',
  'entry',
  'defitem',
  'list',
  'bibref',
  'addressline',
]);

/** The text of a node without tags, trimmed, white space collapsed; paragraphs, line breaks and items are parted by a blank. */
export function textContent(node: XmlChild | readonly XmlChild[]): string {
  return collapseSpace(rawText(node)).trim();
}

function rawText(node: XmlChild | readonly XmlChild[]): string {
  if (typeof node === 'string') return node;
  // Array.isArray does not narrow readonly arrays; `children` exists on nodes only.
  const children = 'children' in node ? node.children : node;
  const text = children.map(rawText).join('');
  return 'name' in node && spacedElements.has(node.name) ? ` ${text} ` : text;
}

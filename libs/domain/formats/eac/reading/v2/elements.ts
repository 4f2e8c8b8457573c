// Building blocks of rewriting EAC-CPF 2.0: elements under the names and attributes of 2010, on the lines of the document.
import type { XmlAttribute } from '../../../xml/reader.ts';
import { attributeOf, elementsOf, textContent } from '../../../xml/tree.ts';
import type { XmlChild, XmlNode } from '../../../xml/tree.ts';

/** Attributes from names and values; those without a value are left out. */
export function attributes(values: Readonly<Record<string, string | undefined>>): readonly XmlAttribute[] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [{ name, local: name, value }]));
}

/** A new element on the line of another. */
export const elementAt = (
  at: XmlNode,
  name: string,
  values: Readonly<Record<string, string | undefined>>,
  children: readonly XmlChild[] = [],
): XmlNode => ({ name, attributes: attributes(values), children, line: at.line });

/** The element under another name, with the same attributes and content. */
export const renamed = (node: XmlNode, name: string): XmlNode => ({ ...node, name });

/** href, linkTitle and linkRole of EAC-CPF 2.0 as the XLink attributes of 2010, and when the link was last tried, of the first node that has each. */
export function linkAttributes(...nodes: readonly XmlNode[]): readonly XmlAttribute[] {
  const first = (name: string): string | undefined =>
    nodes.map((node) => attributeOf(node, name)).find((value) => value !== undefined);
  return attributes({
    href: first('href'),
    title: first('linkTitle'),
    role: first('linkRole'),
    lastDateTimeVerified: first('lastDateTimeVerified'),
  });
}

/** The texts of the children of a name, joined; '' where there are none. */
export const joinedTexts = (node: XmlNode, name: string, separator: string): string =>
  elementsOf(node, name)
    .map(textContent)
    .filter((text) => text !== '')
    .join(separator);

// XML as a value that two runs can be compared by: attributes and texts by name, children by name in their order. White space between
// elements, namespace declarations and the order of attributes are left out.
import { createXmlReader } from '#domain/formats/xml/reader.ts';
import type { XmlNode } from '#domain/formats/xml/tree.ts';
import { createTreeBuilder, elementsOf, textContent } from '#domain/formats/xml/tree.ts';

/** An element: `@name` for attributes, `#text`, `#order` (names of children in order), and an array for each name of a child. */
export type XmlValue = { readonly [key: string]: string | readonly XmlValue[] };

/** The value of a document. Addresses of the public site are uris alone, and the day in MARC 008 is left out: both differ between runs. */
export function xmlValue(document: string): XmlValue {
  const builder = createTreeBuilder();
  let root: XmlNode | undefined;
  const reader = createXmlReader({
    open: (tag) => builder.open(tag),
    text: (text) => builder.text(text),
    close: () => {
      root = builder.close() ?? root;
    },
  });
  reader.feed(document);
  reader.end();
  if (root === undefined) throw new Error('the document has no element');
  return { [root.name]: [valueOf(root)] };
}

function valueOf(node: XmlNode): XmlValue {
  const children = elementsOf(node);
  const text = children.length > 0 ? '' : textContent(node).replace(/^http:\/\/localhost:8081(?=\/)/, '');
  const isFixedData = node.attributes.some((attribute) => attribute.name === 'tag' && attribute.value === '008');
  return {
    ...Object.fromEntries(
      node.attributes.map((attribute) => [
        `@${attribute.name}`,
        attribute.value.replace(/^http:\/\/localhost:8081(?=\/)/, ''),
      ]),
    ),
    '#text': isFixedData ? text.slice(6) : text,
    '#order': children.map((child) => child.name).join(' '),
    ...Object.fromEntries(
      [...Map.groupBy(children, (child) => child.name)].map(([name, nodes]) => [name, nodes.map(valueOf)]),
    ),
  };
}

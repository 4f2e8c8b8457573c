// The attribute `audience` of EAD and EAC-CPF: what is marked internal is not published.
import type { XmlTag } from './reader.ts';
import { attributeOf, isElement } from './tree.ts';
import type { XmlNode } from './tree.ts';

/** Whether an element is not marked `audience="internal"`. */
export function isPublic(node: XmlNode | XmlTag): boolean {
  return attributeOf(node, 'audience') !== 'internal';
}

/** An element as if it were marked internal, whatever it says itself. */
export function asInternal(node: XmlNode): XmlNode {
  const others = node.attributes.filter((attribute) => attribute.name !== 'audience');
  return { ...node, attributes: [...others, { name: 'audience', local: 'audience', value: 'internal' }] };
}

/** A part of an element: what stands in something internal is internal. */
export const inAudienceOf = (parent: XmlNode, part: XmlNode): XmlNode => (isPublic(parent) ? part : asInternal(part));

/** An element without its internal parts, and those alone in one that is internal; the element as it is where there is nothing to tell apart. */
export function partedByAudience(node: XmlNode): readonly XmlNode[] {
  const hidden = node.children.filter((child) => isElement(child) && !isPublic(child));
  if (hidden.length === 0 || !isPublic(node)) return [node];
  const shown = node.children.filter((child) => !hidden.includes(child));
  return [{ ...node, children: shown }, withoutId(asInternal({ ...node, children: hidden }))];
}

const withoutId = (node: XmlNode): XmlNode => ({
  ...node,
  attributes: node.attributes.filter((attribute) => attribute.name !== 'id'),
});

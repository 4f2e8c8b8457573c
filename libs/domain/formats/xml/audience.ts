// The attribute `audience` of EAD and EAC-CPF: what is marked internal is not published.
import type { XmlTag } from './reader.ts';
import { attributeOf } from './tree.ts';
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

// The small trees collected from a stream.
import { describe, expect, test } from 'vitest';
import { createXmlReader } from '#domain/formats/xml/reader.ts';
import {
  attributeOf,
  createTreeBuilder,
  descendantsOf,
  elementOf,
  elementsOf,
  textContent,
} from '#domain/formats/xml/tree.ts';
import type { XmlNode } from '#domain/formats/xml/tree.ts';

function parse(xml: string, maxCharacters?: number): XmlNode {
  const builder = createTreeBuilder(maxCharacters);
  let root: XmlNode | undefined;
  const reader = createXmlReader({ ...builder, close: () => void (root = builder.close() ?? root) });
  reader.feed(xml);
  reader.end();
  if (root === undefined) throw new TypeError('no root');
  return root;
}

describe('createTreeBuilder', () => {
  test('collapses white space but not no-break spaces, and keeps line numbers', () => {
    const node = parse('<a>\n  <b>x\n\ty\u00a0\u00a0z</b></a>');
    expect(node.children).toEqual([' ', { name: 'b', attributes: [], children: ['x y\u00a0\u00a0z'], line: 2 }]);
  });

  test('refuses an element that is too large, also by many empty elements', () => {
    expect(() => parse(`<a>${'x'.repeat(500)}</a>`, 400)).toThrow(/more than 400 characters/);
    expect(() => parse(`<a>${'<b/>'.repeat(10)}</a>`, 400)).toThrow(/more than 400 characters/);
    expect(() => parse(`<a b="" c="" d="" e="" f="" g=""/>`, 400)).toThrow(/more than 400 characters/);
    expect(() => parse(`<a>${'<![CDATA[x]]>'.repeat(50)}</a>`, 400)).toThrow(/more than 400 characters/);
  });

  // An element or attribute counts as 64 characters and a piece of text as 8, beside what they say.
  test.each([
    ['an element without content', '<a/>', 64],
    ['text', '<a>seven…</a>', 64 + 8 + 6],
    ['an attribute', '<a b="see"/>', 64 + 64 + 3],
    ['elements within each other', '<a><b><c/></b></a>', 3 * 64],
    ['text around an element', '<a>x<b/>yz</a>', 2 * 64 + 9 + 10],
  ])('takes %s up to the very limit, and nothing over it', (_what, xml, counted) => {
    expect(parse(xml, counted).name).toBe('a');
    expect(() => parse(xml, counted - 1)).toThrow(`One element holds more than ${counted - 1} characters.`);
  });
});

describe('access to nodes', () => {
  const node = parse('<a id=" x " blank="  "><b>1</b><c><b>2<b>3</b></b></c><p>p</p>q<lb/>r</a>');
  test('finds children, descendants and attributes', () => {
    expect(elementsOf(node).map((child) => child.name)).toEqual(['b', 'c', 'p', 'lb']);
    expect(elementOf(node, 'c')?.name).toBe('c');
    expect(descendantsOf(node, 'b').map((child) => textContent(child))).toEqual(['1', '23', '3']);
    expect([attributeOf(node, 'id'), attributeOf(node, 'blank'), attributeOf(node, 'none')]).toEqual([
      'x',
      undefined,
      undefined,
    ]);
  });
  test('parts paragraphs and line breaks by a blank in plain text', () => {
    expect(textContent(node)).toBe('123 p q r');
  });
});

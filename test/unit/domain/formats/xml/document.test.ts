// Whole small documents as trees: what they hold, what is refused, and that the strict reader reads the same. (The parser is less strict: it passes
// over instructions and comments that are not well formed.)
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failure } from '#domain/errors.ts';
import { readXmlDocument } from '#domain/formats/xml/document.ts';
import { createXmlReader } from '#domain/formats/xml/reader.ts';
import type { XmlAttribute } from '#domain/formats/xml/reader.ts';
import { createTreeBuilder, isElement } from '#domain/formats/xml/tree.ts';
import type { XmlChild, XmlNode } from '#domain/formats/xml/tree.ts';
import { XmlWriter } from '#domain/formats/xml/writer.ts';

const limits = { characters: 100_000, depth: 20 };

/** The same document by the streaming reader. */
function streamed(document: string): XmlNode | undefined {
  const builder = createTreeBuilder(undefined, true);
  let root: XmlNode | undefined;
  const reader = createXmlReader({
    open: (tag) => builder.open(tag),
    text: (text) => builder.text(text),
    close: () => void (root = builder.close() ?? root),
  });
  reader.feed(document);
  reader.end();
  return root;
}

/** What both readers are to agree in: local names, attributes, and text without regard to where it is cut. */
function shape(node: XmlNode | undefined): unknown {
  if (node === undefined) return undefined;
  const children: (string | unknown)[] = [];
  for (const child of node.children) {
    const last = children.at(-1);
    if (isElement(child)) children.push(shape(child));
    else if (typeof last === 'string') children[children.length - 1] = last + child;
    else if (child !== '') children.push(child);
  }
  const attributes = node.attributes.map(({ local, value }: XmlAttribute): readonly string[] => [local, value]);
  return { name: node.name, attributes, children };
}

/** What a reading gives, or the failure it ended in; other errors are thrown. */
function attempt(read: () => XmlNode | undefined): XmlNode | Failure | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

const textsOf = (children: readonly XmlChild[]): string => children.filter((child) => !isElement(child)).join('');

describe('readXmlDocument', () => {
  test('gives elements and attributes without prefixes, and text as it is', () => {
    const root = readXmlDocument(
      '\ufeff<?xml version="1.0"?><!-- c --><x:a xmlns:x="urn:x" x:id="1" name=" 007\n"> <b/>1.0 <![CDATA[&amp;<y>]]></x:a>',
      limits,
    );
    expect(shape(root)).toEqual({
      name: 'a',
      attributes: [
        ['id', '1'],
        ['name', ' 007 '],
      ],
      children: [' ', { name: 'b', attributes: [], children: [] }, '1.0 &amp;<y>'],
    });
  });

  test('decodes the entities of XML and HTML, and characters by number', () => {
    const root = readXmlDocument('<a b="R&amp;D &#x26;lt;">&lt;b&gt; &eacute;&#38;amp;</a>', limits);
    expect([root.attributes[0]?.value, textsOf(root.children)]).toEqual(['R&D &lt;', '<b> é&amp;']);
  });

  test.each([
    ['a DOCTYPE', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', /DOCTYPE/],
    [
      'a billion laughs',
      `<!DOCTYPE a [<!ENTITY l0 "ha">${Array.from({ length: 30 }, (_, n) => `<!ENTITY l${n + 1} "&l${n};&l${n};">`).join('')}]><a>&l30;</a>`,
      /DOCTYPE/,
    ],
    ['an entity that nobody declared', '<a>&b;</a>', /undefined entity \(&b;\)/],
    ['an entity in an attribute', '<a b="&c;"/>', /undefined entity/],
    ['a bare ampersand', '<a b="c & d"/>', /not well-formed/],
    ['elements too deep', `${'<a>'.repeat(30)}${'</a>'.repeat(30)}`, /nested more than 20 deep/],
    ['too many characters', `<a>${' '.repeat(100_001)}</a>`, /more than 100000 characters/],
    ['an element that is not closed', '<a><b></a>', /not well-formed/],
    ['an end without a beginning', '<a/></b>', /not well-formed/],
    ['two outermost elements', '<a/><b/>', /not well-formed/],
    ['an attribute twice', '<a b="1" b="2"/>', /not well-formed/],
    ['an attribute without quotes', '<a b=1/>', /not well-formed/],
    ['a control character', '<a>\u0001</a>', /disallowed character/],
    ['nothing', '', /not well-formed/],
    ['text', 'id,title', /not well-formed/],
  ])('refuses %s', (_what, document, words) => {
    expect(() => readXmlDocument(document, limits)).toThrow(words);
  });

  test('takes names of what objects have for names', () => {
    const document = '<constructor toString="1"><hasOwnProperty/><prototype valueOf="2">x</prototype></constructor>';
    const read = attempt(() => readXmlDocument(document, limits));
    if (!(read instanceof Failure)) expect(shape(read)).toEqual(shape(streamed(document)));
    expect(Object.hasOwn(Object.prototype, 'valueOf2')).toBe(false);
    expect(() => readXmlDocument('<__proto__ __proto__="1"/>', limits)).toThrow(/not well-formed/);
  });

  test('gives what was written, as the streaming reader does', () => {
    const name = fc.constantFrom('a', 'b-c', 'd.e', 'F', '_g', 'row');
    const text = fc.string({ unit: 'grapheme', maxLength: 12 });
    const { node } = fc.letrec((tie) => ({
      node: fc.record({
        name,
        attributes: fc.dictionary(name, text, { maxKeys: 3 }),
        children: fc.array(fc.oneof({ maxDepth: 4 }, text, tie('node')), { maxLength: 4 }),
      }),
    }));
    type Given = {
      readonly name: string;
      readonly attributes: Record<string, string>;
      readonly children: readonly (Given | string)[];
    };
    const write = (writer: XmlWriter, one: Given): void => {
      writer.open(one.name, one.attributes);
      for (const child of one.children) {
        if (typeof child === 'string') writer.text(child);
        else write(writer, child);
      }
      writer.close();
    };
    fc.assert(
      fc.property(node, (given) => {
        const writer = new XmlWriter().declaration();
        // Of this shape by the arbitrary above, which does not tell its type.
        write(writer, given as Given);
        const document = writer.take();
        expect(shape(readXmlDocument(document, limits))).toEqual(shape(streamed(document)));
      }),
      { numRuns: 500 },
    );
  });

  test('fails in one way, and gives what the strict reader gives wherever that takes it', () => {
    const seed =
      '<?xml version="1.0"?><w:workbook xmlns:w="x" xmlns:r="y"><!-- c --><sheets><sheet name="R&amp;D" r:id="rId1"/></sheets><t>a<![CDATA[b]]></t></w:workbook>';
    const pieces = [
      '<',
      '>',
      '&',
      '"',
      "'",
      '/',
      '=',
      ' ',
      ';',
      ']',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<?',
      '?>',
      'x',
      ':',
      '<a>',
      '</a>',
      '\n',
      '&lt;',
      '&#0;',
    ];
    let [taken, laxer] = [0, 0];
    const edit = fc.record({ at: fc.nat(seed.length), cut: fc.nat(6), put: fc.constantFrom('', ...pieces) });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        const document = edits.reduce((text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut), seed);
        const read = attempt(() => readXmlDocument(document, limits));
        if (read instanceof Failure) {
          const told = { message: expect.any(String), line: expect.any(Number) };
          expect(read).toMatchObject({ code: 'import_failed', error: told });
          return;
        }
        taken += 1;
        const strict = attempt(() => streamed(document));
        if (strict instanceof Failure) laxer += 1;
        else expect(shape(read)).toEqual(shape(strict));
      }),
      { numRuns: 5000 },
    );
    expect(taken - laxer).toBeGreaterThan(20);
  });
});

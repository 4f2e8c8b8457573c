// The streaming XML reader: events, positions, and documents made to do harm.
import { describe, expect, test } from 'vitest';
import { createXmlReader, defaultXmlLimits } from '#domain/formats/xml/reader.ts';
import type { XmlLimits } from '#domain/formats/xml/reader.ts';

function events(document: string, limits: XmlLimits = defaultXmlLimits, size = 5): readonly string[] {
  const seen: string[] = [];
  const reader = createXmlReader(
    {
      open: (tag) =>
        seen.push(`<${tag.name}${tag.attributes.map((attribute) => ` ${attribute.name}=${attribute.value}`).join('')}`),
      text: (text) => seen.push(text),
      close: (name) => seen.push(`>${name}`),
    },
    limits,
  );
  for (let at = 0; at < document.length; at += size) reader.feed(document.slice(at, at + size));
  reader.end();
  return seen;
}

describe('createXmlReader', () => {
  test('gives local names, text, CDATA and attributes without namespace declarations', () => {
    expect(
      events('<e:a xmlns:e="urn:x" xmlns:l="http://www.w3.org/1999/xlink" l:href="u">x<b/><![CDATA[<y>]]></e:a>'),
    ).toEqual(['<a xlink:href=u', 'x', '<b', '>b', '<y>', '>a']);
  });

  test('accepts prefixes that only a DTD declares', () => {
    expect(events('<a xlink:href="u" foo:bar="1"/>')).toEqual(['<a xlink:href=u bar=1', '>a']);
  });

  test('resolves HTML entity names', () => {
    expect(events('<a>caf&eacute;&nbsp;&amp;</a>')).toEqual(['<a', 'café\u00a0&', '>a']);
  });

  test('names line, column and element of what is not well-formed', () => {
    expect(() => events('<a>\n<b>x</c></a>')).toThrow(/not well-formed.*"line":2,"column":8,"element"/);
    expect(() => events('<a><b></b>')).toThrow(/unclosed tag/);
    expect(() => events('<a/><b/>')).toThrow(/well-formed/);
  });

  test('expands nothing a document declares', () => {
    const lols = Array.from({ length: 9 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`).join(
      '',
    );
    expect(() => events(`<!DOCTYPE a [<!ENTITY l0 "lol">${lols}]><a>&l9;</a>`)).toThrow(/undefined entity/);
    expect(() => events('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>')).toThrow(
      /undefined entity/,
    );
    expect(() => events('<a>&constructor;</a>')).toThrow(/undefined entity/);
  });

  test('opens no DTD and no parameter entity', () => {
    expect(
      events('<!DOCTYPE a SYSTEM "http://localhost:1/ead.dtd" [<!ENTITY % p SYSTEM "http://localhost:1/p"> %p;]><a/>'),
    ).toEqual(['<a', '>a']);
  });

  test('refuses elements nested too deep', () => {
    expect(() => events('<a>'.repeat(300))).toThrow(/nested more than 256 deep/);
  });

  test('refuses an element of too many attributes', () => {
    const attributes = (count: number): string => Array.from({ length: count }, (_, n) => `a${n}=""`).join(' ');
    expect(() => events(`<a ${attributes(1001)}/>`)).toThrow(/more than 1000 attributes/);
    expect(events(`<a ${attributes(600)}><b ${attributes(600)}/></a>`)).toHaveLength(4);
  });

  test('refuses an endless run without a tag', () => {
    const limits = { ...defaultXmlLimits, runCharacters: 1000 };
    expect(() => events(`<a>${'x'.repeat(2000)}</a>`, limits, 100)).toThrow(/More than 1000 characters/);
    expect(() => events(`<a b="${'x'.repeat(2000)}"/>`, limits, 100)).toThrow(/More than 1000 characters/);
    expect(() => events(`<${'x'.repeat(2000)}/>`, limits, 100)).toThrow(/More than 1000 characters/);
    expect(() => events(`<a><!--${'x'.repeat(2000)}--></a>`, limits, 100)).toThrow(/More than 1000 characters/);
    expect(() => events(`<a><![CDATA[${'x'.repeat(2000)}]]></a>`, limits, 100)).toThrow(/More than 1000 characters/);
    expect(() => events(`<a><?x ${'x'.repeat(2000)}?></a>`, limits, 100)).toThrow(/More than 1000 characters/);
    expect(() => events(`${' '.repeat(2000)}<a/>`, limits, 100)).toThrow(/More than 1000 characters/);
    expect(() => events(`<!DOCTYPE a [<!-- ${'x'.repeat(2000)} -->]><a/>`, limits, 100)).toThrow(
      /More than 1000 characters/,
    );
  });
});

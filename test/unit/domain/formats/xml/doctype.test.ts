// Entities that a document declares as a plain text.
import { describe, expect, test } from 'vitest';
import { plainEntities } from '#domain/formats/xml/doctype.ts';
import { createXmlReader, defaultXmlLimits } from '#domain/formats/xml/reader.ts';

/** The text of a document whose DOCTYPE may declare entities, fed in pieces. */
function textOf(document: string, entityCharacters = 1000): string {
  let seen = '';
  const reader = createXmlReader(
    {
      open: (tag) => void (seen += tag.attributes.map((attribute) => `[${attribute.value}]`).join('')),
      text: (text) => void (seen += text),
      close: () => undefined,
    },
    { ...defaultXmlLimits, entityCharacters },
  );
  for (let at = 0; at < document.length; at += 7) reader.feed(document.slice(at, at + 7));
  reader.end();
  return seen;
}

describe('plainEntities', () => {
  test('are texts and character references, the first of each name', () => {
    const doctype = ` ead PUBLIC "+//ISBN 1-931666-00-8//DTD ead.dtd//EN" "ead.dtd" [<!-- <!ENTITY no "x"> --><!ENTITY % iso SYSTEM "iso.ent"> %iso;
      <!ENTITY lib "Biblioth&#232;que &#x2013; Lyon"><!ENTITY lib 'other'><!ENTITY one 'It "is"'><!NOTATION jpeg SYSTEM ""><!ENTITY logo SYSTEM "a.jpg" NDATA jpeg>]`;
    expect([...plainEntities(doctype)]).toEqual([
      ['lib', 'Bibliothèque – Lyon'],
      ['one', 'It "is"'],
    ]);
    expect([...plainEntities('a [<!ENTITY t "a&#9;b&#10;c&#xD;d&#xE000;e&#x10000;">]')]).toEqual([
      ['t', 'a\tb\nc\rd\ue000e\u{10000}'],
    ]);
  });

  test('are not those that hold markup, other entities, or what no document may hold, nor long ones', () => {
    const doctype = `a [<!ENTITY m "<b/>"><!ENTITY e "&f;"><!ENTITY l "&#60;b>"><!ENTITY p "%x;"><!ENTITY c "&#0;"><!ENTITY s "&#xD800;"><!ENTITY big "${'x'.repeat(1001)}"><!ENTITY out SYSTEM "file:///etc/passwd">]`;
    expect([...plainEntities(doctype)]).toEqual([]);
  });
});

test('may hold each character that a document may, by its number, and no other', () => {
  const may = [0x9, 0xa, 0xd, 0x20, 0xd7ff, 0xe000, 0xfffd, 0x10000, 0x10ffff];
  const mayNot = [0x8, 0xb, 0xc, 0xe, 0x1f, 0xd800, 0xdfff, 0xfffe, 0xffff, 0x110000];
  const declared = (codes: readonly number[], form: (code: number) => string): string =>
    `a [${codes.map((code) => `<!ENTITY n${code} "&#${form(code)};">`).join('')}]`;
  for (const form of [String, (code: number) => `x${code.toString(16)}`]) {
    expect([...plainEntities(declared(may, form))]).toEqual(
      may.map((code) => [`n${code}`, String.fromCodePoint(code)]),
    );
    expect([...plainEntities(declared(mayNot, form))]).toEqual([]);
  }
});

// A search to the end from each of them would take hours: the test would hang.
test('comments without end in a text cost what their length costs', () =>
  expect([...plainEntities(`a [<!ENTITY x "${'<!--'.repeat(500_000)}"><!ENTITY y "Y">]`)]).toEqual([['y', 'Y']]));

describe('a reader that may expand them', () => {
  test('gives them in text and attributes, and those of the ISO sets', () => {
    expect(textOf('<!DOCTYPE a [<!ENTITY lib "Lib">]><a b="&lib;">the &lib; &amp; &ccaron;&lsqb;</a>')).toBe(
      '[Lib]the Lib & č[',
    );
  });

  test('refuses others by name, and a bare ampersand with its line', () => {
    expect(() => textOf('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>')).toThrow(
      /undefined entity \(&x;/,
    );
    expect(() => textOf('<a>\nBell & Howell</a>\n<b/>;')).toThrow(/& How.*starts no entity.*"line":2/);
    expect(() => textOf('<a>\n<b u="?a=1&b=2"/>\n</a>')).toThrow(/"&b=2.*starts no entity.*"line":2/);
  });

  test('refuses a document in which they grow beyond the limit', () => {
    expect(() => textOf(`<!DOCTYPE a [<!ENTITY x "${'x'.repeat(900)}">]><a>&x;&x;</a>`)).toThrow(
      /expand to more than 1000 characters/,
    );
  });
});

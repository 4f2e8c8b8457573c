// Mixed content as records hold it, taken apart.
import { expect, test } from 'vitest';
import { decodeEntities, parseFragment } from '#domain/formats/xml/fragment.ts';

const node = (name: string, children: unknown[] = [], attributes: unknown[] = []): object => ({
  name,
  attributes,
  children,
  line: 0,
});

test('gives elements with their attributes and the text around them', () => {
  expect(parseFragment('a <xlink:emph xlink:render="bold">b</xlink:emph> c<lb/>')).toEqual([
    'a ',
    node('emph', ['b'], [{ name: 'xlink:render', local: 'render', value: 'bold' }]),
    ' c',
    node('lb'),
  ]);
});

test('lets a lone < or & stand for itself and decodes entities of XML and HTML', () => {
  expect(parseFragment('a < b & c &amp; &nbsp;&eacute;&#x41; &unknown;')?.join('')).toBe(
    'a < b & c & \u00a0éA &unknown;',
  );
});

test('closes br of HTML, keeps CDATA as text, leaves comments out', () => {
  expect(parseFragment('a<br>b<!-- c --><![CDATA[<d>]]>')).toEqual(['a', node('br'), 'b', '<d>']);
});

test('is null where tags do not match or nest too deep', () => {
  expect(parseFragment('<emph>a')).toBeNull();
  expect(parseFragment('a</emph>')).toBeNull();
  const nested = (deep: number): unknown => parseFragment('<b>'.repeat(deep) + '</b>'.repeat(deep));
  expect([nested(100) === null, nested(101)]).toEqual([false, null]);
});

test('decodes what a document may hold, and leaves the rest as it stands', () => {
  const decoded = (codes: readonly string[]): readonly string[] => codes.map((code) => decodeEntities(`&#${code};`));
  expect(decoded(['1', '9', 'xD7FF', 'XE000', '57344', 'x10FFFF', '1114111'])).toEqual(
    [0x1, 0x9, 0xd7ff, 0xe000, 0xe000, 0x10ffff, 0x10ffff].map((code) => String.fromCodePoint(code)),
  );
  const kept = ['0', 'x0', 'xD800', 'xDFFF', '55296', 'x110000', '1114112', '12345678', 'x1234567', '', 'x', 'a'];
  expect(decoded(kept)).toEqual(kept.map((code) => `&#${code};`));
});

// Mixed content as records hold it, taken apart.
import { expect, test } from 'vitest';
import { parseFragment } from '#domain/formats/xml/fragment.ts';

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
  expect(parseFragment('<b>'.repeat(200) + '</b>'.repeat(200))).toBeNull();
});

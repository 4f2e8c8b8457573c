// Escaping of text for XML.
import { expect, test } from 'vitest';
import { escapeAttribute, escapeText } from '#domain/formats/xml/escape.ts';

test('escapes markup and leaves out what XML cannot hold', () => {
  expect(escapeText('a & b < c > d')).toBe('a &amp; b &lt; c &gt; d');
  expect(escapeText('x\u0000\u0008\ud800y😀\n')).toBe('xy😀\n');
  expect(escapeAttribute('"&"')).toBe('&quot;&amp;&quot;');
});

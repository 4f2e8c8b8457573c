import { expect, test } from 'vitest';
import { notXml } from '#domain/formats/xml/other-files.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

test('knows binary MARC, archives, compressed files and PDFs by their first bytes', () => {
  expect(notXml(bytes('00074npc  2200049 a 4500245'))).toContain('convert it to MARCXML');
  expect(notXml(bytes('PK\x03\x04'))).toContain('archive');
  expect(notXml(bytes('\x1f\x8b\x08'))).toContain('compressed');
  expect(notXml(bytes('%PDF-1.7'))).toContain('PDF');
});

test.each(['<ead/>', '\xef\xbb\xbf<ead/>', '<\x00e\x00', '', '00074npc  2200049 a 450', 'PK'])(
  'says nothing of %j',
  (text) => {
    expect(notXml(bytes(text))).toBeNull();
  },
);

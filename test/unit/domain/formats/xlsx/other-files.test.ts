// Files that are sent as workbooks and are something else. Saved by office programs, they are read in workbook.test.ts.
import { expect, test } from 'vitest';
import { otherArchive, otherFile } from '#domain/formats/xlsx/other-files.ts';

test.each([
  ['', 'it is empty'],
  ['id,title', 'it is text, such as CSV'],
  ['\n <table>', 'it is XML or HTML; save it as .xlsx'],
  // A character of two bytes that the first thousand bytes cut in half.
  [`${'a'.repeat(999)}é`, 'it is text, such as CSV'],
])('%j is told', (text, says) => {
  expect(otherFile(Buffer.from(text))).toBe(says);
});

test('what is no text, and archives, are told by nothing but their parts', () => {
  for (const bytes of [
    [0x50, 0x4b, 0x03, 0x04, 0],
    [0x25, 0x50, 0x44, 0x46, 0xe2, 0xe3],
  ])
    expect(otherFile(Uint8Array.from(bytes))).toBeNull();
  expect(otherArchive(new Map([['a.txt', 1]]))).toEqual([]);
  expect(otherArchive(new Map([['xl/workbook.bin', 1]]))).toEqual([
    'it is a binary workbook (.xlsb); save it as .xlsx',
  ]);
});

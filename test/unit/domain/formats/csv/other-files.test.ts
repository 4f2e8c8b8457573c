// What files are that are sent as CSV and are none.
import { expect, test } from 'vitest';
import { notCsv, otherSeparator } from '#domain/formats/csv/other-files.ts';

test('knows workbooks and UTF-16 by their first bytes, and nothing of what may be CSV', () => {
  for (const [hex, says] of [
    ['504b030414', '(.xlsx)'],
    ['d0cf11e0a1', '(.xls)'],
    ['fffe6100', 'UTF-16'],
    ['feff0061', 'UTF-16'],
  ] as const)
    expect(notCsv(Buffer.from(hex, 'hex'))).toContain(says);
  for (const text of ['', 'P', 'PK,title\n', '\uFEFFa,b']) expect(notCsv(Buffer.from(text))).toBe(null);
});

test('knows tabs and semicolons where a heading came out as one cell alone', () => {
  expect(otherSeparator(['a\tb;c', ''])).toContain('between tabs');
  expect(otherSeparator(['', 'a;b'])).toContain('between semicolons');
  for (const cells of [[], [''], ['a'], ['a;b', 'c']]) expect(otherSeparator(cells)).toBe(null);
});

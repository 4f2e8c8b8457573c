// Cells of CSV, and texts that look like formulas.
import { expect, test } from 'vitest';
import { csvLine, withoutMark } from '#domain/formats/csv/write.ts';

test('quotes what would break a line, and leaves nothing that looks like a formula', () => {
  expect(
    csvLine(['a', null, 3, -4, true, 'x "y", z', ' b', '=1+1', '+x', '-x', '@x', '\tx', '\rx', '-4', '+4.5', '']),
  ).toBe(`a,,3,-4,true,"x ""y"", z"," b",'=1+1,'+x,'-x,'@x,'\tx,"'\rx",-4,+4.5,\n`);
});

test.each([
  ["'=1+1", '=1+1'],
  ["'-x", '-x'],
  ["'quoted'", "'quoted'"],
  ['=x', '=x'],
  ['', ''],
])('%j was %j before it was marked', (cell, text) => {
  expect(withoutMark(cell)).toBe(text);
});

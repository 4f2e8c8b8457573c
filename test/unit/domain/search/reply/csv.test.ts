import { expect, it } from 'vitest';
import { toCsvHeader, toCsvLine } from '#domain/search/reply/csv.ts';

it('gives a header and a line a document, absent values empty', () => {
  expect(toCsvHeader(['id', 'title', 'level'])).toBe('id,title,level\n');
  expect(toCsvLine({ id: '/a/1', title: 'Maps' }, ['id', 'title', 'level'])).toBe('/a/1,Maps,\n');
});

it('quotes what would break a line, doubling quotes', () => {
  expect(toCsvLine({ title: 'Say "when", now\nor later' }, ['title'])).toBe('"Say ""when"", now\nor later"\n');
});

it('joins several values by commas and marks the commas inside of one', () => {
  expect(toCsvLine({ subjects: ['Boston, Mass.', 'Maps'] }, ['subjects'])).toBe('"Boston\\, Mass.,Maps"\n');
});

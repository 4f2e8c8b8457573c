// The order of titles and other values by their keys.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortKeyBeginnings, toSortKey, toTitleSort } from '#domain/text/sort-key.ts';

it('orders numbers as numbers, and without case, accents or punctuation', () => {
  const titles = ['Box 10', 'box 2', 'Äpfel', '"Bird" songs', '<title>Box</title> 1', 'Re-armament'];
  expect([...titles].sort((a, b) => (toTitleSort(a) < toTitleSort(b) ? -1 : 1))).toEqual([
    'Äpfel',
    '"Bird" songs',
    '<title>Box</title> 1',
    'box 2',
    'Box 10',
    'Re-armament',
  ]);
});

it('writes hyphens as blanks and pads digits', () => {
  expect(toTitleSort('Re-armament,  1914–18')).toBe('re armament 0000191418');
  expect(toSortKey('MS-0012')).toBe('ms-0000000012');
});

it('orders any two numbers rightly', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31), fc.nat(2 ** 31), (a, b) => {
      expect(toSortKey(`n${a}`) < toSortKey(`n${b}`)).toBe(a < b);
    }),
  );
});

it('knows how keys begin whose texts begin with a number', () => {
  expect(sortKeyBeginnings('box')).toEqual(['box']);
  expect(sortKeyBeginnings(toSortKey('Box 19'))).toEqual([
    'box 0000000019',
    'box 000000019',
    'box 00000019',
    'box 0000019',
    'box 000019',
    'box 00019',
    'box 0019',
    'box 019',
    'box 19',
  ]);
  expect(sortKeyBeginnings(toSortKey('12345678901'))).toEqual(['12345678901']);
  fc.assert(
    fc.property(fc.nat(2 ** 31), fc.nat(99), (whole, begun) => {
      const begins = sortKeyBeginnings(toSortKey(`n${begun}`)).some((key) => toSortKey(`n${whole}`).startsWith(key));
      expect(begins).toBe(String(whole).startsWith(String(begun)));
    }),
  );
});

// The order of titles and other values by their keys.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toSortKey, toTitleSort } from '#domain/text/sort-key.ts';

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

// Dates sort by time, the wider before the narrower.
import { expect, test } from 'vitest';
import { toDateSort } from '#domain/dates/sort-order.ts';

test('a year comes before its months, and these before their days', () => {
  const dates = ['1900-12-31', '1900', '1899', '1900-12', '0999-01-01'];
  const keys = dates.flatMap((date) => toDateSort(date) ?? []).toSorted();
  expect(keys).toEqual(['0999-01-01', '1899', '1900', '1900-12', '1900-12-31']);
});

test('what has no date has no key', () => {
  expect([toDateSort(null), toDateSort('')]).toEqual([null, null]);
});

import { expect, test } from 'vitest';
import type { SortableChild } from '#domain/tree/sort-children.ts';
import { parseSortBy, sortedIds } from '#domain/tree/sort-children.ts';

const child = (id: number, more: Partial<SortableChild> = {}): SortableChild => ({
  id,
  title: null,
  display_string: null,
  identifier: null,
  begin: null,
  end: null,
  ...more,
});
const order = (children: readonly SortableChild[], ...by: readonly string[]): readonly number[] =>
  sortedIds(children, parseSortBy(by));
const named = (...identifiers: readonly string[]): readonly SortableChild[] =>
  identifiers.map((identifier, id) => child(id, { identifier }));

test('numbers inside texts count as numbers, whatever stands around them', () => {
  expect(order(named('MS-10', 'MS-9', 'MS-100', 'MS-1a', 'MS-1'), 'identifier')).toEqual([4, 3, 1, 0, 2]);
  expect(order(named('1.10', '1.9', '1.9.2'), 'component_id')).toEqual([1, 2, 0]);
});

test('case, accents and quotation marks of titles do not matter', () => {
  const titles = ['“Zebra”', 'émile', 'Emil', 'apple', '[Box 2]'].map((title, id) => child(id, { title }));
  expect(order(titles, 'title')).toEqual([3, 4, 2, 1, 0]);
});

test('what has no value stands last in either direction, and what is equal stays in its order', () => {
  const dated = [
    child(0),
    child(1, { begin: '1950' }),
    child(2, { begin: '1900-05' }),
    child(3, { begin: '1900' }),
    child(4),
    child(5, { begin: '1950' }),
  ];
  expect(order(dated, 'begin')).toEqual([3, 2, 1, 5, 0, 4]);
  expect(order(dated, '-begin')).toEqual([1, 5, 2, 3, 0, 4]);
});

test('the next field decides where the one before is equal', () => {
  const children = [
    child(0, { begin: '1900', title: 'b' }),
    child(1, { begin: '1900', title: 'A' }),
    child(2, { begin: '1899', title: 'c' }),
  ];
  expect(order(children, '-begin', 'title')).toEqual([1, 0, 2]);
});

test('fields that nobody knows are refused by name', () => {
  expect(() => parseSortBy(['title', 'colour'])).toThrow(
    expect.objectContaining({
      code: 'bad_parameter',
      error: { sort_by: [expect.stringContaining('you provided colour')] },
    }),
  );
});

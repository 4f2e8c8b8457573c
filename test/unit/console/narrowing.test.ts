// Differences narrowed by what the address says, and where two texts differ.
import { expect, it } from 'vitest';
import { differing } from '../../../apps/console/moving-in/differing.ts';
import { narrowed, narrowingOf, valuesOf } from '../../../apps/console/moving-in/narrowing.ts';
import type { Difference } from '../../../apps/console/moving-in/report.ts';

const difference = (
  sort: Difference['sort'],
  list: string,
  property = '',
  source: string | null = null,
): Difference => ({
  sort,
  uri: `${list}/1`,
  list,
  property,
  place: property,
  source,
  here: null,
});
const all = [
  difference('missing', '/subjects'),
  difference('field', '/subjects', 'title', 'Ports and HARBOURS'),
  difference('field', '/repositories/2/resources', 'title', 'Letters'),
  difference('field', '/repositories/2/resources', 'level', 'harbour'),
];

it('narrows by sort, list, property and text together', () => {
  const by = (query: string): readonly number[] =>
    narrowed(all, narrowingOf(new URLSearchParams(query))).map((each) => all.indexOf(each));
  expect(by('')).toEqual([0, 1, 2, 3]);
  expect(by('sort=field')).toEqual([1, 2, 3]);
  expect(by('sort=field&list=/subjects')).toEqual([1]);
  expect(by('property=title')).toEqual([1, 2]);
  expect(by('text=harbour')).toEqual([1, 3]);
  expect(by('text=harbour&property=level')).toEqual([3]);
  expect(by('text=/SUBJECTS/1')).toEqual([0, 1]);
  expect(by('sort=extra')).toEqual([]);
});

it('tells how many there are of each value that could be chosen instead', () => {
  const asked = narrowingOf(new URLSearchParams('property=title'));
  expect(valuesOf(all, 'property', asked)).toEqual([
    ['title', 2],
    ['level', 1],
  ]);
  expect(valuesOf(all, 'list', asked)).toEqual([
    ['/repositories/2/resources', 1],
    ['/subjects', 1],
  ]);
});

it('takes texts apart where they differ, and no letter', () => {
  const apart = (source: string, here: string): readonly string[] => Object.values(differing(source, here));
  expect(apart('Letters of 1901', 'Letters of 1911')).toEqual(['Letters of 19', '0', '1', '1']);
  expect(apart('abc', 'abc')).toEqual(['abc', '', '', '']);
  expect(apart('', 'abc')).toEqual(['', '', 'abc', '']);
  expect(apart('aa', 'aaa')).toEqual(['aa', '', 'a', '']);
  // The mark of a letter stays with it, and so do the halves of a character.
  expect(apart('cafe\u0301s', 'cafes')).toEqual(['caf', 'e\u0301', 'e', 's']);
  expect(apart('x😀y', 'x😁y')).toEqual(['x', '😀', '😁', 'y']);
});

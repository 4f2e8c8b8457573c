// Of which file and which row each record of an import is.
import { expect, test } from 'vitest';
import { filePlaces } from '../../../apps/worker/formats/file-places.ts';

test('records are counted through the files in their order, and rows are those that the file told', () => {
  const places = filePlaces();
  expect([places.placeOf(null), places.placeOf(1)]).toEqual([
    { file: null, line: null },
    { file: null, line: null },
  ]);
  places.begin('a.csv');
  expect(places.placeOf(null)).toEqual({ file: 'a.csv', line: null });
  places.end(2, [5, 9]);
  expect(places.placeOf(null)).toEqual({ file: null, line: null });
  places.begin('empty.csv');
  places.end(0);
  places.begin(null);
  places.end(1, [7]);
  places.begin('b.xml');
  places.end(2);
  expect([1, 2, 3, 4, 5, 6].map(places.placeOf)).toEqual([
    { file: 'a.csv', line: 5 },
    { file: 'a.csv', line: 9 },
    { file: null, line: 7 },
    { file: 'b.xml', line: null },
    { file: 'b.xml', line: null },
    { file: null, line: null },
  ]);
});

// What becomes of fields in an index.
import { expect, it } from 'vitest';
import { eachField, isAnswered, toMarks, toSorts, toValues } from '#domain/search/documents/field-values.ts';

const known = eachField({ level: 'file', accession_date_year: 1901, barcode_u_sstr: ['3'], unknown: 'x' });

it('counts values of facets, but those that name one record each', () => {
  expect(toValues(known)).toEqual([
    ['level', 'file'],
    ['accession_date_year', '1901'],
  ]);
});

it('sorts numbers as numbers, and by no field of several values', () => {
  expect(toSorts(known)).toEqual({ level: 'file', accession_date_year: 1901 });
});

it('says which fields there are, and their exact values', () => {
  expect(toMarks(known.slice(0, 1))).toEqual(['h=level', 'x=level=file']);
});

it('answers no field that is sorted by alone', () => {
  expect([isAnswered('title'), isAnswered('title_sort')]).toEqual([true, false]);
});

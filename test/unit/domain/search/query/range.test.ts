// Ranges as an index compares them.
import { expect, it } from 'vitest';
import type { Field } from '#domain/search/fields.ts';
import { findField } from '#domain/search/fields.ts';
import { compileRange, toInteger } from '#domain/search/query/range.ts';

const fieldOf = (name: string): Field => {
  const field = findField(name);
  if (field === undefined) throw new Error(`no field ${name}`);
  return field;
};
const range = (field: string, from: string | undefined, to: string | undefined) =>
  compileRange(
    {
      kind: 'range',
      field,
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      includesFrom: true,
      includesTo: true,
    },
    fieldOf(field),
    0,
  );

it('finds what has the field where there are no bounds', () => {
  expect(range('level', undefined, undefined)).toEqual({ kind: 'lexemes', query: { kind: 'word', word: 'h=level' } });
});

it('compares typed columns, days as their first and last moment', () => {
  expect(range('create_time', '2020-01-02', '2020-01-02')).toEqual({
    kind: 'compare',
    column: 'create_time',
    field: 'create_time',
    from: { value: '2020-01-02T00:00:00.000Z', isIncluded: true },
    to: { value: '2020-01-02T23:59:59.999Z', isIncluded: true },
  });
});

it('refuses running text, and words where numbers are compared', () => {
  expect(() => range('notes', 'a', 'b')).toThrow(/does not take a range/);
  expect(() => toInteger('many', fieldOf('accession_date_year'))).toThrow(/not a whole number/);
});

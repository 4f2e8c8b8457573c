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

it('compares addresses, and ids within the order of addresses', () => {
  const compared = {
    kind: 'compare',
    from: { value: '/a', isIncluded: true },
    to: { value: '/b#pui', isIncluded: true },
  };
  const uri = { ...compared, column: 'uri', field: 'uri' };
  expect(range('uri', '/a', '/b#pui')).toEqual(uri);
  expect(range('id', '/a#pui', '/b#pui')).toEqual({
    kind: 'every',
    parts: [uri, { ...compared, column: 'id', field: 'id', from: { value: '/a#pui', isIncluded: true } }],
  });
});

it.each(['ref_id', 'resource', 'repository', 'agent_uris', 'top_container_uri_u_sstr', 'slug'])(
  'refuses %s, whose values the word list does not have',
  (field) => {
    expect(() => range(field, '0', 'z')).toThrow(`'${field}' does not take a range`);
    expect(range(field, undefined, undefined)).toMatchObject({ kind: 'lexemes' });
  },
);

it('refuses running text, and words where numbers are compared', () => {
  expect(() => range('notes', 'a', 'b')).toThrow(/does not take a range/);
  expect(() => toInteger('many', fieldOf('accession_date_year'))).toThrow(/not a whole number/);
});

// How statements take values: ids as one text, and nothing else among them.
import { expect, test } from 'vitest';
import { sql, toStatement } from '#store/connection/sql.ts';

test('an array of integers is one parameter, as PostgreSQL writes arrays', () => {
  const query = sql`SELECT ${sql.array([1, -2, 3], 'int4')}, ${sql.array([], 'int8')}, ${sql.array([1, null, 9007199254740993n, '-7'], 'int8')}`;
  expect(toStatement(query)).toBe('SELECT $1::int4[], $2::int8[], $3::int8[]');
  expect(query.values).toEqual(['{1,-2,3}', '{}', '{1,NULL,9007199254740993,-7}']);
});

test.each([['1},{2'], ['1,2'], [''], [1.5], [Number.NaN], [Infinity], [2 ** 60], [true]])(
  '%j is no integer',
  (value) => {
    expect(() => sql.array([1, value], 'int4')).toThrow('among integers');
  },
);

test('an array of texts keeps them as they are', () => {
  const query = sql`SELECT ${sql.array(['a', 'b,c', '{"'], 'text')}`;
  expect(toStatement(query)).toBe('SELECT $1::"text"[]');
  expect(query.values).toEqual([['a', 'b,c', '{"']]);
});

test('rows are a set of one array for each column, with all values or none', () => {
  const rows = [
    [1, 'a', true],
    [2, null, false],
  ];
  const query = sql`SELECT FROM ${sql.unnest(rows, ['int4', 'text', 'bool'])} AS u (id, name, shown)`;
  expect(toStatement(query)).toBe('SELECT FROM unnest($1::int4[], $2::"text"[], $3::"bool"[]) AS u (id, name, shown)');
  expect(query.values).toEqual(['{1,2}', ['a', null], [true, false]]);
  expect(() => sql.unnest([[1, 'a'], [2]], ['int4', 'text'])).toThrow('not one value for each column');
});

// Structured queries against the query text that means the same.
import { expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { printQuery } from '#domain/search/query/ast.ts';
import { parseAdvancedQuery } from '#domain/search/query/advanced.ts';

const field = (name: string, value: string, more: JsonObject = {}): JsonObject => ({
  jsonmodel_type: 'field_query',
  field: name,
  value,
  ...more,
});
const bool = (op: string, ...subqueries: JsonObject[]): JsonObject => ({
  jsonmodel_type: 'boolean_query',
  op,
  subqueries,
});
const date = (comparator: string, value: string, precision: string): JsonObject => ({
  jsonmodel_type: 'date_field_query',
  field: 'create_time',
  comparator,
  value,
  precision,
});
const read = (query: JsonObject, isLiteral = false) =>
  printQuery(
    parseAdvancedQuery(JSON.stringify({ jsonmodel_type: 'advanced_query', query }), 'aq', { isLiteral, now: 0 }) ?? {
      kind: 'all',
    },
  );

it.each<[JsonObject, string]>([
  [field('title', 'old maps'), 'title:old title:maps'],
  [field('title', 'a: b*'), 'title:a title:b*'],
  [field('title', '[harb TO harc] OR {a TO b}'), 'title:[harb TO harc] OR title:{a TO b}'],
  [field('years', '[1900 TO 1950]'), 'years:[1900 TO 1950]'],
  [field('create_time', '[2020-01-01T00:00:00Z TO *]', { negated: true }), '-create_time:[2020-01-01T00:00:00Z TO *]'],
  [field('title', '(a [b TO'), 'title:\\(a title:\\[b title:TO'],
  [field('title', 'a OR "b c"'), 'title:a OR title:"b c"'],
  [field('keyword', 'maps'), 'fullrecord:maps'],
  [field('creators', 'zinn'), 'creators_text:zinn'],
  [field('title', 'a (b', { literal: true }), 'title:"a (b"'],
  [field('title', 'a', { negated: true }), '-title:a'],
  [field('title', 'a', { negated: null, literal: null }), 'title:a'],
  [field('title', '', { comparator: 'empty' }), '-title:*'],
  [field('title', '', { comparator: 'empty', negated: true }), 'title:*'],
  [bool('AND', field('title', 'a'), field('title', 'b', { negated: true })), 'title:a -title:b'],
  [bool('OR', field('title', 'a'), field('title', 'b', { negated: true })), 'title:a OR (-title:b)'],
  [bool('NOT', field('title', 'a'), field('title', 'b')), 'title:a -title:b'],
  [bool('NOT', field('title', 'a')), 'title:a'],
  [
    bool(
      'AND',
      bool('OR', field('title', 'a'), field('title', 'b')),
      bool('AND', field('notes', 'c', { negated: true }), field('notes', 'd', { negated: true })),
    ),
    '(title:a OR title:b) (-notes:c -notes:d)',
  ],
  [{ jsonmodel_type: 'boolean_field_query', field: 'published', value: false }, 'publish:false'],
  [{ jsonmodel_type: 'range_query', field: 'years', from: '1900' }, 'years:[1900 TO *]'],
  [date('equal', '2020-05', 'month'), 'create_time:[2020-05-01T00:00:00.000Z TO 2020-05-31T23:59:59.999Z]'],
  [date('greater_than', '2020', 'year'), 'create_time:[2021-01-01T00:00:00.000Z TO *]'],
  [
    { jsonmodel_type: 'date_field_query', field: 'create_time', comparator: 'greater_than', value: '2020-05-06' },
    'create_time:[2020-05-07T00:00:00.000Z TO *]',
  ],
  [
    {
      jsonmodel_type: 'date_field_query',
      field: 'create_time',
      comparator: 'greater_than',
      value: '2020-05-06T07:08:09+02:00',
    },
    'create_time:[2020-05-06T05:08:10.000Z TO *]',
  ],
  [date('greater_than', '2020-05-06T07:08:09Z', 'day'), 'create_time:[2020-05-07T07:08:09.000Z TO *]'],
  [date('lesser_than', '2020-05-06', 'day'), 'create_time:[* TO 2020-05-05T23:59:59.999Z]'],
])('reads %j', (query, printed) => {
  expect(read(query)).toBe(printed);
});

it('takes every value of a filter literally', () => {
  expect(read(field('subjects', 'a OR b*'), true)).toBe('subjects_text:"a OR b*"');
});

it.each<[JsonObject]>([
  [bool('AND')],
  [bool('XOR', field('title', 'a'), field('title', 'b'))],
  [{ jsonmodel_type: 'field_query' }],
  [field('title', 'a', { negated: 'true' })],
  [field('title', 'a', { literal: 1 })],
  [{ jsonmodel_type: 'boolean_query', op: 'AND', subqueries: [field('title', 'a'), 5] }],
  [{ jsonmodel_type: 'boolean_field_query', field: 'published', value: 'true' }],
  [{ jsonmodel_type: 'range_query', field: 'years', from: 1900 }],
  [date('about', '2020', 'year')],
])('refuses the shape of %j', (query) => {
  expect(() => read(query)).toThrow(expect.objectContaining({ code: 'bad_parameter' }));
});

it.each<[JsonObject]>([
  [field('title', 'a\0b')],
  [field('publish', 'a\0b')],
  [field('uri', '/agents/people/1\0*')],
  [field('id', '\0', { literal: true })],
  [{ jsonmodel_type: 'range_query', field: 'title', from: '\0' }],
  [{ jsonmodel_type: 'range_query', field: 'id', from: 'a', to: '\0' }],
])('refuses the character U+0000, which no statement can have, in %j', (query) => {
  expect(() => read(query)).toThrow(
    expect.objectContaining({ code: 'unsupported_query', message: 'The query has the character U+0000' }),
  );
});

it('names a day that there is not', () => {
  expect(() => read(date('equal', '2023-02-29', 'day'))).toThrow("'2023-02-29' is not a date");
});

it('refuses unknown fields and bottomless nesting', () => {
  expect(() => read(field('nonsense', 'a'))).toThrow(expect.objectContaining({ code: 'unsupported_query' }));
  let deep = field('title', 'a');
  for (let level = 0; level < 60; level += 1) {
    deep = bool('AND', deep);
  }
  expect(() => read(deep)).toThrow(expect.objectContaining({ code: 'unsupported_query' }));
});

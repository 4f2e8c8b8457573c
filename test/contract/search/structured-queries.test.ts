// Structured queries: every kind of node, as aq and as filter (contract: behaviour-search.md section 4).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Collection } from './collection.ts';
import { advanced, startCollection } from './collection.ts';

let c: Collection;
beforeAll(async () => {
  c = await startCollection();
});
afterAll(() => c[Symbol.asyncDispose]());

const among = { type: ['resource', 'archival_object'], filter_query: ['-title:abroad'], sort: 'title_sort asc' };
const found = (query: unknown): Promise<readonly string[]> => c.find({ ...among, aq: advanced(query) });
const field = (name: string, value: unknown, more: object = {}): object => ({
  jsonmodel_type: 'field_query',
  field: name,
  value,
  ...more,
});
const group = (op: string, ...subqueries: readonly object[]): object => ({
  jsonmodel_type: 'boolean_query',
  op,
  subqueries,
});
const day = (comparator: string, value: unknown, precision?: string, more: object = {}): object => ({
  jsonmodel_type: 'date_field_query',
  field: 'create_time',
  comparator,
  value,
  precision,
  ...more,
});
const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
const today = new Date().toISOString().slice(0, 10);
const ago = (hours: number): string =>
  `${new Date(Date.now() - hours * 3_600_000 + 5_400_000).toISOString().slice(0, 19)}+01:30`;
const everything = ['views', 'eire', 'letters', 'diary', 'papers'];

describe('nodes', () => {
  it.each<[string, object, readonly string[]]>([
    ['boolean_query AND', group('AND', field('title', 'harbor'), field('title', 'views')), ['views']],
    ['boolean_query OR', group('OR', field('title', 'views'), field('title', 'eire')), ['views', 'eire']],
    ['boolean_query NOT, between two', group('NOT', field('title', 'wallaby'), field('title', 'diary')), ['papers']],
    ['boolean_query NOT of one, between nothing', group('NOT', field('title', 'eire')), ['eire']],
    [
      'boolean_query, nested',
      group('AND', group('OR', field('title', 'views'), field('title', 'eire')), field('level', 'series')),
      ['eire'],
    ],
    [
      'boolean_query, only negations within a group',
      group(
        'AND',
        field('primary_type', 'resource'),
        group('AND', field('title', 'wallaby', { negated: true }), field('title', 'maps', { negated: true })),
      ),
      ['views'],
    ],
    ['field_query, plain, with live syntax', field('title', 'eire OR vie*'), ['views', 'eire']],
    ['field_query, plain, a range', field('years', '[1945 TO 1960]'), ['papers']],
    ['field_query, plain, a range of words', field('title', '[vie TO viex] OR {eir TO eirf}'), ['views', 'eire']],
    ['field_query, plain, a range of moments', field('create_time', '[2020-01-01T00:00:00Z TO NOW]'), everything],
    ['field_query, plain, a colon', field('title', 'harbor: views'), ['views']],
    ['field_query, literal', field('title', 'eire OR views', { literal: true }), []],
    ['field_query, literal phrase', field('title', 'harbor views', { literal: true }), ['views']],
    [
      'field_query, negated',
      group('AND', field('primary_type', 'archival_object'), field('title', 'diary', { negated: true })),
      ['letters'],
    ],
    ['field_query, contains', field('title', 'eire', { comparator: 'contains' }), ['eire']],
    [
      'field_query, equals, which clients send for contains',
      field('title', 'eire', { comparator: 'equals' }),
      ['eire'],
    ],
    [
      'field_query, empty',
      group('AND', field('primary_type', 'resource'), field('ead_id', undefined, { comparator: 'empty' })),
      ['views', 'eire'],
    ],
    ['field_query, not empty', field('ead_id', undefined, { comparator: 'empty', negated: true }), ['papers']],
    ['date_field_query greater_than', day('greater_than', '2020-01-01', 'day'), everything],
    ['date_field_query greater_than of this year', day('greater_than', today.slice(0, 4), 'year'), []],
    ['date_field_query lesser_than', day('lesser_than', tomorrow, 'day'), everything],
    ['date_field_query lesser_than, the past', day('lesser_than', '2020', 'year'), []],
    ['date_field_query equal, a year', day('equal', today.slice(0, 4), 'year'), everything],
    ['date_field_query equal, a month', day('equal', today.slice(0, 7), 'month'), everything],
    ['date_field_query equal, negated', day('equal', today.slice(0, 4), 'year', { negated: true }), []],
    [
      'date_field_query greater_than a moment with its offset',
      group('AND', field('title', 'eire'), day('greater_than', '2020-01-01T00:00:00+00:00')),
      ['eire'],
    ],
    ['date_field_query greater_than a moment hours ago', day('greater_than', ago(2)), everything],
    ['date_field_query lesser_than a moment hours ago', day('lesser_than', ago(2)), []],
    ['date_field_query empty', day('empty', undefined), []],
    ['date_field_query not empty', day('empty', undefined, undefined, { negated: true }), everything],
    ['boolean_field_query', { jsonmodel_type: 'boolean_field_query', field: 'published', value: false }, ['views']],
    [
      'boolean_field_query, true unless told',
      group('AND', { jsonmodel_type: 'boolean_field_query', field: 'published' }, field('primary_type', 'resource')),
      ['eire', 'papers'],
    ],
    [
      'boolean_field_query, negated',
      { jsonmodel_type: 'boolean_field_query', field: 'publish', value: true, negated: true },
      ['views'],
    ],
    ['range_query', { jsonmodel_type: 'range_query', field: 'years', from: '1945', to: '1960' }, ['papers']],
    ['range_query, open', { jsonmodel_type: 'range_query', field: 'years', from: '1951' }, ['eire']],
    ['range_query, open at both ends', { jsonmodel_type: 'range_query', field: 'years' }, ['views', 'eire', 'papers']],
    ['alias keyword', field('keyword', 'confidential'), ['papers']],
    ['alias identifier', field('identifier', 'MS-001'), ['papers']],
    ['alias identifier, in part', field('identifier', 'FA'), ['eire']],
    ['alias creators', field('creators', 'ada'), ['papers']],
    ['alias notes', field('notes', 'town'), ['papers']],
    ['alias subjects', field('subjects', 'marsupials'), ['papers']],
    ['alias subjects, any', field('subjects', '*'), ['papers']],
    [
      'alias subjects, empty',
      field('subjects', undefined, { comparator: 'empty' }),
      ['views', 'eire', 'letters', 'diary'],
    ],
    ['alias creators, not empty', field('creators', undefined, { comparator: 'empty', negated: true }), ['papers']],
    ['alias keyword, any', field('keyword', '*'), everything],
    ['alias created_by', field('created_by', 'admin'), everything],
    ['a field of the index', field('ead_id', 'ead.wallaby'), ['papers']],
    ['a uri as it is', field('resource', '/repositories/2/resources/1'), ['letters', 'diary']],
  ])('%s', async (_, query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  it('hides unpublished notes from the public in queries for notes', async () => {
    const aq = advanced(field('notes', 'confidential'));
    expect(await c.find({ ...among, aq })).toEqual(['papers']);
    expect(await c.find({ ...among, aq }, c.publicUser)).toEqual([]);
  });

  it('asks nothing without a query', async () => {
    expect(await c.find({ ...among, aq: advanced(undefined) })).toEqual(everything);
  });
});

describe('wrong shapes', () => {
  it.each<[unknown]>([
    [group('AND')],
    [{ jsonmodel_type: 'boolean_query', subqueries: [field('title', 'a')] }],
    [group('XOR', field('title', 'a'))],
    [{ jsonmodel_type: 'boolean_query', op: 'AND', subqueries: 'a' }],
    [{ jsonmodel_type: 'field_query', value: 'a' }],
    [field('title', undefined)],
    [field('title', '')],
    [field('title', 5)],
    [field('title', 'a', { comparator: 'near' })],
    [field('title', 'a', { negated: 'true' })],
    [field('title', 'a', { negated: 1 })],
    [field('title', 'a', { literal: 'true' })],
    [{ jsonmodel_type: 'boolean_query', op: 'AND', subqueries: [field('title', 'a'), 5] }],
    [{ jsonmodel_type: 'boolean_query', op: 'OR', subqueries: [field('title', 'a'), null] }],
    [{ jsonmodel_type: 'boolean_field_query', field: 'published', value: 'yes' }],
    [{ jsonmodel_type: 'boolean_field_query', field: 'published', value: true, negated: 'false' }],
    [{ jsonmodel_type: 'range_query', field: 'years', from: 1900 }],
    [{ jsonmodel_type: 'range_query', field: 'years', to: ['1950'] }],
    [{ jsonmodel_type: 'range_query', field: 'years', from: '1900', negated: 0 }],
    [day('equal', '2020', 'year', { negated: 'yes' })],
    [day('about', '2020', 'year')],
    [day('equal', undefined, 'year')],
    [day('equal', '2020', 'decade')],
    [{ jsonmodel_type: 'other_query' }],
    ['text'],
  ])('%j is a 400 that names the parameter', async (query) => {
    for (const parameter of ['aq', 'filter']) {
      const { status, json } = await c.search({ [parameter]: advanced(query) });
      expect([status, json]).toEqual([400, { error: { [parameter]: [expect.any(String)] } }]);
    }
  });
});

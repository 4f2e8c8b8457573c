// Queries of every kind of syntax, and what becomes of each as a whole: the query as it was understood, what was wrong with it, the predicate and
// the scores. Read beside the contract (behaviour-search.md sections 3 and 4) before they were kept; single points have tests of their own.
import { it } from 'vitest';
import { Failure } from '#domain/errors.ts';
import { printQuery } from '#domain/search/query/ast.ts';
import { compileFilter, compileQuery } from '#domain/search/query/compile.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import { expectKept, keptText } from '#test/support/kept.ts';

const now = Date.UTC(2026, 0, 15, 12, 34, 56);

const texts = {
  terms: ['harbour', 'Häfen Straße', 'MS-001.2', "engineer's", 'R&D', '3/4', '漁港 records', 'e-mail@example.org', ''],
  phrases: [
    '"harbour board"',
    '"the harbour"',
    '"MS 20"',
    '"a b c"~1',
    '"harbour board"~5',
    '"',
    '""',
    'title:"harbour board"',
  ],
  booleans: [
    'a AND b',
    'a OR b',
    'a && b || c',
    'a NOT b',
    '-a',
    '+a b',
    '!a',
    'NOT a',
    'a and b',
    'a OR b AND c',
    'OR',
    'a AND',
    'AND b',
    '- a',
  ],
  groups: ['(a OR b) c', 'title:(a b)', '((a', 'a)', '()', 'title:(a OR subjects:b)', '(a b)^2'],
  fields: [
    'title:maps',
    'foo:bar',
    'primary_type:resource',
    'publish:TRUE',
    'identifier:MS-3',
    'title:',
    'resource:"/repositories/2/resources/1"',
    'level:*',
    '*:*',
    'notes:tide',
    'creators_text:rae',
    'published:false',
  ],
  wildcards: ['map*', 'm?p', '*logy', '*', '?', 'title:har*r', 'primary_type:res*', 'uri:"/repositories/2"*', 'ma*p?'],
  fuzzy: ['harbor~', 'harbor~1', 'harbor~2', 'ab~', 'harbor~0', 'title:tide~1'],
  ranges: [
    'years:[1868 TO 1871]',
    'years:{1868 TO 1871}',
    'years:[1868 TO *]',
    'create_time:[2024-01 TO 2024-02}',
    'create_time:{NOW-7DAY TO *]',
    'title:[a TO b]',
    'level:[a TO f}',
    'years:[x TO y]',
    'create_time:2024-05',
    'assessment_id:[2 TO 10]',
    'identifier:[a TO b]',
    'uri:["/a" TO "/b"]',
  ],
  boosts: ['title:maps^4', 'a^0.5 b', 'a^', '"a b"^3', 'a^=1'],
  expressions: ['/ha.*r/', 'title:/t[a-f]de/', '/(/', '/repositories/2/resources/1', '"/repositories/2/resources/1"'],
  escapes: ['a\\:b', '\\(a\\)', 'AT\\&T', '\\*', 'a\\', 'title:a\\ b'],
} as const;

/** What becomes of a search that is asked: a query understood, or the words of a refusal. */
function outcomeOf(parameters: Partial<SearchParameters>): unknown {
  try {
    const {
      query,
      filters,
      warnings,
      page,
      now: _now,
      ...rest
    } = buildSearchRequest({ page: 1, ...parameters }, { now });
    const compiled =
      query === undefined
        ? 'everything'
        : compileQuery(query, { now, ...(rest.stem === undefined ? {} : { stem: rest.stem }) });
    return {
      query: query === undefined ? null : printQuery(query),
      warnings,
      ...(typeof compiled === 'string' ? {} : compiled),
      ...(filters.length === 0
        ? {}
        : { filters: filters.map((filter) => [printQuery(filter), compileFilter(filter, { now })]) }),
      ...(Object.keys(parameters).some((name) => name !== 'q' && name !== 'aq') ? { page, ...rest } : {}),
    };
  } catch (error) {
    if (error instanceof Failure) return { refused: error.code, error: error.error };
    throw error;
  }
}

it.each(Object.entries(texts))('understands %s', async (name, queries) => {
  const outcomes = Object.fromEntries(queries.map((q) => [q, outcomeOf({ q })]));
  await expectKept(keptText(outcomes, 4), `queries/${name}.json`);
});

const field = (name: string, value: string, more: object = {}): object => ({
  jsonmodel_type: 'field_query',
  field: name,
  value,
  ...more,
});
const date = (comparator: string, value: string, more: object = {}): object => ({
  jsonmodel_type: 'date_field_query',
  field: 'create_time',
  comparator,
  value,
  ...more,
});
const both = (op: string, ...subqueries: readonly object[]): object => ({
  jsonmodel_type: 'boolean_query',
  op,
  subqueries,
});

/** Structured queries by what they are about. */
const structured: { readonly [name: string]: object | string } = {
  'words of all fields': field('keyword', 'harbour board'),
  'words of a title, with a colon': field('title', 'a: b*'),
  'a literal': field('title', 'a "b" (c)', { literal: true }),
  'a negated field': field('creators', 'Stroud', { negated: true }),
  'subjects by word': field('subjects', 'peace OR war'),
  'a uri': field('resource', '/repositories/2/resources/1'),
  'no value': field('title', ''),
  'an empty field': field('notes', '', { comparator: 'empty' }),
  'no empty field': field('notes', '', { comparator: 'empty', negated: true }),
  equals: field('title', 'a', { comparator: 'equals' }),
  'another comparator': field('title', 'a', { comparator: 'like' }),
  'an unknown field': field('foo', 'a'),
  'no field': { jsonmodel_type: 'field_query', value: 'a' },
  published: { jsonmodel_type: 'boolean_field_query', field: 'published', value: false },
  'a truth value left out': { jsonmodel_type: 'boolean_field_query', field: 'suppressed' },
  'a truth value as text': { jsonmodel_type: 'boolean_field_query', field: 'suppressed', value: 'true' },
  'on a day': date('equal', '2024-05-06', { precision: 'day' }),
  'in a month': date('equal', '2024-05', { precision: 'month' }),
  'in a year': date('equal', '2024', { precision: 'year' }),
  'after a day': date('greater_than', '2024-05-06', { precision: 'day' }),
  'after a year': date('greater_than', '2024', { precision: 'year' }),
  'before a day': date('lesser_than', '2024-05-06', { precision: 'day' }),
  'at a moment': date('equal', '2024-05-06T07:08:09Z'),
  'without a time': date('empty', ''),
  'with a time': date('empty', '', { negated: true }),
  'another precision': date('equal', '2024', { precision: 'week' }),
  'another comparison': date('about', '2024'),
  'no date': date('equal', 'soon', { precision: 'day' }),
  'a range': { jsonmodel_type: 'range_query', field: 'years', from: '1868', to: '1871' },
  'a range without an end': { jsonmodel_type: 'range_query', field: 'create_time', from: '2024-01-01T00:00:00Z' },
  'a range of all': { jsonmodel_type: 'range_query', field: 'level', to: '*', negated: true },
  'all of several': both('AND', field('title', 'a'), field('title', 'b', { negated: true })),
  'any of several': both('OR', field('title', 'a'), field('title', 'b', { negated: true })),
  'one without others': both('NOT', field('title', 'a'), field('title', 'b'), field('title', 'c', { negated: true })),
  'one alone': both('NOT', field('title', 'a')),
  nested: both(
    'AND',
    both('OR', field('title', 'a'), field('notes', 'b')),
    both('NOT', field('keyword', 'c'), field('keyword', 'd')),
  ),
  'only what is not': both('AND', field('title', 'a', { negated: true }), field('title', 'b', { negated: true })),
  none: both('AND'),
  'another operator': both('XOR', field('title', 'a')),
  'another kind': { jsonmodel_type: 'odd_query' },
};

it('understands structured queries, as a query and as a filter', async () => {
  const outcomes = Object.entries(structured).map(([name, query]) => {
    const text = JSON.stringify({ jsonmodel_type: 'advanced_query', query });
    return [name, { query: outcomeOf({ aq: text }), filter: outcomeOf({ filter: text }) }];
  });
  await expectKept(keptText(Object.fromEntries(outcomes), 4), 'queries/structured.json');
});

/** Everything else that a search is asked with. */
const parameters: { readonly [name: string]: Partial<SearchParameters> } = {
  nothing: {},
  'the first page of the default': { page: 1, page_size: 10 },
  'more than a page': { page: 2, page_size: 251 },
  'page 0': { page: 0 },
  'half a page': { page: 1.5 },
  'a page of none': { page_size: 0 },
  types: { type: ['resource', 'agent'] },
  'an order': { sort: 'title asc, create_time desc ,score desc' },
  'an order without a direction': { sort: 'title' },
  'an order by an unknown field': { sort: 'foo asc' },
  'an order by several values': { sort: 'subjects asc' },
  facets: { facet: ['subjects', 'level', 'publish', 'published', ''], facet_mincount: 1 },
  'facets of words': { facet: ['title'] },
  'facets of moments': { facet: ['create_time'] },
  'facets of addresses': { facet: ['uri'] },
  filters: {
    filter_query: ['title:a', 'level:(file OR series)', '"'],
    filter_term: ['{"level":"file","publish":true,"years":1868}', ''],
  },
  'a term that is no JSON': { filter_term: ['level:file'] },
  'a term of an unknown field': { filter_term: ['{"foo":"a"}'] },
  'a term that is a list': { filter_term: ['{"level":["a"]}'] },
  'a root': { root_record: '/repositories/2/resources/1' },
  'what is left out': { exclude: ['/a', '/b'] },
  fields: { fields: ['id', '', 'title'] },
  'highlights and explanations': { q: 'a', hl: true, explain: true, relax: true, did_you_mean: true },
  'forms of a language': { q: 'harbours', stem: 'en' },
  'an unknown language': { q: 'a', stem: 'klingon' },
  'a query in both ways': { q: 'a', aq: '{"jsonmodel_type":"advanced_query"}' },
  'a structured query that holds none': { aq: '{"jsonmodel_type":"advanced_query"}' },
  'a structured query that is no object': { aq: '[]' },
};

it('reads the other parameters, or refuses them', async () => {
  const outcomes = Object.fromEntries(Object.entries(parameters).map(([name, each]) => [name, outcomeOf(each)]));
  await expectKept(keptText(outcomes, 3), 'queries/parameters.json');
});

// Search parameters, and the 400s for what they get wrong.
import { expect, it } from 'vitest';
import { printQuery } from '#domain/search/query/ast.ts';
import { buildSearchRequest, inRepository } from '#domain/search/query/request.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';

const build = (parameters: Partial<SearchParameters>) => buildSearchRequest({ page: 1, ...parameters }, { now: 0 });

it('takes ten rows unless told, and 250 at most', () => {
  expect([build({}).pageSize, build({ page_size: 1000 }).pageSize]).toEqual([10, 250]);
});

it('lets q win over aq, and reads match-all as no query', () => {
  const aq = JSON.stringify({ query: { jsonmodel_type: 'field_query', field: 'title', value: 'b' } });
  expect(printQuery(build({ q: 'a', aq }).query ?? { kind: 'all' })).toBe('a');
  expect(printQuery(build({ aq }).query ?? { kind: 'all' })).toBe('title:b');
  expect([build({}).query, build({ q: '*:*' }).query, build({ aq: '{}' }).query]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('warns of a query that it searches as plain words', () => {
  expect(build({ q: 'maps (old' }).warnings).toMatchObject([{ column: 6 }]);
});

it('reads several sort keys', () => {
  expect(
    build({ sort: 'title_sort asc, score DESC' }).sort.map(({ field, isDescending }) => [
      field === 'score' ? field : field.name,
      isDescending,
    ]),
  ).toEqual([
    ['title_sort', false],
    ['score', true],
  ]);
});

it('keeps to a root record and to a repository', () => {
  expect(build({ root_record: '/repositories/2/resources/1' }).filters.map(printQuery)).toEqual([
    'resource:"/repositories/2/resources/1" OR digital_object:"/repositories/2/resources/1"',
  ]);
  expect(printQuery(inRepository('/repositories/2'))).toBe('repository:\\/repositories/2 OR repository:global');
});

it.each<[Partial<SearchParameters>, string]>([
  [{ page: 0 }, 'page'],
  [{ page_size: 0 }, 'page_size'],
  [{ sort: 'title_sort' }, 'sort'],
  [{ sort: 'nonsense asc' }, 'sort'],
  [{ sort: 'subjects asc' }, 'sort'],
  [{ facet: ['nonsense'] }, 'facet'],
  [{ facet: ['notes'] }, 'facet'],
  [{ aq: '[]' }, 'aq'],
  [{ filter: '{"query":{"jsonmodel_type":"other"}}' }, 'filter'],
])('refuses %j and names the parameter', (parameters, name) => {
  expect(() => build(parameters)).toThrow(
    expect.objectContaining({ code: 'bad_parameter', error: { [name]: [expect.any(String)] } }),
  );
});

it('refuses JSON that is none', () => {
  expect(() => build({ aq: '{' })).toThrow(
    expect.objectContaining({
      code: 'malformed_body',
      error: expect.stringContaining('Had some trouble parsing your request: '),
    }),
  );
});

it('filters by the exact values of filter_term, all of them', () => {
  expect(
    build({
      filter_term: ['{"collection_uri_u_sstr":"/repositories/2/resources/1","level":"file"}', '{"publish":true}'],
    }).filters.map(printQuery),
  ).toEqual(['collection_uri_u_sstr:"/repositories/2/resources/1"', 'level:"file"', 'publish:"true"']);
});

it('passes over an empty filter_term, which forms send for a filter that nobody set', () => {
  expect(build({ filter_term: ['', '{"level":"file"}'] }).filters.map(printQuery)).toEqual(['level:"file"']);
  expect(build({ filter_term: [''] }).filters).toEqual([]);
});

it('passes over an empty filter and empty facets in the same way', () => {
  expect(build({ filter: '' }).filters).toEqual([]);
  expect(build({ facet: ['', 'level'] }).facets.map(({ name }) => name)).toEqual(['level']);
  expect(() => build({ filter: ' ' })).toThrow();
});

it('answers all fields where an empty one is asked for', () => {
  expect(build({ fields: [''] })).not.toHaveProperty('fields');
  expect(build({ fields: ['', 'title'] }).fields).toEqual(['title']);
});

it.each(['{', '[]', '{"nonsense":"x"}', '{"level":null}'])('refuses %s as filter_term', (text) => {
  expect(() => build({ filter_term: [text] })).toThrow(
    expect.objectContaining({ code: 'bad_parameter', error: { filter_term: [expect.any(String)] } }),
  );
});

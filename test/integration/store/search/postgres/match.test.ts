// What a search asks, as one predicate.
import { expect, it } from 'vitest';
import { leavesOf } from '#domain/search/query/predicate.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import { compile, toFilters } from '#store/search/postgres/match.ts';

const request = (parameters: Partial<SearchParameters>) => buildSearchRequest({ page: 1, ...parameters }, { now: 0 });
const everybody = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: true } as const;

it('filters by types and excluded ids beside the query', () => {
  const asked = request({ q: 'harbor', type: ['resource', 'accession'], exclude: ['/subjects/1'] });
  expect(JSON.stringify(toFilters(asked))).toMatch(/x=types=resource.*x=types=accession.*\/subjects\/1/);
  expect(toFilters(request({ q: 'harbor' }))).toEqual([]);
});

it('asks for public copies where the public asks', () => {
  const asked = request({ type: ['pui'] });
  const texts = (mayNotSeeUnpublished: boolean): string =>
    JSON.stringify(leavesOf(compile(asked, { ...everybody, mayNotSeeUnpublished }).predicate));
  expect(texts(true)).toContain('p=shared');
  expect(texts(false)).not.toContain('p=shared');
});

// What Typesense cannot answer is told before anything is sent.
import { describe, expect, it } from 'vitest';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import type { SearchParameters, SearchRequest } from '#domain/search/query/request.ts';
import { refuseInexpressible } from '#store/search/typesense/unsupported.ts';

const request = (parameters: Partial<SearchParameters>): SearchRequest =>
  buildSearchRequest({ page: 1, ...parameters }, { now: 0 });
const refusedIn = (asked: SearchRequest): unknown => {
  try {
    refuseInexpressible(asked);
    return [];
  } catch (error) {
    return error instanceof Error && 'extra' in error ? error.extra : error;
  }
};

describe('a request', () => {
  it('names all its parts that cannot be answered, each once', () => {
    const asked = request({
      q: '"a b"~2 (c OR title:"d e"~3^2) "a b"~2',
      filter_query: ['"f g"~1'],
      sort: 'title_sort asc, create_time asc, user_mtime asc, uri asc',
    });
    expect(refusedIn(asked)).toEqual({
      unsupported: [
        '"a b"~2 (proximity)',
        'title:"d e"~3^2 (boost)',
        'title:"d e"~3 (proximity)',
        '"f g"~1 (proximity)',
        'sort by more than 3 fields',
      ],
    });
  });

  it.each([
    '"one"~5',
    'a^1',
    'NOT a^3',
    'map*',
    'h?rb~1',
    '*:*',
    'title:*',
    'years:[1 TO 2]',
    'title_sort:[* TO *]',
    'identifier:MC*',
  ])('passes with %s', (q) => {
    expect(refusedIn(request({ q }))).toEqual([]);
  });

  it('names whole titles, which are sort keys', () => {
    expect(refusedIn(request({ q: 'title_sort:"a b" title_sort:c title_sort:d*' }))).toEqual({
      unsupported: ['title_sort:"a b" (sort key)', 'title_sort:c (sort key)', 'title_sort:d* (sort key)'],
    });
  });

  it('is refused with a part that this adapter does not know, unless it is off', () => {
    expect(refusedIn({ ...request({ q: 'a' }), ...{ somethingNew: { after: 1 } } })).toEqual({
      unsupported: ['somethingNew'],
    });
    expect(refusedIn({ ...request({ q: 'a' }), ...{ somethingNew: false } })).toEqual([]);
  });
});

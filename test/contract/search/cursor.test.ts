// Walking through what a search finds by `cursor`, an addition of Muniment (docs/guides/search.md), over HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Collection } from './collection.ts';
import { toQuery } from '#test/support/search-query.ts';
import { startCollection } from './collection.ts';

let c: Collection;
beforeAll(async () => {
  c = await startCollection();
});
afterAll(() => c[Symbol.asyncDispose]());

/** The titles of each page of a walk. */
async function walk(path: string, parameters: object, session?: string): Promise<readonly (readonly string[])[]> {
  const pages: string[][] = [];
  for (let cursor: string | null = '*'; cursor !== null;) {
    const { page: _page, ...rest } = Object.fromEntries(new URLSearchParams(toQuery({ ...parameters, cursor })));
    const { status, json } = await c.api.ask(path, {
      form: new URLSearchParams(rest),
      ...(session === undefined ? {} : { session }),
    });
    if (status !== 200) throw new Error(JSON.stringify(json));
    pages.push(json.results.map((row: { readonly title: string }) => row.title));
    cursor = json.next_cursor;
  }
  return pages;
}

describe('cursor', () => {
  it('takes the place of page, and says null behind the last', async () => {
    const { json } = await c.api.get('/search?cursor=*&page_size=2&type[]=resource&fields[]=title');
    expect(Object.keys(json)).toEqual(['page_size', 'total_hits', 'results', 'facets', 'next_cursor']);
    expect([json.total_hits, json.results.length, typeof json.next_cursor]).toEqual([4, 2, 'string']);
    const next = (await c.api.get(`/search?cursor=${json.next_cursor}&page_size=3&type[]=resource`)).json;
    expect([next.total_hits, next.results.length, next.next_cursor]).toEqual([4, 2, null]);
    expect((await c.api.get('/search?cursor=*&q=nothingatall')).json).toMatchObject({
      total_hits: 0,
      results: [],
      next_cursor: null,
    });
  });

  it('goes with sort and with every route that has pages', async () => {
    expect(await walk('/search', { page_size: 3, type: ['resource'], sort: 'title_sort desc' })).toEqual([
      ['Wallaby <emph>papers</emph>', 'Wallaby abroad', 'Maps of Éire'],
      ['Harbor views'],
    ]);
    expect(
      await walk(
        `/repositories/${c.repo}/search`,
        { page_size: 1, q: 'title:wallaby', sort: 'title_sort asc', 'type[]': 'resource' },
        c.viewer,
      ),
    ).toEqual([['Wallaby <emph>papers</emph>']]);
    expect(await walk('/search/repositories', { page_size: 1, sort: 'repo_sort asc' }, c.publicUser)).toEqual([
      ['HOME'],
    ]);
  });

  it('goes on with dates that are told from now, in a structured query as in q', async () => {
    const since = { jsonmodel_type: 'date_field_query', field: 'create_time', precision: 'day' };
    const query = { ...since, comparator: 'greater_than', value: 'NOW-1YEAR' };
    const text = JSON.stringify({ jsonmodel_type: 'advanced_query', query });
    const pages = [['Wallaby <emph>papers</emph>', 'Wallaby abroad', 'Maps of Éire'], ['Harbor views']];
    const walked = { page_size: 3, type: ['resource'], sort: 'title_sort desc' };
    for (const asked of [{ aq: text }, { filter: text }, { q: 'create_time:[NOW-1YEAR TO NOW]' }])
      expect(await walk('/search', { ...walked, ...asked })).toEqual(pages);
  });

  it.each<[string, object]>([
    ['cursor=*&page=1', { cursor: ['Cannot be combined with page'] }],
    ['cursor=*&dt=csv', { cursor: ['Cannot be combined with dt=csv'] }],
    ['cursor=*&sort=score%20desc', { sort: ['A cursor goes with an order by fields, not by score'] }],
    [
      'cursor=x',
      { cursor: ["Not a cursor of this search. Begin with '*', and change nothing but the cursor from page to page"] },
    ],
  ])('refuses %s', async (text, error) => {
    const { status, json } = await c.api.get(`/search?${text}`);
    expect([status, json]).toEqual([400, { error }]);
  });

  it('is not taken from one search to another, and shows nobody more than a search does', async () => {
    const { next_cursor: next } = (await c.api.get('/search?cursor=*&page_size=1&q=wallaby')).json;
    expect((await c.api.get(`/search?cursor=${next}&q=harbor`)).status).toBe(400);
    const seen = (await c.api.get(`/search?cursor=${next}&page_size=50&q=wallaby`, c.publicUser)).json.results;
    expect(seen.every((row: { readonly publish: boolean }) => row.publish)).toBe(true);
  });
});

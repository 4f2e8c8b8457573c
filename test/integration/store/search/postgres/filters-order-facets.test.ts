// What of all that is found a page shows: filtered, in which order, with which counts and marks.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { objectsOf } from '#domain/json.ts';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { findField, findSortField } from '#domain/search/fields.ts';
import { buildSearchRequest, inRepository } from '#domain/search/query/request.ts';
import type { Reader } from '#store/connection/database.ts';
import { sql, toStatement } from '#store/connection/sql.ts';
import type { Visibility } from '#store/search/port.ts';
import { readBodies, readBoundedPage } from '#store/search/postgres/query.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { readSortedPage } from '#store/search/postgres/sorted-page.ts';
import { createSeenValues } from '#store/search/postgres/seen-values.ts';
import { nothingHidden } from '#test/support/index-contents.ts';
import { indexDocuments, removeDocuments } from '#test/support/index-documents.ts';
import { resource } from '#test/support/make/record-replies.ts';
import { AnyRow, PlanRow } from '#test/support/rows.ts';
import { indexRecords, now, staff } from '#test/support/searched-documents.ts';

const { database, find, idsOf } = await indexRecords();

describe('filters, order and facets', () => {
  it('puts an identifier typed as the query first', async () => {
    const [first] = await idsOf({ q: 'B2' });
    expect(first).toBe('3/resources/6');
  });

  it('ranks a title above a note and a collection above its parts', async () => {
    expect(await idsOf({ q: 'zinn' })).toEqual(['2/resources/1', '/agents/people/1']);
  });

  it('sorts numbers in titles as numbers', async () => {
    expect(await idsOf({ q: 'box', sort: 'title_sort asc' })).toEqual(['3/resources/6', '3/resources/5']);
    expect(await idsOf({ q: 'box', sort: 'title_sort desc' })).toEqual(['3/resources/5', '3/resources/6']);
  });

  it('puts what is equally relevant in the order of the fields behind the score, over all pages', async () => {
    const ids = async (sort: string): Promise<readonly unknown[]> => {
      const pages = [1, 2, 3].map((page) => idsOf({ q: 'fullrecord:letter', sort, page, page_size: 100 }));
      return (await Promise.all(pages)).flat();
    };
    // Those without a note are shorter, and else all letters are as relevant as each other.
    const numbers = Array.from({ length: 150 }, (_, at) => 100 + 2 * at);
    const [noted, bare] = [numbers, numbers.map((number) => number + 1)];
    const named = (all: readonly number[]): readonly string[] => all.map((id) => `2/archival_objects/${id}`);
    expect(await ids('score desc, title_sort asc')).toEqual(named([...bare, ...noted]));
    expect(await ids('score desc, title_sort desc')).toEqual(named([...bare.toReversed(), ...noted.toReversed()]));
    expect(await ids('score desc, level desc, title_sort desc')).toEqual(
      named(
        [bare, noted].flatMap((all) =>
          [1, 0].flatMap((isItem) =>
            all.toReversed().filter((number) => ((number - 100) % 3 === 0 ? 1 : 0) === isItem),
          ),
        ),
      ),
    );
  });

  it('does so where some documents alone are looked at', async () => {
    const byTitle = findSortField('title_sort');
    if (byTitle === undefined) throw new Error('titles are sorted by');
    const scores = { head: sql.fragment`1::float8`, inTitle: null, key: undefined };
    for (const isDescending of [false, true]) {
      const { page } = await readBoundedPage(
        database.reader,
        { condition: sql.fragment`d.uri LIKE '/repositories/3/resources/%'`, visibleWords: sql.fragment`true` },
        scores,
        { offset: 0, size: 10 },
        [{ field: byTitle, isDescending }],
      );
      const titles = (await readBodies(database.reader, page)).map(({ stored }) => JSON.parse(stored).title as string);
      const wanted = ['Box 2', 'Box 10', 'Hidden harbor', '東京大学 photographs'];
      expect(titles).toEqual(isDescending ? wanted.toReversed() : wanted);
    }
  });

  it('keeps documents without the value last in both directions', async () => {
    const params = { q: 'zinn OR rabbit', page_size: 50 };
    expect((await idsOf({ ...params, sort: 'identifier asc' })).at(-1)).toBe('/agents/people/1');
    expect((await idsOf({ ...params, sort: 'identifier desc' })).at(-1)).toBe('/agents/people/1');
  });

  it('gives every match exactly once over all pages, by relevance too', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => idsOf({ q: 'letter', page, page_size: 100 })));
    const ids = pages.flat();
    expect(ids).toHaveLength(300);
    expect(new Set(ids).size).toBe(300);
  });

  it('counts values, most frequent first, and zero values only when asked', async () => {
    const counted = await find({ q: 'letter', facet: ['level', 'primary_type'], facet_mincount: 1, page_size: 1 });
    expect(counted['facets']).toMatchObject({
      facet_fields: { level: ['file', 200, 'item', 100], primary_type: ['archival_object', 300] },
    });
    const all = await find({ q: 'letter', facet: ['primary_type'], page_size: 1 });
    expect(all['facets']).toMatchObject({
      facet_fields: { primary_type: ['archival_object', 300, 'agent_person', 0, 'resource', 0] },
    });
  });

  it('counts a facet that is asked for twice once, and gives each the values of its own field', async () => {
    const asked = { q: 'letter', page_size: 1 };
    const once = await find({ ...asked, facet: ['primary_type', 'level'] });
    expect((await find({ ...asked, facet: ['primary_type', 'primary_type', 'level'] }))['facets']).toEqual(
      once['facets'],
    );
    expect((await find({ ...asked, facet: ['published', 'publish', 'level'] }))['facets']).toEqual(
      (await find({ ...asked, facet: ['publish', 'level'] }))['facets'],
    );
  });

  it('names no value of hidden records with a count of 0, and forgets within a minute what it has seen', async () => {
    let now = 0;
    const seen = createSeenValues(() => now);
    const level = findField('level');
    if (level === undefined) throw new Error('no field level');
    const valuesSeen = (visibility: Visibility): Promise<readonly string[]> =>
      seen.first(database.reader, level, { visibility, hidden: nothingHidden }, []);
    const before = await valuesSeen(staff);
    await indexDocuments(
      database,
      toSearchDocuments(...resource(91, { id_0: 'R91', title: 'Bilby', level: 'series', suppressed: true })),
      8,
    );
    await indexDocuments(
      database,
      toSearchDocuments(...resource(92, { id_0: 'R92', title: 'Potoroo', level: 'fonds' })),
      8,
    );
    expect(await valuesSeen(staff)).toEqual(before);
    expect(await valuesSeen({ ...staff, seesSuppressed: true })).toEqual([...before, 'fonds', 'series'].sort());
    now = 60_000;
    expect(await valuesSeen(staff)).toEqual([...before, 'fonds'].sort());
    expect((await find({ q: 'letter', facet: ['level'], page_size: 1 }))['facets']).toMatchObject({
      facet_fields: {
        level: [
          'file',
          200,
          'item',
          100,
          ...[...before, 'fonds']
            .filter((value) => value !== 'file' && value !== 'item')
            .sort()
            .flatMap((value) => [value, 0]),
        ],
      },
    });
    await removeDocuments(database, ['/repositories/2/resources/91', '/repositories/2/resources/92']);
  });

  it('orders few matches and many alike', async () => {
    await database.reader.any(sql.type(AnyRow)`ANALYZE search_doc`);
    const titles = async (q: string): Promise<readonly unknown[]> =>
      objectsOf(await find({ q, sort: 'title_sort desc', page_size: 50 }), 'results').map((hit) => hit['title']);
    const [many, few] = [await titles('letter'), await titles('"letter 77" OR "letter 9" OR "letter 250"')];
    expect(many).toHaveLength(50);
    expect(few).toEqual(['Letter 250', 'Letter 77', 'Letter 9']);
    expect(many).toEqual(Array.from({ length: 50 }, (_, index) => `Letter ${299 - index}`));
  });

  it('filters by type, filter_query, filter, exclude and root_record', async () => {
    expect(await idsOf({ type: ['agent'] })).toEqual(['/agents/people/1']);
    expect(await idsOf({ q: 'harbor', filter_query: ['title:old'] })).toEqual(['2/resources/3']);
    const filter = JSON.stringify({ query: { jsonmodel_type: 'field_query', field: 'level', value: 'item' } });
    expect((await find({ q: 'letter', filter }))['total_hits']).toBe(100);
    expect(await idsOf({ q: 'harbor', exclude: ['/repositories/2/resources/2'] })).toEqual(['2/resources/3']);
    expect((await find({ root_record: '/repositories/2/resources/1' }))['total_hits']).toBe(302);
  });

  it('keeps to a repository and the global records', async () => {
    const request = buildSearchRequest({ page: 1, q: 'box OR zinn' }, { now });
    const page = await postgresSearch(database).search(
      { ...request, filters: [inRepository('/repositories/3')] },
      staff,
    );
    expect(page.hits.map(({ id }) => id).sort()).toEqual([
      '/agents/people/1',
      '/repositories/3/resources/5',
      '/repositories/3/resources/6',
    ]);
  });

  it('marks the words found', async () => {
    const found = await find({ q: 'disarm*', hl: true });
    expect(found['highlighting']).toMatchObject({
      '/repositories/2/resources/1': { notes: ['Letters about <span class="searchterm">disarmament</span>'] },
    });
  });

  it('fetches long titles once for a deep page that is sorted by them', async () => {
    // Of their own letters, so that they are stored elsewhere and are not made short.
    const titles = Array.from({ length: 400 }, (_, index) =>
      [0, 1, 2, 3, 4].map((part) => createHash('sha512').update(`${index} ${part}`).digest('base64')).join(''),
    );
    const made = titles.map((title, index) => resource(5000 + index, { title, id_0: `L${index}` }));
    await indexDocuments(
      database,
      made.flatMap(([kind, record]) => toSearchDocuments(kind, record)),
      1,
    );
    const fetched: number[] = [];
    await database.transaction(async (tx) => {
      const one: Reader['one'] = async (query) => {
        const statement = `EXPLAIN (ANALYZE, BUFFERS, TIMING off, SUMMARY off) ${toStatement(query)}`;
        const [first, buffers] = await tx.any({ sql: statement, values: query.values, parser: PlanRow });
        if (first?.['QUERY PLAN'].startsWith('Result') === true) fetched.push(hitsIn(buffers?.['QUERY PLAN']));
        return tx.one(query);
      };
      const [ordered] = buildSearchRequest({ page: 1, sort: 'title_sort asc' }, { now }).sort;
      const condition = sql.fragment`d.record_id >= 5000`;
      const { page } = await readSortedPage(
        { ...tx, one },
        condition,
        ordered === undefined ? [] : [ordered],
        sql.fragment`0`,
        { offset: 300, size: 100 },
      );
      expect(page).toHaveLength(100);
    });
    await removeDocuments(
      database,
      titles.map((_, index) => `/repositories/2/resources/${5000 + index}`),
    );
    // Each title is in four blocks or so; sorting looks at each some ten times.
    expect(Math.max(...fetched)).toBeLessThan(400 * 8);
  });
});

const hitsIn = (line = ''): number => Number(/shared hit=(\d+)/.exec(line)?.[1] ?? Infinity);

// Searches that go on with most of their words: what is found and in which order, what the reply tells, and that it tells nothing of what is hidden.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import { toSearchPage } from '#domain/search/reply/page.ts';
import type { JsonObject } from '#domain/json.ts';
import { Database } from '#store/connection/database.ts';
import type { Visibility } from '#store/search/port.ts';
import { every, word } from '#domain/search/query/tsquery.ts';
import type { LexemeQuery } from '#domain/search/query/tsquery.ts';
import { sql } from '#store/connection/sql.ts';
import { compileRelaxed } from '#store/search/postgres/relax.ts';
import type { Relaxed } from '#store/search/postgres/relax.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';
import { indexDocuments } from '#test/support/index-documents.ts';

const staff: Visibility = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false };
const publicUser: Visibility = { ...staff, mayNotSeeUnpublished: true };

let server: TestDatabase;
let database: Database;

const titles: readonly (readonly [title: string, isPublished: boolean, note?: string])[] = [
  ['Kearse, Lee Andrew', true],
  ['Miami minutes', true],
  ['Frühstück bei Müller', true],
  ['Cape Verde press clippings', true],
  ['Public access', true],
  [
    'Papers of a family',
    true,
    'The public of the town had no access to them, and public access came late. Access was public.',
  ],
  ['Quokka reports', false],
  ['Wombat lists', true],
  ['RG 13-A', true],
  ['Organ', true],
  ['Organization', true],
];

beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 3 });
  const records = titles.map(([title, publish, note], n): JsonObject => ({
    uri: `/repositories/2/resources/${n + 1}`,
    repository: { ref: '/repositories/2' },
    jsonmodel_type: 'resource',
    publish,
    title,
    ...(title === 'RG 13-A' ? { id_0: 'RG13A' } : {}),
    level: 'collection',
    notes:
      note === undefined
        ? []
        : [{ jsonmodel_type: 'note_singlepart', type: 'abstract', publish: true, content: [note] }],
    create_time: '2026-01-01T00:00:00Z',
    system_mtime: '2026-01-01T00:00:00Z',
    user_mtime: '2026-01-01T00:00:00Z',
  }));
  await indexDocuments(
    database,
    records.flatMap((one) => toSearchDocuments('resource', one)),
    1,
  );
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function search(parameters: Partial<SearchParameters>, by = staff): Promise<any> {
  const request = buildSearchRequest({ page: 1, ...parameters }, { now: 0 });
  return toSearchPage(request, await postgresSearch(database).search(request, by));
}
const titlesOf = (found: any): readonly string[] => found.results.map(({ title }: any) => String(title));
const relaxed = (q: string, more: Partial<SearchParameters> = {}, by = staff) =>
  search({ q, relax: true, ...more }, by);

describe('a search with relax', () => {
  it.each([
    ['one word too many', 'kearse lee andrew genealogy', 'Kearse, Lee Andrew'],
    [
      'a pasted citation',
      'Cape Verde press clippings, Kearse Archive, Library of Nowhere',
      'Cape Verde press clippings',
    ],
    [
      'a citation that most words of the title are not in',
      'Lists of the Menagerie, Wombat lists, folder 9, Zoo Papers, Rare Books, Manuscripts Library, Nowhere City',
      'Wombat lists',
    ],
    ['the other number of words', 'miami minute', 'Miami minutes'],
    ['a letter that is wrong', 'wmobat list', 'Wombat lists'],
    ['umlauts typed as in German', 'fruehstueck mueller', 'Frühstück bei Müller'],
  ])('finds what is meant by %s, which is not found otherwise', async (_, q, title) => {
    expect(titlesOf(await search({ q }))).toEqual([]);
    expect(titlesOf(await relaxed(q))[0]).toBe(title);
  });

  it('puts those with all words first, and tells how many they are', async () => {
    const found = await relaxed('public reports');
    expect(found.relaxed).toEqual({ with_all: 0, at_least: 1, not_found: [], spelt: {} });
    expect(found.total_hits).toBe(3);
    const all = await relaxed('public access lists');
    expect(all.relaxed).toMatchObject({ with_all: 0, at_least: 2 });
    const some = await relaxed('minutes miami');
    expect([titlesOf(some)[0], some.relaxed.with_all, some.total_hits]).toEqual(['Miami minutes', 1, 1]);
  });

  it('tells what it took for what', async () => {
    expect((await relaxed('wmobat zzyzx')).relaxed).toEqual({
      with_all: 0,
      at_least: 1,
      not_found: ['zzyzx'],
      spelt: { wmobat: ['wombat'] },
    });
  });

  it.each(['none', 'en'])('puts a word as it was typed before its other forms, with stem=%s', async (stem) => {
    expect(titlesOf(await relaxed('organ zzyzx', { stem }))).toEqual(['Organ', 'Organization']);
    expect(titlesOf(await relaxed('organization zzyzx', { stem }))).toEqual(['Organization', 'Organ']);
  });

  it('keeps to filters, and to what is asked with syntax', async () => {
    expect(titlesOf(await relaxed('kearse genealogy title:miami'))).toEqual([]);
    expect(titlesOf(await relaxed('miami genealogy -minutes'))).toEqual([]);
    expect(titlesOf(await relaxed('kearse genealogy', { filter_query: ['title:kearse'] }))).toEqual([
      'Kearse, Lee Andrew',
    ]);
    expect((await relaxed('title:genealogy')).relaxed).toBeUndefined();
  });

  it('sorts, counts facets and finds identifiers as any search', async () => {
    const found = await relaxed('public lists', { sort: 'title_sort asc', facet: ['level'] });
    expect(titlesOf(found)).toEqual(['Papers of a family', 'Public access', 'Wombat lists']);
    expect(found.facets.facet_fields.level).toEqual(['collection', 3]);
    expect(titlesOf(await relaxed('RG13A'))[0]).toBe('RG 13-A');
  });

  it('takes words that only hidden documents have for words that nobody wrote', async () => {
    const asStaff = await relaxed('quokka wombat', {}, staff);
    expect([titlesOf(asStaff).length, asStaff.relaxed.not_found]).toEqual([2, []]);
    const known = await relaxed('quokka wombat', {}, publicUser);
    const unknown = await relaxed('qwertz wombat', {}, publicUser);
    expect([titlesOf(known), known.relaxed]).toEqual([['Wombat lists'], { ...unknown.relaxed, not_found: ['quokka'] }]);
    expect((await relaxed('quokak wombat', {}, publicUser)).relaxed.spelt).toEqual({});
    expect((await relaxed('quokak wombat', {}, staff)).relaxed.spelt).toEqual({ quokak: ['quokka'] });
  });
});

describe('a query with most of its words', () => {
  const compiled = async (parameters: Partial<SearchParameters>) => {
    const request = buildSearchRequest({ page: 1, relax: true, ...parameters }, { now: 0 });
    return database.transaction((tx) => compileRelaxed(tx, request, sql.fragment`true`), { readOnly: true });
  };
  const textOf = (query: LexemeQuery): string =>
    query.kind === 'word'
      ? query.word
      : query.kind === 'expand' && query.expansion.kind === 'inflections'
        ? `forms of ${query.expansion.word}`
        : query.kind;
  const queriesOf = (relaxed: Relaxed | null) =>
    relaxed?.compiled.scores.map(({ query, isAsTyped }) => `${textOf(query)}${isAsTyped === true ? ', as typed' : ''}`);

  it('keeps the key and the title of the query, and ranks by its words, the rarest first, and those as typed', async () => {
    const found = await compiled({ q: 'public organ' });
    expect(found?.compiled).toMatchObject({
      key: 'k=publicorgan',
      title: 'public organ',
      tier: "(('organ' | 'organization') & 'public')",
      cited: [],
    });
    expect(queriesOf(found)).toEqual(['forms of organ', 'organ, as typed', 'forms of public', 'public, as typed']);
    expect(found?.all).toEqual(every([word('public'), word('organ')]));
    expect(found?.words).toEqual({ at_least: 1, not_found: [], spelt: {} });
  });

  it('takes a word that nobody wrote for those one letter away, which rank, though not as typed', async () => {
    const found = await compiled({ q: 'wombut lists' });
    expect(queriesOf(found)).toEqual(['wombat', 'forms of lists', 'lists, as typed']);
    expect(found?.words).toEqual({ at_least: 1, not_found: [], spelt: { wombut: ['wombat'] } });
  });

  it('is none without words that are known, and none of what is no plain query', async () => {
    expect(await compiled({ q: 'xyzzy qwertz' })).toBeNull();
    expect(await compiled({})).toBeNull();
    expect((await compiled({ q: 'xyzzyxyzzy organ' }))?.words).toEqual({
      at_least: 1,
      not_found: ['xyzzyxyzzy'],
      spelt: {},
    });
  });
});

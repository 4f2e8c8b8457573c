// The second round of ranking: how words that stand together, whole titles, kinds and the titles above a component are weighed against each other.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import { toSearchPage } from '#domain/search/reply/page.ts';
import { Database } from '#store/connection/database.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';
import { indexDocuments } from '#test/support/index-documents.ts';

let server: TestDatabase;
let database: Database;

type Described = readonly [title: string, note?: string];
const collections: readonly Described[] = [
  ['Public access'],
  [
    'Papers of a family',
    'The public of the town had no access to them, and public access came late. Access was public.',
  ],
  ['Harbor survey'],
  [
    'Records of a port',
    'A survey of the whole coast was made. The pilots of the town looked after what was brought in, and the harbor had been widened by then.',
  ],
  ['Letters of the survey, with some other papers', 'In a box: the harbor.'],
  ['Wallaby papers', 'With ledgers of the society.'],
];
const components: readonly (readonly [...Described, above?: string])[] = [
  ['Ledgers', undefined, 'Wallaby papers'],
  ['Ledgers', undefined, 'Numbat papers'],
];

beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 3 });
  const made = (kind: string, n: number, title: string, note: string | undefined): JsonObject => ({
    uri: `/repositories/2/${kind}s/${n}`,
    repository: { ref: '/repositories/2' },
    jsonmodel_type: kind,
    publish: true,
    title,
    ...(kind === 'archival_object' ? { display_string: title } : {}),
    level: kind === 'resource' ? 'collection' : 'file',
    notes:
      note === undefined
        ? []
        : [{ jsonmodel_type: 'note_singlepart', type: 'abstract', publish: true, content: [note] }],
    create_time: '2026-01-01T00:00:00Z',
    system_mtime: '2026-01-01T00:00:00Z',
    user_mtime: '2026-01-01T00:00:00Z',
  });
  await indexDocuments(
    database,
    [
      ...collections.flatMap(([title, note], n) => toSearchDocuments('resource', made('resource', n + 1, title, note))),
      ...components.flatMap(([title, note, above], n) =>
        toSearchDocuments('archival_object', made('archival_object', n + 1, title, note), {
          ancestorTexts: above === undefined ? [] : [above],
        }),
      ),
    ].filter(({ audience }) => audience !== 'public'),
    1,
  );
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function search(parameters: Partial<SearchParameters>): Promise<any> {
  const request = buildSearchRequest({ page: 1, ...parameters }, { now: 0 });
  return toSearchPage(
    request,
    await postgresSearch(database).search(request, {
      repositories: 'all',
      mayNotSeeUnpublished: false,
      seesSuppressed: false,
    }),
  );
}
const titlesOf = (found: any): readonly string[] => found.results.map(({ title }: any) => String(title));

describe('the order', () => {
  it('puts a title that is the query before a note with its words scattered', async () => {
    const found = await search({ q: 'public access', explain: true });
    expect(titlesOf(found)).toEqual(['Public access', 'Papers of a family']);
    expect(Object.values<any>(found.explain).map(({ title_factor: factor }) => factor)).toEqual([3, 1]);
  });

  it('puts words that stand together in a title before those that are partly in one, and these before words scattered over a note', async () => {
    const found = await search({ q: 'survey harbor', explain: true });
    expect(titlesOf(found)).toEqual([
      'Harbor survey',
      'Letters of the survey, with some other papers',
      'Records of a port',
    ]);
    const [first, second, third] = Object.values<any>(found.explain);
    expect([first.in_title, first.title_factor, third.in_title, third.title_factor]).toEqual([1, 1.6, 0, 1]);
    expect(second.in_title).toBeGreaterThan(0.3);
    expect(second.in_title).toBeLessThan(0.7);
    expect(first.nearness).toBeGreaterThan(third.nearness);
  });

  it('looks for words of a field in that field, and orders by patterns and phrases alike', async () => {
    for (const q of [
      'title:survey title:harbor',
      'creators:nobody OR survey',
      'surv* harb*',
      '"harbor survey"',
      'survey^3',
    ])
      expect(titlesOf(await search({ q }))[0], q).toBe('Harbor survey');
    expect(titlesOf(await search({ q: 'survey', stem: 'en' }))[0]).toBe('Harbor survey');
  });

  it('finds a component by its title and those above it, and weighs these below its own words', async () => {
    const found = await search({ q: 'wallaby ledgers', explain: true });
    expect(found.results.map(({ uri }: any) => uri).sort()).toEqual([
      '/repositories/2/archival_objects/1',
      '/repositories/2/resources/6',
    ]);
    const [component] = Object.entries<any>(found.explain).flatMap(([id, one]) =>
      id.startsWith('/repositories/2/archival_objects') ? [one] : [],
    );
    const addsOf = (term: string): number => component.terms.find((one: any) => one.term === `'${term}'`).adds;
    expect(addsOf('ledgers')).toBeGreaterThan(addsOf('wallaby'));
    expect(addsOf('wallaby')).toBeGreaterThan(0);
  });

  it('weighs with relax how much of the query a document has', async () => {
    const found = await search({ q: 'wallaby ledgers genealogy maps', relax: true, explain: true });
    const coverage = Object.values<any>(found.explain).map((one) => one.coverage);
    expect(coverage[0]).toBe(1);
    expect(Math.min(...coverage)).toBeLessThan(1);
    expect(Math.min(...coverage)).toBeGreaterThan(0);
  });

  it('tells of the 500 that all words add with relax, so that scores are in the order of what is found', async () => {
    const found = await search({ q: 'wallaby ledgers genealogy maps', relax: true, explain: true });
    const explained: any[] = found.results.map(({ id }: any) => found.explain[id]);
    const scores = explained.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(explained.map(({ score, first_round: first }) => [score > 500, first > 500])).toEqual(
      explained.map(({ has_all_words: all }) => [all, all]),
    );
    expect(new Set(explained.map(({ has_all_words: all }) => all))).toEqual(new Set([true, false]));
    const [plain] = Object.values<any>((await search({ q: 'wallaby ledgers', explain: true })).explain);
    expect(plain).not.toHaveProperty('has_all_words');
  });
});

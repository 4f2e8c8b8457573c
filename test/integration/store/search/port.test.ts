// One suite for every search index: PostgreSQL, Typesense as far as a strict stand-in can tell, and a real Typesense server where TYPESENSE_URL
// names one (with TYPESENSE_API_KEY). Without a server the last part is skipped, and says so.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { toSearchPage } from '#domain/search/reply/page.ts';
import { buildSearchRequest, inRepository } from '#domain/search/query/request.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import type { JsonObject } from '#domain/json.ts';
import { Database } from '#store/connection/database.ts';
import type { SearchMirror, SearchPort, Visibility } from '#store/search/port.ts';
import { openSearch } from '#store/search/open.ts';
import type { OpenSearch } from '#store/search/open.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { forgetWhatSetUpHid, indexDocuments, removeDocuments } from '#test/support/index-documents.ts';
import { resource } from '#test/support/make/record-replies.ts';
import { startTypesenseStandIn } from '#test/support/typesense/server.ts';
import { callers, matching, now, ordered, records, visibility as visible } from './port-cases.ts';
import type { Case } from './port-cases.ts';

/** An index under test: opened on an empty database, and closed with what it left on a server. */
type Adapter = {
  readonly name: string;
  readonly refuses: boolean;
  open(database: Database): Promise<Opened>;
};
type Opened = OpenSearch & { close(): Promise<void> };

async function onServer(database: Database, url: string, apiKey: string): Promise<Opened> {
  const alias = `muniment_test_${randomBytes(4).toString('hex')}`;
  const { search, mirror } = openSearch(database, {
    MUNIMENT_SEARCH_LIMIT_MS: 60_000,
    TYPESENSE_URL: [url],
    TYPESENSE_API_KEY: apiKey,
    TYPESENSE_COLLECTION: alias,
  });
  await mirror?.prepare(database);
  const ask = (method: string, ...path: readonly string[]): Promise<Response> =>
    fetch(`${url}/${path.join('/')}`, { method, headers: { 'x-typesense-api-key': apiKey } });
  return {
    search,
    mirror,
    close: async () => {
      const pointed: unknown = await (await ask('GET', 'aliases', alias)).json();
      if (typeof pointed === 'object' && pointed !== null && 'collection_name' in pointed)
        await ask('DELETE', 'collections', String(pointed.collection_name));
      await ask('DELETE', 'aliases', alias);
    },
  };
}

const { TYPESENSE_URL: serverUrl, TYPESENSE_API_KEY: serverKey = '' } = process.env;

const adapters: readonly Adapter[] = [
  {
    name: 'PostgreSQL',
    refuses: false,
    open: async (database) => ({
      ...openSearch(database, { MUNIMENT_SEARCH_LIMIT_MS: 60_000, TYPESENSE_COLLECTION: 'none' }),
      close: async () => undefined,
    }),
  },
  {
    name: 'Typesense (stand-in)',
    refuses: true,
    open: async (database) => {
      const standIn = await startTypesenseStandIn();
      const opened = await onServer(database, standIn.url, standIn.apiKey);
      return {
        ...opened,
        close: async () => {
          await opened.close();
          await standIn[Symbol.asyncDispose]();
        },
      };
    },
  },
  ...(serverUrl === undefined || serverUrl === ''
    ? []
    : [
        {
          name: `Typesense (${serverUrl})`,
          refuses: true,
          open: async (database: Database) => onServer(database, serverUrl, serverKey),
        },
      ]),
];

if (serverUrl === undefined || serverUrl === '') {
  process.stderr.write(
    '\n*** The search suite was NOT run on a real Typesense server: set TYPESENSE_URL and TYPESENSE_API_KEY. ***\n\n',
  );
  describe.skip('Typesense (a real server; needs TYPESENSE_URL)', () =>
    it('answers as PostgreSQL does', () => undefined));
}

describe.each(adapters)('$name', (adapter) => {
  let server: TestDatabase;
  let database: Database;
  let index: SearchPort;
  let mirror: SearchMirror | null;
  let close: () => Promise<void>;

  beforeAll(async () => {
    server = await createDatabase();
    database = new Database({ url: server.url, poolSize: 4 });
    await forgetWhatSetUpHid(database);
    const opened = await adapter.open(database);
    index = opened.search;
    mirror = opened.mirror;
    close = opened.close;
    await indexDocuments(
      database,
      records.flatMap(([kind, record]) => toSearchDocuments(kind, record)),
      1,
      mirror,
    );
  });
  afterAll(async () => {
    await close();
    await database[Symbol.asyncDispose]();
    await server.drop();
  });

  const find = async (parameters: Partial<SearchParameters>, by: Visibility = callers.staff): Promise<JsonObject> => {
    const request = buildSearchRequest({ page: 1, page_size: 50, ...parameters }, { now });
    return toSearchPage(request, await index.search(request, by));
  };
  const idsOf = async (
    parameters: Partial<SearchParameters>,
    by: Visibility = callers.staff,
  ): Promise<readonly string[]> => {
    const { results } = await find(parameters, by);
    // The page's own shape.
    return (results as readonly JsonObject[]).map((document) => String(document['id']).replace('/repositories/', ''));
  };
  const check = async ({ ask, by = 'staff', ids, refused }: Case, inOrder: boolean): Promise<void> => {
    if (refused !== undefined && adapter.refuses)
      return void (await expect(idsOf(ask, callers[by])).rejects.toMatchObject({
        code: 'not_expressible',
        extra: { unsupported: refused },
      }));
    const found = await idsOf(ask, callers[by]);
    expect(inOrder ? found : [...found].sort()).toEqual(inOrder ? ids : [...ids].sort());
  };
  const titled = (cases: readonly Case[]) =>
    cases.map((one) => ({ title: `${JSON.stringify(one.ask)} by ${one.by ?? 'staff'}`, one }));

  it.each(titled(matching))('matches $title', ({ one }) => check(one, false));
  it.each(titled(visible))('shows $title', ({ one }) => check(one, false));
  it.each(titled(ordered))('orders $title', ({ one }) => check(one, true));

  it('finds everything that the caller sees without a query, with an exact total', async () => {
    expect((await find({ page_size: 1 }))['total_hits']).toBe(records.length - 1);
    expect((await find({ page_size: 1 }, callers.keeper))['total_hits']).toBe(records.length);
  });

  it('puts an identifier typed as the query first, and titles before notes', async () => {
    expect((await idsOf({ q: 'B2' }))[0]).toBe('3/resources/6');
    expect((await idsOf({ q: 'box' })).at(-1)).toBe('3/resources/8');
  });

  it('gives every match exactly once over all pages, and large pages whole', async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => idsOf({ q: 'letter', page, page_size: 100, sort: 'title_sort asc' })),
    );
    expect(new Set(pages.flat()).size).toBe(300);
    const request = { ...buildSearchRequest({ page: 1, q: 'letter*' }, { now }), pageSize: 1000 };
    const { hits, total } = await index.search(request, callers.staff);
    expect([total, new Set(hits.map(({ id }) => id)).size]).toEqual([301, 301]);
  });

  it('counts values, most frequent first, and zero values only when asked', async () => {
    const counted = await find({
      q: 'letter',
      facet: ['level', 'primary_type', 'outcome'],
      facet_mincount: 1,
      page_size: 1,
    });
    expect(counted['facets']).toMatchObject({
      facet_fields: { level: ['file', 200, 'item', 100], primary_type: ['archival_object', 300], outcome: [] },
    });
    const all = await find({ q: 'rabbit', facet: ['primary_type'], page_size: 1 });
    expect(all['facets']).toMatchObject({
      facet_fields: { primary_type: ['archival_object', 1, 'agent_person', 0, 'resource', 0] },
    });
  });

  it('counts copies of components by the types that the public knows them by', async () => {
    const facets = async (by: Visibility) =>
      (await find({ q: 'rabbit', facet: ['types'], facet_mincount: 1, page_size: 1 }, by))['facets'];
    expect(await facets(callers.public)).toMatchObject({
      facet_fields: {
        types: ['archival_object', 1, 'pui', 1, 'pui_archival_object', 1, 'pui_only', 1, 'pui_record', 1],
      },
    });
    expect(await facets(callers.staff)).toMatchObject({ facet_fields: { types: ['archival_object', 1] } });
  });

  it('counts types by the repository that holds the records', async () => {
    const counts = await index.countTypes(['resource', 'archival_object', 'pui_record'], callers.public);
    expect([...counts].map(([uri, types]) => [uri, Object.fromEntries(types)]).sort()).toEqual([
      ['/repositories/2', { archival_object: 302, pui_record: 302, resource: 2 }],
      ['/repositories/3', { resource: 4 }],
    ]);
  });

  it('keeps to a repository and the global records', async () => {
    const request = {
      ...buildSearchRequest({ page: 1, q: 'box OR goodall' }, { now }),
      filters: [inRepository('/repositories/3')],
    };
    expect((await index.search(request, callers.staff)).hits.map(({ id }) => id).sort()).toEqual([
      '/agents/people/1',
      '/repositories/3/resources/5',
      '/repositories/3/resources/6',
      '/repositories/3/resources/8',
    ]);
  });

  it('marks the words found', async () => {
    const found = await find({ q: 'disarm*', hl: true });
    expect(found['highlighting']).toMatchObject({
      '/repositories/2/resources/1': { notes: ['Letters about <span class="searchterm">disarmament</span>'] },
    });
  });

  it('reads documents in the order asked, copies by their ids, hidden ones not', async () => {
    const ids = [
      '/agents/people/1',
      '/repositories/3/resources/4',
      '/repositories/2/resources/2',
      '/repositories/2/archival_objects/1#pui',
    ];
    expect((await index.read(ids, callers.staff)).map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    expect((await index.read(ids, callers.public)).map(({ id }) => id)).toEqual([ids[0], ids[2], ids[3]]);
  });

  it('gives everything that it found, by portions, whatever goes meanwhile', async () => {
    const bodies = Array.from({ length: 7 }, (_, index) =>
      resource(80 + index, { id_0: `P${index}`, title: `Potoroo ${index}` }),
    );
    const write = (some: typeof bodies, seq: number): Promise<void> =>
      indexDocuments(
        database,
        some.flatMap(([kind, record]) => toSearchDocuments(kind, record)),
        seq,
        mirror,
      );
    const uris = bodies.map((_, index) => `/repositories/2/resources/${80 + index}`);
    const idsIn = (hits: readonly { readonly id: string }[] | undefined) => hits?.map(({ id }) => id);
    await write(bodies, 5);
    const request = buildSearchRequest({ page: 3, page_size: 1, q: 'potoroo', sort: 'title_sort asc' }, { now });
    const found = await index.searchAll(request, callers.public);
    const portions = found.portions(1, 2)[Symbol.asyncIterator]();
    expect(idsIn((await portions.next()).value)).toEqual(uris.slice(1, 3));
    // Three that were given go, and one that was not; one comes in between, and one is no longer the public's.
    await removeDocuments(database, [...uris.slice(0, 3), uris[4] ?? ''], mirror);
    await write([resource(87, { id_0: 'P7', title: 'Potoroo 3b' })], 6);
    await write([resource(85, { id_0: 'P5', title: 'Potoroo 5', publish: false })], 6);
    expect(idsIn((await portions.next()).value)).toEqual([uris[3]]);
    expect(idsIn((await portions.next()).value)).toEqual([uris[6]]);
    expect((await portions.next()).done).toBe(true);
    await removeDocuments(database, [...uris, '/repositories/2/resources/87'], mirror);
  });

  it('replaces the documents of a record, also where it had one for the public, keeps newer ones, and takes them out', async () => {
    const write = (fields: JsonObject, seq: number): Promise<void> =>
      indexDocuments(
        database,
        [resource(90, { id_0: 'R', ...fields })].flatMap(([kind, record]) => toSearchDocuments(kind, record)),
        seq,
        mirror,
      );
    const secret = {
      notes: [
        { jsonmodel_type: 'note_multipart', type: 'processinfo', publish: false, subnotes: [{ content: 'Aardvark' }] },
      ],
    };
    await write({ title: 'Quokka', ...secret }, 5);
    expect(await idsOf({ q: 'quokka' }, callers.public)).toEqual(['2/resources/90']);
    await write({ title: 'Quokka', publish: false }, 6);
    expect(await idsOf({ q: 'quokka' }, callers.public)).toEqual([]);
    expect(await idsOf({ q: 'quokka' })).toEqual(['2/resources/90']);
    await write({ title: 'Numbat' }, 4);
    expect(await idsOf({ q: 'numbat' })).toEqual([]);
    await removeDocuments(database, ['/repositories/2/resources/90'], mirror);
    expect(await idsOf({ q: 'quokka' })).toEqual([]);
    expect(await index.read(['/repositories/2/resources/90'], callers.staff)).toEqual([]);
  });
});

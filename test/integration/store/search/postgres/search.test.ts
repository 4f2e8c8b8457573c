// The search adapter on a real database: a few hundred made documents, found as a client would.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { toSearchPage } from '#domain/search/reply/page.ts';
import { buildSearchRequest, inRepository } from '#domain/search/query/request.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import { objectOf, objectsOf } from '#domain/json.ts';
import type { JsonObject } from '#domain/json.ts';
import { findField } from '#domain/search/fields.ts';
import { Database } from '#store/connection/database.ts';
import type { Visibility } from '#store/search/port.ts';
import { postgresSearch } from '#store/search/postgres/search.ts';
import { createSeenValues } from '#store/search/postgres/seen-values.ts';
import { AnyRow } from '#test/support/rows.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { nothingHidden } from '#test/support/index-contents.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { indexDocuments, removeDocuments } from '#test/support/index-documents.ts';

const now = Date.UTC(2026, 10, 21);
const staff: Visibility = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false };
const publicUser: Visibility = { ...staff, mayNotSeeUnpublished: true };

const times = {
  create_time: '2026-01-02T03:04:05Z',
  system_mtime: '2026-01-02T03:04:05Z',
  user_mtime: '2026-01-02T03:04:05Z',
};

function resource(id: number, fields: JsonObject, repoId = 2): readonly [string, JsonObject] {
  return [
    'resource',
    {
      uri: `/repositories/${repoId}/resources/${id}`,
      repository: { ref: `/repositories/${repoId}` },
      jsonmodel_type: 'resource',
      publish: true,
      level: 'collection',
      ...times,
      ...fields,
    },
  ];
}

function component(id: number, fields: JsonObject, repoId = 2): readonly [string, JsonObject] {
  return [
    'archival_object',
    {
      uri: `/repositories/${repoId}/archival_objects/${id}`,
      repository: { ref: `/repositories/${repoId}` },
      jsonmodel_type: 'archival_object',
      publish: true,
      level: 'file',
      resource: { ref: `/repositories/${repoId}/resources/1` },
      ...times,
      ...fields,
    },
  ];
}

const agent: JsonObject = {
  ref: '/agents/people/1',
  role: 'creator',
  _resolved: { display_name: { sort_name: 'Zinn, Howard' }, publish: true },
};

const records: readonly (readonly [string, JsonObject])[] = [
  resource(1, {
    title: 'Howard Zinn <emph>Papers</emph>',
    id_0: 'TAM',
    id_1: '542',
    linked_agents: [agent],
    dates: [{ begin: '1922', end: '2010', date_type: 'inclusive' }],
    finding_aid_title: 'Guide to the papers',
    subjects: [{ ref: '/subjects/1', _resolved: { title: 'Peace movements' } }],
    notes: [
      {
        jsonmodel_type: 'note_multipart',
        type: 'scopecontent',
        publish: true,
        subnotes: [{ content: 'Letters about disarmament' }],
      },
      {
        jsonmodel_type: 'note_multipart',
        type: 'processinfo',
        publish: false,
        subnotes: [{ content: 'Confidential whereabouts' }],
      },
    ],
  }),
  resource(2, {
    title: 'Harbor maps',
    id_0: 'MC.319',
    dates: [{ begin: '1940', date_type: 'single' }],
    create_time: '2020-05-06T00:00:00Z',
  }),
  resource(3, { title: 'Maps of the old harbor', id_0: 'MS 3009', publish: false }),
  resource(4, { title: 'Hidden harbor', id_0: 'S1', suppressed: true }, 3),
  resource(5, { title: 'Box 10', id_0: 'B10' }, 3),
  resource(6, { title: 'Box 2', id_0: 'B2' }, 3),
  resource(7, { title: '東京大学 photographs', id_0: 'JP' }, 3),
  component(1, {
    title: 'Rabbit',
    display_string: 'Rabbit, 1955',
    component_id: 'FA_MSS_133_ER_245',
    ancestors: [{ ref: '/repositories/2/resources/1', _resolved: { title: 'Menagerie' } }],
  }),
  component(2, { title: "O'Neill’s re-armament plan", display_string: "O'Neill’s re-armament plan" }),
  [
    'agent_person',
    {
      uri: '/agents/people/1',
      jsonmodel_type: 'agent_person',
      publish: true,
      display_name: { sort_name: 'Zinn, Howard' },
      ...times,
    },
  ],
  ...Array.from({ length: 300 }, (_, index) =>
    component(100 + index, {
      title: `Letter ${index}`,
      display_string: `Letter ${index}`,
      level: index % 3 === 0 ? 'item' : 'file',
      notes: index % 2 === 0 ? [{ content: ['common ground'] }] : [],
    }),
  ),
];

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createDatabase();
  database = new Database({ url: server.url, poolSize: 3 });
  await indexDocuments(
    database,
    records.flatMap(([kind, record]) => toSearchDocuments(kind, record)),
    1,
  );
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await server.drop();
});

async function find(parameters: Partial<SearchParameters>, visibility = staff): Promise<JsonObject> {
  const request = buildSearchRequest({ page: 1, page_size: 50, ...parameters }, { now });
  return toSearchPage(request, await postgresSearch(database).search(request, visibility));
}

async function idsOf(parameters: Partial<SearchParameters>, visibility = staff): Promise<readonly unknown[]> {
  const { results } = await find(parameters, visibility);
  return (results as readonly JsonObject[]).map((document) => String(document['id']).replace('/repositories/', ''));
}

describe('matching', () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    ['harbor maps', ['2/resources/2', '2/resources/3']],
    ['"harbor maps"', ['2/resources/2']],
    ['"maps harbor"~4', ['2/resources/2', '2/resources/3']],
    ['"maps old harbor"~2', ['2/resources/3']],
    ['"maps old harbor"~1', []],
    ['harbor -old', ['2/resources/2']],
    [
      '-letter -box -harbor -harbor',
      ['/agents/people/1', '2/archival_objects/1', '2/archival_objects/2', '2/resources/1', '3/resources/7'],
    ],
    ['MC.319', ['2/resources/2']],
    ['mc319', ['2/resources/2']],
    ['mc 319', ['2/resources/2']],
    ['identifier:MS-3009', ['2/resources/3']],
    ['identifier:MC*', ['2/resources/2']],
    ['FA_MSS_133_ER_245', ['2/archival_objects/1']],
    ['title:papers', ['2/resources/1']],
    ['title:disarmament', []],
    ['notes:disarmament', ['2/resources/1']],
    ['notes:papers', []],
    ['creators_text:zinn', ['2/resources/1']],
    ['subjects:"Peace movements"', ['2/resources/1']],
    ['subjects:peace', []],
    ['rearmament', ['2/archival_objects/2']],
    ['re-armament', ['2/archival_objects/2']],
    ['neill', ['2/archival_objects/2']],
    ['menagerie', ['2/archival_objects/1']],
    ['京大', ['3/resources/7']],
    ['京', ['3/resources/7']],
    ['disarm*', ['2/resources/1']],
    ['*armament', ['2/archival_objects/2', '2/resources/1']],
    ['title:*armament', ['2/archival_objects/2']],
    ['h?rb*r maps', ['2/resources/2', '2/resources/3']],
    ['rabit~1', ['2/archival_objects/1']],
    ['title:rabit~', ['2/archival_objects/1']],
    ['years:[1930 TO 1945]', ['2/resources/1', '2/resources/2']],
    ['years:1940 -years:1941', ['2/resources/2']],
    ['create_time:[2020 TO 2021]', ['2/resources/2']],
    ['title_sort:[box TO boxz]', ['3/resources/5', '3/resources/6']],
    ['primary_type:agent_person', ['/agents/people/1']],
    ['uri:"/agents/people/1"', ['/agents/people/1']],
    ['uri:\\/agents*', ['/agents/people/1']],
    ['repository:"/repositories/3"', ['3/resources/5', '3/resources/6', '3/resources/7']],
    [
      'level:[a TO d]',
      ['2/resources/1', '2/resources/2', '2/resources/3', '3/resources/5', '3/resources/6', '3/resources/7'],
    ],
    ['harbor AND maps OR rabbit', ['2/archival_objects/1', '2/resources/2', '2/resources/3']],
    ['rabbit OR (harbor NOT old)', ['2/archival_objects/1', '2/resources/2']],
    ['finding_aid_title:* ', ['2/resources/1']],
    ["l'\\\\'; DROP TABLE search_doc", []],
  ];
  it.each(table)('finds for %s', async (q, expected) => {
    expect([...(await idsOf({ q }))].sort()).toEqual(expected.map((id) => id).sort());
  });

  it('finds everything without a query', async () => {
    expect((await find({}))['total_hits']).toBe(records.length - 1);
  });

  it('reads structured queries', async () => {
    const aq = JSON.stringify({
      query: {
        jsonmodel_type: 'boolean_query',
        op: 'AND',
        subqueries: [
          { jsonmodel_type: 'field_query', field: 'title', value: 'harbor' },
          {
            jsonmodel_type: 'date_field_query',
            field: 'create_time',
            comparator: 'equal',
            value: '2020-05',
            precision: 'month',
          },
        ],
      },
    });
    expect(await idsOf({ aq })).toEqual(['2/resources/2']);
  });

  it('refuses a pattern that fits too much and one with a single letter', async () => {
    await expect(find({ q: 'a*' })).rejects.toMatchObject({ code: 'unsupported_query' });
  });
});

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
});

describe('visibility', () => {
  it('hides suppressed records unless they may be seen', async () => {
    expect(await idsOf({ q: 'hidden' })).toEqual([]);
    expect(await idsOf({ q: 'hidden' }, { ...staff, seesSuppressed: [3] })).toEqual(['3/resources/4']);
    expect(await idsOf({ q: 'hidden' }, { ...staff, seesSuppressed: [2] })).toEqual([]);
  });

  it('keeps other repositories out', async () => {
    expect(await idsOf({ q: 'box' }, { ...staff, repositories: [2] })).toEqual([]);
  });

  it('shows the public neither unpublished records nor unpublished notes', async () => {
    expect(await idsOf({ q: 'harbor' }, publicUser)).toEqual(['2/resources/2']);
    expect(await idsOf({ q: 'confidential' }, publicUser)).toEqual([]);
    expect(await idsOf({ q: 'confidential' })).toEqual(['2/resources/1']);
    expect(JSON.stringify(await find({ q: 'disarmament' }, publicUser))).not.toContain('Confidential');
  });

  it('shows the public its own copy of an archival object, and staff the record', async () => {
    expect(await idsOf({ q: 'rabbit' }, publicUser)).toEqual(['2/archival_objects/1#pui']);
    expect(await idsOf({ q: 'rabbit' })).toEqual(['2/archival_objects/1']);
  });

  it('lets the public find copies by their types and ids, and counts them by these, staff not', async () => {
    const copies = { q: '*:*', type: ['pui_archival_object'], facet: ['types'], page_size: 1 };
    const typesOf = async (visibility?: Visibility) =>
      objectOf(objectOf(await find({ ...copies, facet_mincount: 1 }, visibility), 'facets'), 'facet_fields')?.['types'];
    expect((await find(copies, publicUser)).total_hits).toBe(302);
    expect(await typesOf(publicUser)).toEqual([
      'archival_object',
      302,
      'pui',
      302,
      'pui_archival_object',
      302,
      'pui_only',
      302,
      'pui_record',
      302,
    ]);
    expect((await find(copies)).total_hits).toBe(0);
    const id = '/repositories/2/archival_objects/1';
    expect(await idsOf({ q: `id:"${id}#pui"` }, publicUser)).toEqual(['2/archival_objects/1#pui']);
    const index = postgresSearch(database);
    const read = async (asked: string, visibility: Visibility) =>
      (await index.read([asked], visibility)).map((hit) => hit.id);
    expect([
      await read(`${id}#pui`, publicUser),
      await read(id, publicUser),
      await read(id, staff),
      await read(`${id}#pui`, staff),
    ]).toEqual([[`${id}#pui`], [`${id}#pui`], [id], []]);
    expect((await index.countTypes(['pui_record'], publicUser)).get('/repositories/2')?.get('pui_record')).toBe(302);
    expect((await index.countTypes(['pui_record'], staff)).get('/repositories/2')?.get('pui_record')).toBeUndefined();
  });
});

describe('writing', () => {
  it('replaces what a record had, keeps a later write, and removes', async () => {
    const index = postgresSearch(database);
    const write = (fields: JsonObject, seq: number) =>
      indexDocuments(database, toSearchDocuments(...resource(90, { id_0: 'R90', ...fields })), seq);
    const withNote = { title: 'Quokka', notes: [{ publish: false, content: ['wombat'] }] };
    await write(withNote, 5);
    expect(await idsOf({ q: 'wombat' })).toEqual(['2/resources/90']);
    await write({ title: 'Quokka' }, 7);
    expect(await idsOf({ q: 'wombat' })).toEqual([]);
    expect(await idsOf({ q: 'quokka' }, publicUser)).toEqual(['2/resources/90']);
    await write({ title: 'Numbat' }, 6);
    expect(await idsOf({ q: 'quokka' })).toEqual(['2/resources/90']);
    await removeDocuments(database, ['/repositories/2/resources/90']);
    expect(await idsOf({ q: 'quokka' })).toEqual([]);
    expect(await index.read(['/repositories/2/resources/90'], staff)).toEqual([]);
  });

  it('leaves the latest of writes that come together, each waiting for the other', async () => {
    const write = (seq: number) =>
      indexDocuments(
        database,
        toSearchDocuments(
          ...resource(91, {
            id_0: 'R91',
            title: `Bettong ${seq}`,
            notes: seq % 2 === 0 ? [{ publish: false, content: ['hidden'] }] : [],
          }),
        ),
        seq,
      );
    await write(1);
    for (let seq = 2; seq < 32; seq += 3) {
      await Promise.all([seq + 1, seq, seq + 2].map(write));
      const rows = await database.reader.any(sql.type(z.strictObject({ seq: column.int, audience: column.int }))`
        SELECT seq, audience FROM search_doc JOIN search_body USING (no) WHERE record_id = 91 ORDER BY audience`);
      expect(rows).toEqual(
        seq % 2 === 0
          ? [
              { seq: seq + 2, audience: 1 },
              { seq: seq + 2, audience: 2 },
            ]
          : [{ seq: seq + 2, audience: 0 }],
      );
    }
    await removeDocuments(database, ['/repositories/2/resources/91']);
  });

  it('keeps the number of a document that is written anew', async () => {
    const numbers = () =>
      database.reader.any(sql.type(AnyRow)`
      SELECT no FROM search_doc WHERE kind = 'resource' AND record_id = 2`);
    const before = await numbers();
    await indexDocuments(
      database,
      toSearchDocuments(
        ...resource(2, {
          title: 'Harbor maps',
          id_0: 'MC.319',
          dates: [{ begin: '1940', date_type: 'single' }],
          create_time: '2020-05-06T00:00:00Z',
        }),
      ),
      2,
    );
    expect(await numbers()).toEqual(before);
  });

  it('reads documents in the order asked', async () => {
    const ids = ['/agents/people/1', '/repositories/2/resources/2'];
    const read = await postgresSearch(database).read(ids, staff);
    expect(read.map(({ id }) => id)).toEqual(ids);
  });
});

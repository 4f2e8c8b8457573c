// What Muniment adds to searches: other spellings, paths in trees, explained scores, words in all their forms (docs/guides/search.md), over HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi } from '#test/support/api.ts';
import { resourceBody } from '#test/support/records.ts';
import { untilIndexed } from '#test/support/indexer.ts';
import type { Collection } from './collection.ts';
import { toQuery } from '#test/support/search-query.ts';
import { advanced, startCollection } from './collection.ts';

let c: Collection;
beforeAll(async () => {
  c = await startCollection();
  const hidden = [
    {
      jsonmodel_type: 'note_multipart',
      type: 'processinfo',
      publish: false,
      subnotes: [{ jsonmodel_type: 'note_text', content: 'Stromboli correspondence', publish: true }],
    },
  ];
  await c.make(
    'noted',
    `/repositories/${c.repo}/resources`,
    resourceBody('NT', { title: 'Volcano sketches', publish: true, level: 'collection', notes: hidden }),
  );
  await c.make(
    'foreign',
    `/repositories/${c.away}/resources`,
    resourceBody('FR', { title: 'Vesuvius sketches', publish: true, level: 'collection' }),
  );
  await untilIndexed(c.api.database);
});
afterAll(() => c[Symbol.asyncDispose]());

const inHome = async (parameters: object, session?: string): Promise<any> =>
  (await c.api.get(`/repositories/${c.repo}/search?${toQuery({ ...parameters })}`, session)).json;

describe('relax', () => {
  it('finds what has most of the words, and tells of it', async () => {
    expect((await c.search({ q: 'wallabies diary genealogy' })).json).toMatchObject({ total_hits: 0 });
    const found = (await c.search({ q: 'wallbay diary genealogy', relax: true })).json;
    expect(found.results[0].title).toContain('diary');
    expect(found.relaxed).toEqual({
      with_all: 0,
      at_least: 1,
      not_found: ['genealogy'],
      spelt: { wallbay: ['wallaby'] },
    });
  });

  it('never tells of a word that the caller could not find', async () => {
    const open = async (q: string): Promise<any> =>
      (await c.api.get(`/search/repositories?${toQuery({ q, relax: true })}`, null)).json.relaxed;
    expect(await open('stromboli home')).toEqual({ ...(await open('xqzzyw home')), not_found: ['stromboli'] });
    expect((await open('strombili home')).spelt).toEqual({});
    const known = async (q: string, session: string): Promise<unknown> =>
      (await inHome({ q, relax: true }, session)).relaxed?.spelt;
    expect(await known('strombili wallaby', c.viewer)).toEqual({ strombili: ['stromboli'] });
    expect(await known('strombili wallaby', c.publicUser)).toEqual({});
    expect(await known('vesuvus wallaby', c.viewer)).toEqual({});
  });
});

describe('did_you_mean', () => {
  it('gives queries that find something, with the words that they change', async () => {
    const { did_you_mean: found } = (await c.search({ q: 'wallbay title:(diray) -scan', did_you_mean: true })).json;
    expect(found[0]).toEqual({
      query: 'wallaby title:diary -scan',
      words: { wallbay: 'wallaby', diray: 'diary' },
      total_hits: 1,
    });
    expect(await c.find({ q: found[0].query })).toEqual(['diary']);
  });

  it('is not there unless asked for, and empty where nothing is doubtful or nothing is near', async () => {
    expect((await c.search({ q: 'wallbay' })).json).not.toHaveProperty('did_you_mean');
    for (const q of ['wallaby', 'xqzzyw', 'MS-009', '"wallaby diary"', 'wallab*', ''])
      expect((await c.search({ q, did_you_mean: true })).json.did_you_mean).toEqual([]);
  });

  it('tells the words of a structured query', async () => {
    const aq = advanced({ jsonmodel_type: 'field_query', field: 'title', value: 'numbta' });
    expect((await c.search({ aq, did_you_mean: true })).json.did_you_mean).toEqual([
      { words: { numbta: 'numbat' }, total_hits: 1 },
    ]);
  });

  it('keeps to the filters of the search', async () => {
    expect((await c.search({ q: 'wallbay', type: ['digital_object'], did_you_mean: true })).json.did_you_mean).toEqual(
      [],
    );
  });

  it('never gives away a word that the caller could not find', async () => {
    const means = async (q: string, session: string): Promise<string> =>
      JSON.stringify((await inHome({ q, did_you_mean: true }, session)).did_you_mean);
    expect(await means('stromboly', c.viewer)).toContain('stromboli');
    expect(await means('stromboly', c.publicUser)).toBe('[]');
    expect(await means('stromboly OR volcano', c.publicUser)).not.toContain('stromboli');
    expect(await means('vesuvus', c.viewer)).toBe('[]');
    expect(await means('vesuvus OR volcano', c.viewer)).not.toContain('vesuvius');
    expect(await means('secrte', c.viewer)).toBe('[]');
    expect(JSON.stringify((await c.search({ q: 'vesuvus', did_you_mean: true })).json.did_you_mean)).toContain(
      'vesuvius',
    );
    const open = await c.api.get(
      `/search/repositories?${toQuery({ q: 'stromboly OR hme', did_you_mean: true })}`,
      null,
    );
    expect(open.json.did_you_mean).toEqual([{ query: 'stromboly OR home', words: { hme: 'home' }, total_hits: 1 }]);
  });
});

describe('paths', () => {
  const below = (more: object = {}) => ({
    root_record: c.uris['papers'] ?? '',
    sort: 'title_sort asc',
    fields: ['title'],
    paths: true,
    ...more,
  });

  it('say where rows stand in a tree, from the root down', async () => {
    const rows = (await c.search(below())).json.results;
    const root = { uri: c.uris['papers'], title: 'Wallaby <emph>papers</emph>' };
    expect(rows).toEqual([
      {
        title: 'Numbat letters',
        uri: null,
        jsonmodel_type: null,
        _path: [root, { uri: c.uris['diary'], title: 'Wallaby diary' }],
      },
      { title: 'Wallaby diary', uri: null, jsonmodel_type: null, _path: [root] },
    ]);
    expect((await c.search({ q: 'numbat', ...below() })).json.results).toHaveLength(1);
    expect((await c.search({ type: ['resource'], paths: true })).json.results[0]).not.toHaveProperty('_path');
  });

  it('go through public copies', async () => {
    const rows = (await c.search(below({ q: 'numbat' }), c.publicUser)).json.results;
    expect(rows[0]._path.map(({ uri }: { readonly uri: string }) => uri)).toEqual([c.uris['papers'], c.uris['diary']]);
  });
});

describe('explain', () => {
  it('says how scores came about, in the order of the page', async () => {
    const { json } = await c.search({ q: 'wallaby diary^2', explain: true });
    expect(Object.keys(json.explain)).toEqual(json.results.map(({ id }: { readonly id: string }) => id));
    const explained: any = json.explain[c.uris['diary'] ?? ''];
    expect(explained).toMatchObject({
      is_identifier: false,
      factor: 1,
      words: expect.any(Number),
      score: expect.any(Number),
      first_round: expect.any(Number),
    });
    expect(explained.terms).toEqual(
      expect.arrayContaining([
        {
          term: "'diary'",
          documents: expect.any(Number),
          rarity: expect.any(Number),
          boost: 2,
          rank: expect.any(Number),
          adds: expect.any(Number),
        },
        {
          term: "'wallaby'",
          documents: expect.any(Number),
          rarity: expect.any(Number),
          boost: 1,
          rank: expect.any(Number),
          adds: expect.any(Number),
        },
      ]),
    );
    const scores = Object.values<any>(json.explain).map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    // What the terms add, by kind, length and place, is the score (docs/guides/search.md).
    const added = explained.terms.reduce((sum: number, { adds }: { readonly adds: number }) => sum + adds, 0);
    expect(explained.score).toBeCloseTo(
      ((added * (1 + (explained.factor - 1) * (0.5 + 0.5 * explained.in_title))) /
        (0.6 + (0.4 * Math.log(1 + explained.words)) / Math.log(31))) *
        explained.title_factor *
        explained.nearness *
        explained.coverage ** 2,
      2,
    );
    expect((await c.search({ q: 'MS-002.1', explain: true })).json.explain[c.uris['views'] ?? '']).toMatchObject({
      is_identifier: true,
    });
  });

  it('is for administrators alone', async () => {
    expect((await c.api.get(`/repositories/${c.repo}/search?page=1&q=x&explain=true`, c.viewer)).status).toBe(403);
    expect((await c.api.get('/search/repositories?page=1&explain=true', null)).status).toBe(403);
    expect((await c.search({ q: 'wallaby' })).json).not.toHaveProperty('explain');
  });
});

describe('stem', () => {
  it('finds words of q and aq in all their forms, and those in quotes as they are written', async () => {
    expect(await c.find({ q: 'title:diaries', type: ['archival_object'] })).toEqual([]);
    expect(await c.find({ q: 'title:diaries', type: ['archival_object'], stem: 'en' })).toEqual(['diary']);
    expect(await c.find({ q: 'title:"diaries"', type: ['archival_object'], stem: 'en' })).toEqual([]);
    expect(await c.find({ q: 'title:diaries', type: ['archival_object'], stem: 'none' })).toEqual([]);
    const aq = advanced({ jsonmodel_type: 'field_query', field: 'title', value: 'viewing harbors' });
    expect([await c.find({ aq }), await c.find({ aq, stem: 'en' })]).toEqual([[], ['views']]);
    const posted = await c.api.ask('/search', {
      form: new URLSearchParams({ page: '1', q: 'title:viewed', stem: 'en' }),
    });
    expect(posted.json.results.map(({ id }: { readonly id: string }) => id)).toEqual([c.uris['views']]);
  });

  it('works on every route of searches, with marks, facets, CSV and cursors', async () => {
    const {
      total_hits: total,
      highlighting,
      facets,
    } = await inHome({ q: 'viewing', stem: 'en', hl: true, facet: ['level'], facet_mincount: 1 }, c.viewer);
    expect([total, facets.facet_fields.level, highlighting[c.uris['views'] ?? ''].title]).toEqual([
      1,
      ['collection', 1],
      ['Harbor <span class="searchterm">views</span>'],
    ]);
    const { text } = await c.search({ q: 'title:viewing', stem: 'en', dt: 'csv', fields: ['title'] });
    expect(text).toBe('title\nHarbor views\n');
    const open = await c.api.get(`/search/subjects?${toQuery({ q: 'marsupial', stem: 'en' })}`, null);
    expect(open.json.total_hits).toBe(1);
    const walk = (parameters: { readonly [name: string]: string }) =>
      c.api.get(`/search?${new URLSearchParams({ page_size: '1', q: 'diaries', ...parameters })}`);
    const { json: first } = await walk({ stem: 'en', cursor: '*' });
    expect((await walk({ stem: 'en', cursor: first.next_cursor })).status).toBe(200);
    expect((await walk({ cursor: first.next_cursor })).json).toEqual({
      error: { cursor: [expect.stringMatching(/^Not a cursor of this search/)] },
    });
  });

  it('shows nothing that the caller could not find by the word as it is written', async () => {
    expect(await c.find({ q: 'confidentially', stem: 'en' })).toEqual(['papers']);
    expect(await inHome({ q: 'confidentially', stem: 'en' }, c.publicUser)).toMatchObject({ total_hits: 0 });
    expect(await inHome({ q: 'secrets', stem: 'en' }, c.viewer)).toMatchObject({ total_hits: 0 });
  });

  it('names the languages where it is none of them', async () => {
    const { status, json } = await c.search({ q: 'x', stem: 'klingon' });
    expect([status, json]).toEqual([
      400,
      { error: { stem: [expect.stringMatching(/^Must be one of: none, .*\ben\b/)] } },
    ]);
  });

  it('is what MUNIMENT_SEARCH_STEM says where the search does not', async () => {
    await using api = await startTestApi({ environment: { MUNIMENT_SEARCH_STEM: 'en' } });
    const repo = await api.repository('STEM');
    await api.create(`/repositories/${repo}/top_containers`, { indicator: '1', type: 'box', container_locations: [] });
    await api.create('/subjects', {
      source: 'local',
      vocabulary: '/vocabularies/1',
      terms: [{ term: 'Sketches', term_type: 'topical', vocabulary: '/vocabularies/1' }],
    });
    await untilIndexed(api.database);
    const totalOf = async (more: object): Promise<number> =>
      (await api.get(`/search?${toQuery({ type: ['subject'], ...more })}`)).json.total_hits;
    expect([
      await totalOf({ q: 'sketch' }),
      await totalOf({ q: '"sketch"' }),
      await totalOf({ q: 'sketch', stem: 'none' }),
      await totalOf({ q: 'sketch', stem: 'ru' }),
    ]).toEqual([1, 0, 0, 0]);
    const boxes = async (more: object): Promise<number> =>
      (await api.get(`/repositories/${repo}/top_containers/search?${new URLSearchParams({ q: 'boxes', ...more })}`))
        .json.response.numFound;
    expect([await boxes({}), await boxes({ stem: 'none' })]).toEqual([1, 0]);
  });
});

// What searches take and refuse, line by line (contract: behaviour-search.md sections 1, 2 and 10).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Collection } from './collection.ts';
import { toQuery } from '#test/support/search-query.ts';
import { advanced, startCollection } from './collection.ts';

let c: Collection;
beforeAll(async () => {
  c = await startCollection();
});
afterAll(() => c[Symbol.asyncDispose]());

const inTree = { q: 'primary_type:archival_object', sort: 'title_sort asc' };

describe('endpoints and who may ask (section 1)', () => {
  it.each(['/search', '/search/records', '/search/record_types_by_repository'])(
    '%s needs view_all_records, by GET and by POST',
    async (path) => {
      const query =
        path === '/search'
          ? 'page=1'
          : path === '/search/records'
            ? 'uri[]=/agents/people/1'
            : 'record_types[]=resource';
      for (const session of [c.viewer, null]) {
        expect((await c.api.get(`${path}?${query}`, session)).json).toEqual({ error: 'Access denied' });
        expect((await c.api.ask(path, { form: new URLSearchParams(query), session })).status).toBe(403);
      }
      expect((await c.api.get(`${path}?${query}`)).status).toBe(200);
      expect((await c.api.ask(path, { form: new URLSearchParams(query) })).status).toBe(200);
    },
  );

  it.each(['/search/location_profile', '/search/published_tree'])('%s knows GET alone', async (path) => {
    expect((await c.api.ask(path, { form: new URLSearchParams({ page: '1', node_uri: 'x' }) })).status).toBe(404);
  });

  it('finds in a repository what is its own and what is of none, and nothing of another', async () => {
    const { json } = await c.api.get(
      `/repositories/${c.repo}/search?${toQuery({ q: 'wallaby OR bandicoot', sort: 'title_sort asc' })}`,
      c.viewer,
    );
    const found = json.results.map((row: { readonly repository: string }) => row.repository);
    expect(new Set(found)).toEqual(new Set([`/repositories/${c.repo}`, 'global']));
  });

  it('lets nobody choose the type of /search/repositories, which lists unpublished ones to anybody but the public user', async () => {
    const asked = `/search/repositories?${toQuery({ type: ['resource'], sort: 'repo_sort asc' })}`;
    const titles = async (session?: string | null): Promise<unknown> =>
      (await c.api.get(asked, session)).json.results.map((row: { readonly title: string }) => row.title);
    expect(await titles(null)).toEqual(['HOME', 'AWAY']);
    expect(await titles(c.viewer)).toEqual(['HOME', 'AWAY']);
    expect(await titles(c.publicUser)).toEqual(['HOME']);
    expect(
      (await c.api.ask('/search/repositories', { form: new URLSearchParams({ page: '1' }), session: null })).json
        .total_hits,
    ).toBe(2);
  });

  it('answers 404 for the tree documents that no release makes', async () => {
    const { status, json } = await c.api.get('/search/published_tree?node_uri=/x');
    expect([status, json]).toEqual([404, { error: 'Not found' }]);
  });

  it('refuses a repository that does not exist', async () => {
    const { status, json } = await c.api.get('/repositories/999/search?page=1');
    expect([status, json]).toEqual([400, { error: { repo_id: ['Failed validation -- The Repository must exist'] } }]);
  });
});

describe('parameters (section 2)', () => {
  it('answers ten rows unless told, at most 250, and nothing past the end', async () => {
    const { json } = await c.api.get('/search?page=1');
    expect([json.page_size, json.results.length]).toEqual([10, 10]);
    expect((await c.search({ page_size: 251 })).json.page_size).toBe(250);
    const past = (await c.search({ page: 9, page_size: 5, q: 'title:wallaby', type: ['resource', 'archival_object'] }))
      .json;
    expect(past).toMatchObject({
      page_size: 5,
      first_page: 1,
      last_page: 1,
      this_page: 9,
      offset_first: 41,
      offset_last: 3,
      total_hits: 3,
      results: [],
    });
  });

  it('lets q win over aq, and matches everything without either', async () => {
    const aq = advanced({ jsonmodel_type: 'field_query', field: 'title', value: 'harbor' });
    expect(await c.find({ q: 'eire', aq })).toEqual(['eire']);
    expect(await c.find({ aq })).toEqual(['views']);
    expect((await c.search({})).json.total_hits).toBeGreaterThan(10);
  });

  it('takes type[] for any of the types of a document', async () => {
    expect(await c.find({ type: ['agent'], q: 'bandicoot' })).toEqual(['ada']);
    expect(new Set(await c.find({ type: ['digital_object', 'digital_object_component'] }))).toEqual(
      new Set(['scan', 'part']),
    );
    expect(await c.find({ type: ['Agent'] })).toEqual([]);
  });

  it('sorts by several fields', async () => {
    expect(await c.find({ type: ['resource'], sort: 'level desc, title_sort desc', q: '-title:abroad' })).toEqual([
      'eire',
      'papers',
      'views',
    ]);
    expect(await c.find({ type: ['resource'], sort: 'level asc,title_sort asc', q: '-title:abroad' })).toEqual([
      'views',
      'papers',
      'eire',
    ]);
  });

  it('sorts titles and identifiers as a whole, whatever field names them', async () => {
    for (const field of [
      'title',
      'title_ws',
      'display_string',
      'finding_aid_title',
      'finding_aid_filing_title',
      'parent_title',
    ])
      expect(await c.find({ ...inTree, sort: `${field} desc` })).toEqual(['diary', 'letters']);
    for (const field of ['four_part_id', 'identifier_ws'])
      expect(await c.find({ type: ['resource'], q: 'maps', sort: `${field} asc` })).toEqual(['eire', 'papers']);
  });

  it('puts records without the value last, whichever way', async () => {
    const ead = { type: ['resource'], q: 'wallaby OR views' };
    expect((await c.find({ ...ead, sort: 'ead_id asc, title_sort asc' }))[0]).toBe('papers');
    expect((await c.find({ ...ead, sort: 'ead_id desc, title_sort asc' }))[0]).toBe('papers');
  });

  it('counts facets from 0 unless facet_mincount says otherwise, by count and then value', async () => {
    const facets = async (more: object): Promise<any> =>
      (await c.search({ q: 'title:maps', facet: ['level', 'subjects', 'years', 'publish'], ...more })).json.facets;
    expect(await facets({ facet_mincount: 1 })).toEqual({
      facet_queries: {},
      facet_fields: { level: ['series', 1], subjects: [], years: ['1999', 1], publish: ['true', 1] },
      facet_ranges: {},
      facet_intervals: {},
      facet_heatmaps: {},
    });
    const { facet_fields: all } = await facets({});
    expect(all.level).toEqual(['series', 1, 'collection', 0, 'file', 0, 'item', 0]);
    expect(all.subjects).toEqual(['Marsupials', 0]);
  });

  it('takes filters literally and without weight', async () => {
    expect(
      await c.find({ filter: advanced({ jsonmodel_type: 'field_query', field: 'title', value: 'harbor views' }) }),
    ).toEqual(['views']);
    expect(
      await c.find({ filter: advanced({ jsonmodel_type: 'field_query', field: 'title', value: 'harbor OR maps' }) }),
    ).toEqual([]);
    expect(
      await c.find({
        filter: advanced({
          jsonmodel_type: 'boolean_query',
          op: 'AND',
          subqueries: [
            { jsonmodel_type: 'field_query', field: 'primary_type', value: 'resource' },
            { jsonmodel_type: 'field_query', field: 'level', value: 'series' },
          ],
        }),
      }),
    ).toEqual(['eire']);
  });

  it('takes each filter_query by itself', async () => {
    expect(await c.find({ ...inTree, filter_query: ['title:diary OR title:numbat', 'level:item'] })).toEqual([
      'letters',
    ]);
    expect(await c.find({ filter_query: ['primary_type:resource', '"unbalanced'] })).toEqual([]);
  });

  it('takes filter_term[] as texts, numbers and truth values, and ignores simple_filter[], set_default_level and facet_limit', async () => {
    const term = (value: unknown): readonly string[] => [JSON.stringify(value)];
    expect(await c.find({ filter_term: term({ subjects: 'Marsupials' }) })).toEqual(['papers']);
    expect(await c.find({ type: ['resource'], filter_term: term({ years: 1999 }) })).toEqual(['eire']);
    expect(await c.find({ type: ['resource'], q: 'harbor', filter_term: term({ publish: false }) })).toEqual(['views']);
    expect(
      await c.find({
        type: ['resource'],
        filter_term: [...term({ publish: true }), ...term({ level: 'collection', years: 1900 })],
      }),
    ).toEqual(['papers']);
    expect(
      await c.find({
        ...inTree,
        simple_filter: ['level:item'],
        set_default_level: 'x',
        facet_limit: 1,
        'nonsense[]': 'y',
      }),
    ).toEqual(['letters', 'diary']);
  });

  it('leaves out the ids in exclude[]', async () => {
    expect(await c.find({ ...inTree, exclude: [c.uris['diary'] ?? '', '/nothing/1'] })).toEqual(['letters']);
  });

  it('keeps to the tree of root_record, without its root', async () => {
    expect(await c.find({ root_record: c.uris['papers'] ?? '', sort: 'title_sort asc' })).toEqual(['letters', 'diary']);
    expect(await c.find({ root_record: c.uris['scan'] ?? '' })).toEqual(['part']);
  });

  it('marks words where hl asks for it, and leaves the key out otherwise', async () => {
    const { json } = await c.search({ q: 'harbor maps', hl: 'TRUE', type: ['resource'] });
    expect(json.highlighting[c.uris['papers'] ?? '']).toMatchObject({
      notes: [
        'Letters about <span class="searchterm">harbor</span> <span class="searchterm">maps</span> of the old town',
      ],
    });
    expect((await c.search({ q: 'harbor maps' })).json).not.toHaveProperty('highlighting');
    expect((await c.search({ q: `id:"${c.uris['views']}"`, hl: true })).json.highlighting).toEqual({
      [c.uris['views'] ?? '']: {},
    });
  });

  it('marks words in fields that are copies of others, too', async () => {
    const { json } = await c.search({ q: 'ada marsupials papers letters', hl: true, type: ['resource'] });
    const span = (word: string): string => `<span class="searchterm">${word}</span>`;
    const marked = json.highlighting[c.uris['papers'] ?? ''];
    expect(marked).toMatchObject({
      title: [`Wallaby ${span('papers')}`],
      title_ws: [`Wallaby ${span('papers')}`],
      notes_published: [`${span('Letters')} about harbor maps of the old town`],
    });
    for (const [name, word] of [
      ['creators_text', 'Ada'],
      ['agents_text', 'Ada'],
      ['subjects_text', 'Marsupials'],
    ] as const)
      expect(marked[name]).toEqual([expect.stringContaining(span(word))]);
    expect(marked).not.toHaveProperty('creators');
  });

  it('takes lists as name[]=a&name[]=b and as name[0]=a&name[1]=b, in the query and in a form', async () => {
    const hits = async (text: string): Promise<unknown> => [
      (await c.api.get(`/search?page=1&${text}`)).json.total_hits,
      (await c.api.ask('/search', { form: new URLSearchParams(`page=1&${text}`) })).json.total_hits,
    ];
    expect(await hits('type[]=digital_object&type[]=digital_object_component')).toEqual([2, 2]);
    expect(await hits('type[1]=digital_object&type[0]=digital_object_component')).toEqual([2, 2]);
    const fields = await c.api.get(
      '/search?page=1&type[]=digital_object&fields[1]=title&fields[0]=id&fields[2]=primary_type',
    );
    expect(fields.json.results).toEqual([
      {
        id: c.uris['scan'],
        primary_type: 'digital_object',
        title: 'Scan of a diary',
        uri: c.uris['scan'],
        jsonmodel_type: 'digital_object',
      },
    ]);
  });

  it('gives form values precedence over the query', async () => {
    expect(
      (await c.api.ask('/search?q=eire&page=1', { form: new URLSearchParams({ q: 'numbat' }) })).json.results[0].id,
    ).toBe(c.uris['letters']);
  });

  it('accepts modified_since, sort_field and sort_direction without heeding them', async () => {
    expect(await c.find({ ...inTree, modified_since: 4_000_000_000, sort_field: 'x', sort_direction: 'desc' })).toEqual(
      ['letters', 'diary'],
    );
  });
});

describe('what is refused (sections 2 and 10)', () => {
  it.each<[string, object]>([
    ['q=x', { page: ['Parameter required but no value provided'] }],
    ['all_ids=true', { page: ['Parameter required but no value provided'] }],
    [
      'page=1&type=a',
      { type: ["Wanted type [String] but got 'a'.  Perhaps you meant to specify an array like: type[]=a"] },
    ],
    ['page=1&hl=maybe', { hl: ["Wanted type RESTHelpers::BooleanParam but got 'maybe'"] }],
    ['page=1&facet_mincount=many', { facet_mincount: ["Wanted type Integer but got 'many'"] }],
    [
      'page=1&sort_direction=up',
      { sort_direction: ["Failed validation -- must be either 'asc' or 'desc' but given: up"] },
    ],
    ['page=x', { page: ["Wanted type Integer but got 'x'"] }],
    ['page=1&sort=nonsense%20asc', { sort: ["'nonsense' cannot be sorted by"] }],
    ['page=1&sort=subjects%20asc', { sort: ["'subjects' cannot be sorted by"] }],
    ['page=1&sort=title_sort', { sort: ["'title_sort' is not a field followed by asc or desc"] }],
    ['page=1&facet[]=nonsense', { facet: ["'nonsense' cannot be counted"] }],
    [
      'page=1&resolve[]=resource',
      { resolve: ['Resolve request parameter not well-formed: resource.  Should be source_field:target_field'] },
    ],
    ['page=1&resolve[]=resource:uri@other', { resolve: ['Unrecognized search resolver: other'] }],
  ])('answers 400 and names the parameter of %s', async (text, error) => {
    const { status, json } = await c.api.get(`/search?${text}`);
    expect([status, json]).toEqual([400, { error }]);
  });

  it.each(['page=0', 'page=-1', 'page=1&page_size=0', 'page=1&page_size=-3'])('answers 400 to %s', async (text) => {
    expect((await c.api.get(`/search?${text}`)).status).toBe(400);
  });

  it('names all wrong parameters together, in the order in which they are declared', async () => {
    const { json } = await c.api.get('/search?page=x&hl=maybe&type=a&sort_direction=up');
    expect(Object.keys(json.error)).toEqual(['type', 'hl', 'page', 'sort_direction']);
  });

  it('answers a wrong structured query with 400', async () => {
    expect((await c.search({ aq: '{' })).json.error).toMatch(/^Had some trouble parsing your request: /);
    expect((await c.search({ filter: '{' })).status).toBe(400);
    const range = advanced({ jsonmodel_type: 'range_query', field: 'create_time', from: 'yesterday' });
    for (const [name, text] of [
      ['filter', range],
      ['aq', range],
      ['filter', advanced({ jsonmodel_type: 'field_query', field: 'nonsense', value: 'x' })],
    ] as const) {
      const { status, json } = await c.search({ [name]: text });
      expect([status, typeof json.error]).toEqual([400, 'string']);
    }
  });

  it('answers 400 to more than 1,024 clauses', async () => {
    const many = Array.from({ length: 1025 }, (_, n) => `/x/${n}`);
    expect(
      (
        await c.api.ask('/search', {
          form: new URLSearchParams([['page', '1'], ...many.map((id): [string, string] => ['exclude[]', id])]),
        })
      ).json,
    ).toEqual({ error: { exclude: ['takes at most 1024 values'] } });
    expect((await c.search({ q: 'a '.repeat(1025) })).json).toEqual({ error: 'The query has more than 1024 clauses' });
  });

  it.each([300, 1000])('takes %i uris in q and aq, by POST', async (count) => {
    const uris = Array.from({ length: count - 2 }, (_, n) => `/repositories/9/archival_objects/${n}`);
    const q = `(${[c.uris['papers'], ...uris, c.uris['views']].map((uri) => `"${uri}"`).join(' OR ')})`;
    for (const field of ['id', 'uri'])
      for (const query of [
        ['q', `${field}:${q}`],
        ['q', `harbor AND ${field}:${q}`],
        ['aq', advanced({ jsonmodel_type: 'field_query', field, value: q })],
      ] as const) {
        const form = new URLSearchParams({ page: '1', sort: 'title_sort asc', [query[0]]: query[1] });
        const { status, json } = await c.api.ask('/search', { form });
        const found = json.results.map((row: { readonly id: string }) => row.id);
        expect([status, found]).toEqual([200, [c.uris['views'], c.uris['papers']]]);
      }
    // The root of a tree, by a lexeme for each.
    const form = new URLSearchParams({ page: '1', q: `resource:${q}`, 'fields[]': 'title' });
    expect((await c.api.ask('/search', { form })).json.total_hits).toBe(2);
  });
});

describe('who finds what (section 2, filters always added)', () => {
  it('hides what is suppressed on a repository route from whom may not see it', async () => {
    const at = `/repositories/${c.repo}/search?${toQuery({ q: 'secret' })}`;
    expect((await c.api.get(at, c.viewer)).json.total_hits).toBe(0);
    expect(await c.find({ q: 'secret' })).toEqual(['gift']);
  });

  it('shows the public user what is published alone, and components as their public copies', async () => {
    expect(await c.find({ q: 'harbor OR secret OR abroad' }, c.publicUser)).toEqual(['papers']);
    expect(await c.find({ q: 'title:diary', type: ['archival_object'] }, c.publicUser)).toEqual([
      `${c.uris['diary']}#pui`,
    ]);
    expect(await c.find({ q: 'confidential' }, c.publicUser)).toEqual([]);
    expect((await c.search({ type: ['pui_only'] })).json.total_hits).toBe(0);
  });
});

// Replies of searches: the page, documents by uri, counts, containers, CSV, resolved documents (contract: behaviour-search.md sections 5 to 8, 13).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Collection } from './collection.ts';
import { toQuery } from '#test/support/search-query.ts';
import { advanced, startCollection } from './collection.ts';

let c: Collection;
beforeAll(async () => {
  c = await startCollection();
});
afterAll(() => c[Symbol.asyncDispose]());

const uri = (name: string): string => c.uris[name] ?? '';
const emptyFacets = { facet_queries: {}, facet_fields: {}, facet_ranges: {}, facet_intervals: {}, facet_heatmaps: {} };

describe('the search page (section 5)', () => {
  it('has its keys in their order, and highlighting and warnings only where there is cause', async () => {
    const keys = [
      'page_size',
      'first_page',
      'last_page',
      'this_page',
      'offset_first',
      'offset_last',
      'total_hits',
      'results',
      'facets',
    ];
    expect(Object.keys((await c.search({ q: 'eire' })).json)).toEqual(keys);
    expect(Object.keys((await c.search({ q: '(eire', hl: true })).json)).toEqual([...keys, 'highlighting', 'warnings']);
  });

  it('answers exactly this', async () => {
    const { text } = await c.api.get(
      `/search?${toQuery({ page_size: 1, q: 'maps', type: ['resource'], facet: ['primary_type'], facet_mincount: 1, fields: ['id', 'title', 'primary_type'], filter_query: ['publish:true'], sort: 'title_sort asc' })}`,
    );
    expect(text.trimEnd()).toBe(
      JSON.stringify({
        page_size: 1,
        first_page: 1,
        last_page: 2,
        this_page: 1,
        offset_first: 1,
        offset_last: 1,
        total_hits: 2,
        results: [
          {
            id: uri('eire'),
            title: 'Maps of Éire',
            primary_type: 'resource',
            uri: uri('eire'),
            jsonmodel_type: 'resource',
          },
        ],
        facets: { ...emptyFacets, facet_fields: { primary_type: ['resource', 2] } },
      }),
    );
  });

  it('says 0 pages and offsets 1 and 0 where nothing is found', async () => {
    const { json } = await c.search({ q: 'nothingatall' });
    expect(json).toEqual({
      page_size: 50,
      first_page: 1,
      last_page: 0,
      this_page: 1,
      offset_first: 1,
      offset_last: 0,
      total_hits: 0,
      results: [],
      facets: emptyFacets,
    });
  });

  it('tells where a page stands', async () => {
    const { json } = await c.search({ type: ['resource'], page: 2, page_size: 3 });
    expect(json).toMatchObject({ last_page: 2, this_page: 2, offset_first: 4, offset_last: 4, total_hits: 4 });
  });

  it('gives null for uri and jsonmodel_type where fields[] leaves out what they are made of', async () => {
    expect((await c.search({ q: 'eire', fields: ['title'] })).json.results).toEqual([
      { title: 'Maps of Éire', uri: null, jsonmodel_type: null },
    ]);
  });

  it('holds the whole record as text, with refs resolved', async () => {
    const [row] = (await c.search({ q: 'title:papers', type: ['resource'] })).json.results;
    const record = JSON.parse(row.json);
    expect(record).toMatchObject({
      uri: uri('papers'),
      title: 'Wallaby <emph>papers</emph>',
      jsonmodel_type: 'resource',
    });
    expect(record.subjects[0]._resolved.title).toBe('Marsupials');
  });

  it.each([
    'primary_type',
    'creators',
    'subjects',
    'langcode',
    'repository',
    'published_agents',
    'source',
    'rules',
    'accession_date_year',
    'publish',
    'level',
    'classification_path',
    'digital_object_type',
    'temporary',
    'owner_repo_display_string_u_ssort',
    'building',
    'floor',
    'room',
    'area',
    'location_profile_display_string_u_ssort',
    'first_term_type',
    'event_type',
    'outcome',
    'status',
    'job_type',
    'report_type',
    'owner',
    'assessment_record_types',
    'assessment_surveyors',
    'assessment_review_required',
    'assessment_reviewers',
    'assessment_completed',
    'assessment_inactive',
    'assessment_survey_year',
    'assessment_sensitive_material',
    ...['width', 'height', 'depth', 'dimension_units'].map((size) => `container_profile_${size}_u_sstr`),
  ])('counts %s', async (field) => {
    const { status, json } = await c.search({ facet: [field], page_size: 1 });
    expect([status, Array.isArray(json.facets.facet_fields[field])]).toEqual([200, true]);
  });

  it.each([
    'access_restrictions',
    'accession_date',
    'acquisition_type',
    'area',
    'assessment_completed',
    'assessment_id',
    'assessment_inactive',
    'assessment_review_required',
    'assessment_sensitive_material',
    'assessment_survey_begin',
    'authority_id',
    'barcode_u_icusort',
    'building',
    'create_time',
    'digital_object_id',
    'digital_object_type',
    'ead_id',
    'event_type',
    'finding_aid_status',
    'first_term_type',
    'floor',
    'has_classification_terms',
    'identifier',
    'identifier_sort',
    'indicator_u_icusort',
    'is_user',
    'job_report_type',
    'level',
    'outcome',
    'parent_type',
    'primary_type',
    'processing_funding_source',
    'processing_hours_total',
    'processing_priority',
    'processing_status',
    'processors',
    'publish',
    'queue_position',
    'ref_id',
    'repo_sort',
    'resource_type',
    'restrictions',
    'restrictions_apply',
    'room',
    'rules',
    'source',
    'temporary',
    'time_finished',
    'time_started',
    'time_submitted',
    'title_sort',
    'type_u_ssort',
    'uri',
    'use_restrictions',
    'user_mtime',
    'score',
    'year_sort',
    'typeahead_sort_key_u_sort',
    'position_int_sort',
  ])('sorts by %s', async (field) => {
    for (const direction of ['asc', 'desc'])
      expect((await c.search({ sort: `${field} ${direction}`, page_size: 1 })).status).toBe(200);
  });
});

describe('documents by uri (section 5)', () => {
  const records = (uris: readonly string[], session?: string) =>
    c.api.get(`/search/records?${uris.map((one) => `uri[]=${encodeURIComponent(one)}`).join('&')}`, session);
  const idsOf = (json: any): readonly string[] => json.results.map((row: { readonly id: string }) => row.id);

  it('answers them on one page in the order asked, each once, without those that are not there', async () => {
    const wanted = [uri('scan'), '/repositories/2/resources/999', uri('papers'), uri('scan')];
    const { json } = await records(wanted);
    expect(json).toMatchObject({
      page_size: 4,
      first_page: 1,
      last_page: 1,
      this_page: 1,
      offset_first: 1,
      offset_last: 2,
      total_hits: 2,
    });
    expect(idsOf(json)).toEqual([uri('scan'), uri('papers')]);
    const form = new URLSearchParams(wanted.map((one): [string, string] => ['uri[]', one]));
    expect((await c.api.ask('/search/records', { form })).json).toEqual(json);
  });

  it('finds public copies by id, mixed with others, in the order asked', async () => {
    const copy = `${uri('diary')}#pui`;
    expect(idsOf((await records([uri('papers'), copy], c.publicUser)).json)).toEqual([uri('papers'), copy]);
    expect(idsOf((await records([copy, uri('views')], c.publicUser)).json)).toEqual([copy]);
  });

  it('needs uri[]', async () => {
    expect((await c.api.get('/search/records')).json).toEqual({
      error: { uri: ['Parameter required but no value provided'] },
    });
  });
});

describe('counts by repository (section 5)', () => {
  it('tells every repository, also one that has none', async () => {
    const { json } = await c.api.get(
      '/search/record_types_by_repository?record_types[]=resource&record_types[]=subject&record_types[]=pui',
    );
    expect(json).toEqual({
      [`/repositories/${c.repo}`]: { resource: 2, subject: 1, pui: expect.any(Number) },
      [`/repositories/${c.away}`]: { resource: 0, subject: 0, pui: 0 },
    });
    expect((await c.api.get('/search/record_types_by_repository?record_types[]=resource', c.publicUser)).json).toEqual({
      [`/repositories/${c.repo}`]: { resource: 2 },
    });
  });

  it('tells one repository alone', async () => {
    const form = new URLSearchParams([
      ['record_types[]', 'resource'],
      ['record_types[]', 'archival_object'],
      ['repo_uri', `/repositories/${c.repo}`],
    ]);
    expect((await c.api.ask('/search/record_types_by_repository', { form })).json).toEqual({
      resource: 2,
      archival_object: 2,
    });
    expect((await c.api.get('/search/record_types_by_repository')).json).toEqual({
      error: { record_types: ['Parameter required but no value provided'] },
    });
  });
});

describe('containers (section 5)', () => {
  const at = (text: string) => c.api.get(`/repositories/${c.repo}/top_containers/search?${text}`, c.viewer);

  it('answer in the shape of the index, all at once', async () => {
    const { json } = await at('facet[]=type_u_ssort&facet_mincount=1');
    expect(Object.keys(json)).toEqual(['responseHeader', 'response', 'facet_counts']);
    expect(json.responseHeader.params).toEqual({ rows: '10000' });
    expect(json.response).toMatchObject({ numFound: 2, start: 0, numFoundExact: true });
    expect(Object.keys(json.response)).toEqual(['numFound', 'start', 'numFoundExact', 'docs']);
    expect(json.facet_counts).toEqual({ ...emptyFacets, facet_fields: { type_u_ssort: ['box', 2] } });
  });

  it('are found by the identifier of their collection, however it is written, and by their own', async () => {
    for (const q of [
      'MS-001',
      'MS001',
      'collection_identifier_u_stext:ms',
      '39002012345678',
      `collection_uri_u_sstr:"${uri('papers')}"`,
    ]) {
      expect(
        (await at(`q=${encodeURIComponent(q)}`)).json.response.docs.map((doc: { readonly uri: string }) => doc.uri),
      ).toEqual([uri('box')]);
    }
    const filter = encodeURIComponent(
      advanced({ jsonmodel_type: 'field_query', field: 'collection_uri_u_sstr', value: uri('papers') }),
    );
    expect((await at(`filter=${filter}`)).json.response.numFound).toBe(1);
  });

  it('take sort, hl and page without heeding them', async () => {
    expect((await at('sort=nonsense&hl=true&page=x')).json.response.numFound).toBe(2);
  });
});

describe('CSV (section 7)', () => {
  const csv = (parameters: object) =>
    c.api.get(
      `/repositories/${c.repo}/search?${toQuery({ dt: 'csv', type: ['resource'], sort: 'title_sort asc', ...parameters })}`,
    );

  it('holds all pages from the first on, whatever their size, in the order of fields[]', async () => {
    const reply = await csv({ page_size: 1, fields: ['title', 'subjects', 'id'] });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(reply.text).toBe(
      `title,subjects,id\nHarbor views,,${uri('views')}\nMaps of Éire,,${uri('eire')}\nWallaby <emph>papers</emph>,Marsupials,${uri('papers')}\n`,
    );
  });

  it('joins several values by commas, in quotation marks', async () => {
    expect((await csv({ q: 'eire', fields: ['types'] })).text).toBe('types\n"resource,pui_collection,pui"\n');
  });

  it('holds every stored field where none is named', async () => {
    const header = (await csv({ q: 'eire' })).text.split('\n')[0]?.split(',');
    expect(header).toEqual(
      expect.arrayContaining(['id', 'uri', 'title', 'json', 'primary_type', 'types', 'identifier', 'level']),
    );
  });
});

describe('resolve[] (section 8)', () => {
  it('puts the documents that rows name beside them, whole or compact, null where there are none', async () => {
    const { json } = await c.search({
      q: 'title:diary OR title:eire',
      type: ['archival_object', 'resource'],
      sort: 'title_sort desc',
      resolve: ['resource:uri@compact_resource', 'top_container_uri_u_sstr:id'],
      fields: ['id', 'title'],
    });
    const [diary, eire] = json.results;
    expect(diary._resolved_resource).toEqual({
      [uri('papers')]: [
        {
          id_0: 'MS',
          id_1: '001',
          level: 'collection',
          title: 'Wallaby <emph>papers</emph>',
          uri: uri('papers'),
          publish: true,
        },
      ],
    });
    expect(diary._resolved_top_container_uri_u_sstr[uri('box')]).toEqual([
      expect.objectContaining({ id: uri('box'), primary_type: 'top_container' }),
    ]);
    expect([eire._resolved_resource, eire._resolved_top_container_uri_u_sstr]).toEqual([null, null]);
  });

  it('gives nothing that the caller may not find', async () => {
    const { json } = await c.api.get(
      `/repositories/${c.repo}/search?${toQuery({ q: `uri:"/repositories/${c.repo}" OR bandicoot`, resolve: ['repository:id'] })}`,
      c.viewer,
    );
    expect(JSON.stringify(json)).not.toContain('AWAY');
  });
});

describe('by-external-id (section 6)', () => {
  it('goes to the record that has the identifier, exactly written', async () => {
    const reply = await c.api.get('/by-external-id?eid=EXT-1');
    expect([reply.status, reply.headers.get('location')]).toEqual([303, uri('papers')]);
    const none = await c.api.get('/by-external-id?eid=ext-1');
    expect([none.status, none.json]).toEqual([404, []]);
  });
});

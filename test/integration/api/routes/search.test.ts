// Searching over HTTP on the whole service: what clients send, and what they are answered.
import { describe, expect, it } from 'vitest';
import { toQuery } from '#test/support/search-query.ts';
import { idsOf, searchedService } from '#test/support/searched-service.ts';

const { api, repo, other, viewer, uris } = await searchedService();

describe('what clients send', () => {
  it('finds by q, type, fields and sort', async () => {
    const { status, json } = await api.get(
      `/repositories/${repo}/search?${toQuery({ q: 'primary_type:resource AND title:wallaby AND identifier:WB*', sort: 'title_sort asc', fields: ['id', 'title', 'primary_type'] })}`,
    );
    expect(status).toBe(200);
    expect(json).toMatchObject({
      page_size: 50,
      first_page: 1,
      last_page: 1,
      this_page: 1,
      offset_first: 1,
      offset_last: 2,
      total_hits: 2,
    });
    expect(json.results).toEqual([
      {
        id: uris.unpublished,
        title: 'Wallaby draft',
        primary_type: 'resource',
        uri: uris.unpublished,
        jsonmodel_type: 'resource',
      },
      {
        id: uris.resource,
        title: 'Wallaby papers',
        primary_type: 'resource',
        uri: uris.resource,
        jsonmodel_type: 'resource',
      },
    ]);
  });

  it('answers the record as text in json', async () => {
    const { json } = await api.get(`/search?${toQuery({ q: 'title:"wallaby papers"', type: ['resource'] })}`);
    const record = JSON.parse(json.results[0].json);
    expect(record).toMatchObject({ uri: uris.resource, title: 'Wallaby papers', id_0: 'WB 1' });
    expect(record.linked_agents[0]._resolved).toMatchObject({ uri: uris.agent });
  });

  it('takes the same parameters from a form', async () => {
    const { status, json } = await api.ask('/search', {
      form: new URLSearchParams([
        ['q', 'wallaby'],
        ['page', '1'],
        ['type[]', 'resource'],
        ['type[]', 'archival_object'],
      ]),
    });
    expect([status, json.total_hits, json.page_size]).toEqual([200, 4, 10]);
  });

  it('cuts a large page size to 250 and refuses a missing page', async () => {
    expect((await api.get('/search?page=1&page_size=2000&q=wallaby')).json.page_size).toBe(250);
    const { status, json } = await api.get('/search?q=wallaby');
    expect([status, json]).toEqual([400, { error: { page: ['Parameter required but no value provided'] } }]);
  });

  it('filters by filter_term and names a field that it does not know', async () => {
    const term = JSON.stringify({ collection_uri_u_sstr: uris.resource });
    expect(idsOf((await api.get(`/search?${toQuery({ q: '*', filter_term: [term] })}`)).json)).toEqual([
      uris.container,
    ]);
    expect(
      idsOf((await api.get(`/search?${toQuery({ q: '*', filter_term: [term, '{"primary_type":"resource"}'] })}`)).json),
    ).toEqual([]);
    const { status, json } = await api.get(`/search?${toQuery({ q: '*', filter_term: ['{"nonsense":"x"}'] })}`);
    expect([status, JSON.stringify(json.error)]).toEqual([400, expect.stringContaining('nonsense')]);
  });

  it('reads structured queries', async () => {
    const aq = JSON.stringify({
      jsonmodel_type: 'advanced_query',
      query: {
        jsonmodel_type: 'boolean_query',
        op: 'AND',
        subqueries: [
          { jsonmodel_type: 'field_query', field: 'title', value: 'wallaby' },
          { jsonmodel_type: 'boolean_field_query', field: 'published', value: false },
        ],
      },
    });
    expect(idsOf((await api.get(`/repositories/${repo}/search?${toQuery({ aq })}`, viewer)).json)).toEqual([
      uris.unpublished,
    ]);
  });

  it('searches broken syntax as plain words and says so', async () => {
    const { status, json } = await api.get(`/search?${toQuery({ q: '"wallaby ((diary' })}`);
    expect([status, idsOf(json)]).toEqual([200, [uris.file]]);
    expect(json.warnings.length).toBeGreaterThan(0);
  });

  it('answers a search of top containers in the raw shape', async () => {
    const { status, json } = await api.get(
      `/repositories/${repo}/top_containers/search?q=${encodeURIComponent(`collection_uri_u_sstr:"${uris.resource}"`)}`,
    );
    expect(status).toBe(200);
    expect(json.response).toMatchObject({ numFound: 1, start: 0, numFoundExact: true });
    expect(JSON.parse(json.response.docs[0].json)).toMatchObject({ uri: uris.container, barcode: '39002012345678' });
    expect(json).toHaveProperty('responseHeader.status', 0);
    expect(json).toHaveProperty('facet_counts.facet_fields');
  });

  it('answers documents by uri in the order asked', async () => {
    const wanted = [uris.file, '/repositories/2/resources/999999', uris.resource, uris.agent];
    const { json } = await api.get(
      `/search/records?${wanted.map((uri) => `uri[]=${encodeURIComponent(uri)}`).join('&')}`,
    );
    expect(idsOf(json)).toEqual([uris.file, uris.resource, uris.agent]);
    expect(json.page_size).toBe(4);
  });

  it('puts named documents beside rows', async () => {
    const { json } = await api.get(`/search?${toQuery({ q: 'diary', resolve: ['resource:uri@compact_resource'] })}`);
    expect(json.results[0]._resolved_resource).toEqual({
      [uris.resource]: [expect.objectContaining({ title: 'Wallaby papers', id_0: 'WB 1', publish: true })],
    });
    expect((await api.get(`/search?${toQuery({ q: 'diary', resolve: ['resource'] })}`)).status).toBe(400);
  });

  it('counts published types by repository', async () => {
    const { json } = await api.get(
      '/search/record_types_by_repository?record_types[]=resource&record_types[]=agent_person',
    );
    expect(json[`/repositories/${repo}`]).toEqual({ resource: 1, agent_person: 1 });
    expect(json[`/repositories/${other}`]).toEqual({ resource: 1, agent_person: 0 });
  });

  it('searches repositories and subjects without a session', async () => {
    const { status, json } = await api.get(
      `/search/repositories?${toQuery({ q: '*', facet: ['subjects', 'primary_type'] })}`,
      null,
    );
    expect([status, idsOf(json).sort()]).toEqual([200, [`/repositories/${repo}`, `/repositories/${other}`].sort()]);
    expect(json.facets.facet_fields).toEqual({ subjects: [], primary_type: ['repository', 2] });
    expect((await api.get(`/search/subjects?${toQuery({ q: '*' })}`, null)).status).toBe(200);
    expect((await api.get(`/search/location_profile?${toQuery({ q: '*' })}`, null)).json.total_hits).toBe(0);
  });
});

describe('strict=true', () => {
  it('refuses broken syntax, naming the column, and changes nothing else', async () => {
    const broken = { q: 'title:(wallaby' };
    expect((await api.get(`/search?${toQuery(broken)}`)).json.warnings).toHaveLength(1);
    const refused = await api.get(`/search?${toQuery({ ...broken, strict: 'true' })}`);
    expect([refused.status, refused.json.error.q[0]]).toEqual([400, expect.stringMatching(/^column \d+: /)]);
    expect((await api.get(`/search?${toQuery({ q: 'title:(wallaby)', strict: 'true' })}`)).status).toBe(200);
  });
});

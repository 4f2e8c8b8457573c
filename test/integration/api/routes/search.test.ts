// Searching over HTTP on the whole service: what clients send, and that nobody finds what is hidden from them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { untilIndexed } from '#test/support/indexer.ts';
import { personBody, resourceBody } from '#test/support/records.ts';

let api: TestApi;
let repo: number;
let other: number;
let viewer: string;
let publicUser: string;
const uris: { [name: string]: string } = {};

const idsOf = (json: any): string[] => json.results.map((row: any) => row.id);
const query = (parameters: { readonly [name: string]: string | number | readonly string[] }): string =>
  Object.entries({ page: 1, page_size: 50, ...parameters })
    .flatMap(([name, value]) =>
      Array.isArray(value)
        ? value.map((one) => `${name}[]=${encodeURIComponent(one)}`)
        : [`${name}=${encodeURIComponent(String(value))}`],
    )
    .join('&');

async function make(name: string, path: string, body: unknown): Promise<string> {
  const reply = await api.post(path, body);
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  return (uris[name] = String(reply.json.uri));
}

beforeAll(async () => {
  api = await startTestApi();
  repo = await api.repository('HOME');
  other = await api.repository('AWAY');
  viewer = await api.userWith(['view_repository'], repo);
  publicUser = await api.userWith(['view_repository'], repo);
  for (const id of [repo, other]) {
    const { json } = await api.get(`/repositories/${id}`);
    await api.post(`/repositories/${id}`, { ...json, publish: true });
  }
  await make('agent', '/agents/people', { ...personBody('Bandicoot, Ada'), publish: true });
  const collection = await make(
    'resource',
    `/repositories/${repo}/resources`,
    resourceBody('WB 1', {
      title: 'Wallaby papers',
      publish: true,
      linked_agents: [{ ref: uris['agent'], role: 'creator' }],
      notes: [
        {
          jsonmodel_type: 'note_multipart',
          type: 'scopecontent',
          publish: true,
          subnotes: [{ jsonmodel_type: 'note_text', content: 'Wallaby letters', publish: true }],
        },
        {
          jsonmodel_type: 'note_multipart',
          type: 'processinfo',
          publish: false,
          subnotes: [{ jsonmodel_type: 'note_text', content: 'Confidential wallaby whereabouts', publish: true }],
        },
      ],
    }),
  );
  await make('container', `/repositories/${repo}/top_containers`, {
    indicator: '1',
    type: 'box',
    barcode: '39002012345678',
  });
  await make('file', `/repositories/${repo}/archival_objects`, {
    title: 'Wallaby diary',
    level: 'file',
    component_id: 'F-77',
    publish: true,
    resource: { ref: collection },
    instances: [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref: uris['container'] } } }],
  });
  await make(
    'unpublished',
    `/repositories/${repo}/resources`,
    resourceBody('WB 2', { title: 'Wallaby draft', publish: false }),
  );
  await make('suppressed', `/repositories/${repo}/accessions`, {
    id_0: 'WB 3',
    title: 'Wallaby secret',
    accession_date: '2020-01-01',
    publish: true,
  });
  await make(
    'away',
    `/repositories/${other}/resources`,
    resourceBody('WB 4', { title: 'Wallaby abroad', publish: true }),
  );
  await api.database.transaction(async (tx) => {
    await tx.run(sql`UPDATE record SET suppressed = true WHERE kind = 'accession' AND label LIKE 'Wallaby secret%'`);
    await tx.run(
      sql`INSERT INTO change (kind, id, repo_id, op, lock_version) SELECT kind, id, repo_id, 'update', 1 FROM record WHERE kind = 'accession' AND suppressed`,
    );
    tx.changed();
  });
  // The user of the public interface: found by name, with its two global permissions.
  await api.database.transaction(async (tx) => {
    await tx.run(
      sql`UPDATE session SET user_id = (SELECT id FROM record WHERE kind = 'user' AND body->>'username' = 'public_anonymous') WHERE token_hash = sha256(convert_to(${publicUser}, 'UTF8'))`,
    );
  });
  await untilIndexed(api.database);
});
afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
});

describe('what clients send', () => {
  it('finds by q, type, fields and sort', async () => {
    const { status, json } = await api.get(
      `/repositories/${repo}/search?${query({ q: 'primary_type:resource AND title:wallaby AND identifier:WB*', sort: 'title_sort asc', fields: ['id', 'title', 'primary_type'] })}`,
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
        id: uris['unpublished'],
        title: 'Wallaby draft',
        primary_type: 'resource',
        uri: uris['unpublished'],
        jsonmodel_type: 'resource',
      },
      {
        id: uris['resource'],
        title: 'Wallaby papers',
        primary_type: 'resource',
        uri: uris['resource'],
        jsonmodel_type: 'resource',
      },
    ]);
  });

  it('answers the record as text in json', async () => {
    const { json } = await api.get(`/search?${query({ q: 'title:"wallaby papers"', type: ['resource'] })}`);
    const record = JSON.parse(json.results[0].json);
    expect(record).toMatchObject({ uri: uris['resource'], title: 'Wallaby papers', id_0: 'WB 1' });
    expect(record.linked_agents[0]._resolved).toMatchObject({ uri: uris['agent'] });
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
    const term = JSON.stringify({ collection_uri_u_sstr: uris['resource'] });
    expect(idsOf((await api.get(`/search?${query({ q: '*', filter_term: [term] })}`)).json)).toEqual([
      uris['container'],
    ]);
    expect(
      idsOf((await api.get(`/search?${query({ q: '*', filter_term: [term, '{"primary_type":"resource"}'] })}`)).json),
    ).toEqual([]);
    const { status, json } = await api.get(`/search?${query({ q: '*', filter_term: ['{"nonsense":"x"}'] })}`);
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
    expect(idsOf((await api.get(`/repositories/${repo}/search?${query({ aq })}`, viewer)).json)).toEqual([
      uris['unpublished'],
    ]);
  });

  it('searches broken syntax as plain words and says so', async () => {
    const { status, json } = await api.get(`/search?${query({ q: '"wallaby ((diary' })}`);
    expect([status, idsOf(json)]).toEqual([200, [uris['file']]]);
    expect(json.warnings.length).toBeGreaterThan(0);
  });

  it('answers a search of top containers in the raw shape', async () => {
    const { status, json } = await api.get(
      `/repositories/${repo}/top_containers/search?q=${encodeURIComponent(`collection_uri_u_sstr:"${uris['resource']}"`)}`,
    );
    expect(status).toBe(200);
    expect(json.response).toMatchObject({ numFound: 1, start: 0, numFoundExact: true });
    expect(JSON.parse(json.response.docs[0].json)).toMatchObject({ uri: uris['container'], barcode: '39002012345678' });
    expect(json).toHaveProperty('responseHeader.status', 0);
    expect(json).toHaveProperty('facet_counts.facet_fields');
  });

  it('answers documents by uri in the order asked', async () => {
    const wanted = [
      uris['file'] ?? '',
      '/repositories/2/resources/999999',
      uris['resource'] ?? '',
      uris['agent'] ?? '',
    ];
    const { json } = await api.get(
      `/search/records?${wanted.map((uri) => `uri[]=${encodeURIComponent(uri)}`).join('&')}`,
    );
    expect(idsOf(json)).toEqual([uris['file'], uris['resource'], uris['agent']]);
    expect(json.page_size).toBe(4);
  });

  it('puts named documents beside rows', async () => {
    const { json } = await api.get(`/search?${query({ q: 'diary', resolve: ['resource:uri@compact_resource'] })}`);
    expect(json.results[0]._resolved_resource).toEqual({
      [String(uris['resource'])]: [expect.objectContaining({ title: 'Wallaby papers', id_0: 'WB 1', publish: true })],
    });
    expect((await api.get(`/search?${query({ q: 'diary', resolve: ['resource'] })}`)).status).toBe(400);
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
      `/search/repositories?${query({ q: '*', facet: ['subjects', 'primary_type'] })}`,
      null,
    );
    expect([status, idsOf(json).sort()]).toEqual([200, [`/repositories/${repo}`, `/repositories/${other}`].sort()]);
    expect(json.facets.facet_fields).toEqual({ subjects: [], primary_type: ['repository', 2] });
    expect((await api.get(`/search/subjects?${query({ q: '*' })}`, null)).status).toBe(200);
    expect((await api.get(`/search/location_profile?${query({ q: '*' })}`, null)).json.total_hits).toBe(0);
  });
});

describe('who finds what', () => {
  it('refuses the search of everything without view_all_records, and of a repository without view_repository', async () => {
    expect((await api.get(`/search?${query({ q: 'wallaby' })}`, viewer)).status).toBe(403);
    expect((await api.get(`/repositories/${other}/search?${query({ q: 'wallaby' })}`, viewer)).status).toBe(403);
    expect((await api.get(`/repositories/${repo}/search?${query({ q: 'wallaby' })}`, null)).status).toBe(403);
  });

  const all = {
    q: 'wallaby OR bandicoot',
    hl: 'true',
    facet: ['primary_type', 'repository', 'creators', 'accession_date_year'],
  } as const;

  it('keeps other repositories and suppressed records out of rows, totals, facets and marks', async () => {
    const { text, json } = await api.get(`/repositories/${repo}/search?${query(all)}`, viewer);
    expect(json.total_hits).toBe(5);
    expect(idsOf(json).sort()).toEqual(
      [uris['agent'], uris['resource'], uris['file'], uris['unpublished'], uris['container']].sort(),
    );
    expect(json.facets.facet_fields.primary_type).not.toContain('accession');
    expect(json.facets.facet_fields.accession_date_year).toEqual([]);
    expect(json.facets.facet_fields.repository).not.toContain(`/repositories/${other}`);
    expect(Object.keys(json.highlighting).sort()).toEqual(idsOf(json).sort());
    expect(text).not.toMatch(/abroad|secret/i);
  });

  it('shows the public neither unpublished records nor unpublished notes', async () => {
    const reply = await api.get(`/search?${query(all)}`, publicUser);
    expect(reply.status).toBe(200);
    expect(idsOf(reply.json).sort()).toEqual(
      [uris['agent'], uris['resource'], `${uris['file']}#pui`, uris['away'], uris['container']].sort(),
    );
    expect(reply.text).not.toMatch(/confidential|draft|secret/i);
    expect((await api.get(`/search?${query({ q: 'confidential' })}`, publicUser)).json.total_hits).toBe(0);
    expect((await api.get(`/search?${query({ q: 'confidential' })}`)).json.total_hits).toBe(1);
    expect(
      (await api.get(`/search/records?uri[]=${encodeURIComponent(uris['unpublished'] ?? '')}`, publicUser)).json
        .results,
    ).toEqual([]);
  });

  it('shows suppressed records to those who may see them', async () => {
    expect(idsOf((await api.get(`/search?${query({ q: 'secret' })}`)).json)).toEqual([uris['suppressed']]);
    expect((await api.get(`/repositories/${repo}/search?${query({ q: 'secret' })}`, viewer)).json.total_hits).toBe(0);
  });
});

describe('suggestions while typing', () => {
  const suggested = async (path: string, session?: string): Promise<readonly string[]> =>
    (await api.get(path, session)).json.suggestions.map(({ title }: { title: string }) => title);

  it('are titles of what the caller may find', async () => {
    const { status, json } = await api.get(`/search/suggest?q=pap+wal&type[]=resource&limit=1`);
    expect([status, json]).toEqual([
      200,
      {
        suggestions: [
          {
            id: uris['resource'],
            uri: uris['resource'],
            title: 'Wallaby papers',
            primary_type: 'resource',
            repository: `/repositories/${repo}`,
            words: ['Wallaby', 'papers'],
          },
        ],
      },
    ]);
    expect(await suggested('/search/suggest?q=wallab', publicUser)).toEqual([
      'Wallaby abroad',
      'Wallaby papers',
      'Wallaby diary',
      expect.stringMatching(/^Box 1 /),
    ]);
    expect([...(await suggested(`/repositories/${repo}/search/suggest?q=wallab`, viewer))].sort()).toEqual([
      expect.stringMatching(/^Box 1 /),
      'Wallaby diary',
      'Wallaby draft',
      'Wallaby papers',
    ]);
    expect(await suggested(`/repositories/${repo}/search/suggest?q=bandi`, viewer)).toEqual(['Bandicoot, Ada']);
    expect(await suggested('/search/suggest?q=secr', publicUser)).toEqual([]);
    expect(await suggested('/search/suggest?q=confid')).toEqual([]);
  });

  it('are none for nothing, and refused to those who may not search', async () => {
    for (const q of ['', '?q=', '?q=%25%27%26']) expect(await suggested(`/search/suggest${q}`), q).toEqual([]);
    expect((await api.get('/search/suggest?q=wa', viewer)).status).toBe(403);
    expect((await api.get(`/repositories/${other}/search/suggest?q=wa`, viewer)).status).toBe(403);
    expect((await api.get('/search/suggest?q=%00')).status).toBe(400);
    for (const limit of ['0', '51', 'x'])
      expect((await api.get(`/search/suggest?q=wa&limit=${limit}`)).status, limit).toBe(400);
    expect((await api.get(`/search/suggest?q=wa${'&type[]=a'.repeat(101)}`)).status).toBe(400);
  });
});

describe('strict=true', () => {
  it('refuses broken syntax, naming the column, and changes nothing else', async () => {
    const broken = { q: 'title:(wallaby' };
    expect((await api.get(`/search?${query(broken)}`)).json.warnings).toHaveLength(1);
    const refused = await api.get(`/search?${query({ ...broken, strict: 'true' })}`);
    expect([refused.status, refused.json.error.q[0]]).toEqual([400, expect.stringMatching(/^column \d+: /)]);
    expect((await api.get(`/search?${query({ q: 'title:(wallaby)', strict: 'true' })}`)).status).toBe(200);
  });
});

describe('CSV', () => {
  it('streams the fields asked for, a header first', async () => {
    const reply = await api.get(
      `/repositories/${repo}/search?${query({ q: 'title:wallaby', type: ['resource'], dt: 'csv', fields: ['id', 'title', 'types'], sort: 'title_sort asc' })}`,
      viewer,
    );
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(reply.text).toBe(
      `id,title,types\n${uris['unpublished']},Wallaby draft,resource\n${uris['resource']},Wallaby papers,"resource,pui_collection,pui"\n`,
    );
  });

  it('gives what is behind the requested page too, all fields where none are named, and errors before the first line', async () => {
    const all = await api.get(
      `/repositories/${repo}/search?${query({ q: 'title:wallaby', type: ['resource'], dt: 'csv', page_size: 1, page: 2, sort: 'title_sort asc' })}`,
      viewer,
    );
    expect(all.text.split('\n')[0]?.split(',')).toEqual(expect.arrayContaining(['id', 'title', 'json', 'level']));
    expect(all.text.trimEnd().split('\n')).toHaveLength(2);
    expect(
      (
        await api.get(
          `/repositories/${repo}/search?${query({ q: 'wallaby', dt: 'csv', sort: 'nonsense asc' })}`,
          viewer,
        )
      ).status,
    ).toBe(400);
    expect((await api.get(`/repositories/${repo}/search?${query({ dt: 'xml' })}`, viewer)).status).toBe(400);
  });

  it('shows the public nothing unpublished', async () => {
    expect((await api.get(`/search?${query({ q: '*:*', dt: 'csv' })}`, publicUser)).text).not.toMatch(
      /confidential|draft|secret/i,
    );
  });
});

describe('the index', () => {
  it('tells how far it is behind, to operators alone', async () => {
    expect((await api.get('/system/index-status')).json).toEqual({
      waiting_seconds: 0,
      changes: 0,
      due: 0,
      due_bulk: 0,
      fans: 0,
      records: 0,
      seconds_left: 0,
      job: null,
    });
    expect((await api.get('/system/index-status', viewer)).status).toBe(403);
  });

  it('is made anew by a job', async () => {
    await api.database.transaction((tx) => tx.run(sql`DELETE FROM search_doc WHERE kind = 'resource'`));
    expect((await api.get(`/search?${query({ q: 'title:wallaby', type: ['resource'] })}`)).json.total_hits).toBe(0);
    const { status, json } = await api.ask('/system/reindex?kind[]=resource', { method: 'POST' });
    expect(status).toBe(202);
    await expect
      .poll(
        async () =>
          (
            await api.database.reader.one(sql.type(z.strictObject({ status: column.text }))`
            SELECT status FROM job WHERE id = ${json.id}`)
          ).status,
        { interval: 50 },
      )
      .toBe('completed');
    expect((await api.get(`/search?${query({ q: 'title:wallaby', type: ['resource'] })}`)).json.total_hits).toBe(3);
    expect((await api.ask('/system/reindex?kind[]=nonsense', { method: 'POST' })).status).toBe(400);
  });

  it('is made anew where something has changed, or all of it where that is asked', async () => {
    const writers = async (): Promise<unknown> =>
      api.database.reader.any(sql.type(AnyRow)`
        SELECT id, xmin::text FROM search_doc WHERE kind = 'resource' ORDER BY id, audience`);
    const reindexed = async (how: string): Promise<unknown> => {
      const { json } = await api.ask(`/system/reindex?kind[]=resource${how}`, { method: 'POST' });
      await expect.poll(async () => (await api.get(json.uri)).json.status).toBe('completed');
      return writers();
    };
    const before = await reindexed('');
    expect(await reindexed('&rewrite=false')).toEqual(before);
    expect(await reindexed('&rewrite=true')).not.toEqual(before);
  });

  it('may be made anew by administrators alone', async () => {
    expect((await api.ask('/system/reindex', { method: 'POST', session: viewer })).status).toBe(403);
  });
});

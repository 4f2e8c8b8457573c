// The other rows of the contract's clients.md: lookups, legacy trees, bulk calls, merges, deletes and feeds, as real scripts send them
// (clients-requests.test.ts has how requests are spelled).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import type { TestApi } from '#test/support/api.ts';
import { idOf, ok, startTestApi } from '#test/support/api.ts';
import type { HttpRecords } from '#test/support/make/http-records.ts';
import { httpRecords } from '#test/support/make/http-records.ts';

let api: TestApi;
let records: HttpRecords;
let at = '';
beforeAll(async () => {
  api = await startTestApi();
  records = await httpRecords(api);
  at = `/repositories/${records.repoId}`;
});
afterAll(async () => api[Symbol.asyncDispose]());

const query = (entries: readonly (readonly [string, string])[]): string =>
  new URLSearchParams(entries.map(([name, value]): [string, string] => [name, value])).toString();

/** A published resource with a series and two files, the second unpublished. */
async function collection(
  identifier: string,
): Promise<{ readonly root: string; readonly series: string; readonly file: string; readonly hidden: string }> {
  const root = await records.make('resource', { id_0: identifier, title: `Papers ${identifier}`, publish: true });
  const node = async (title: string, more: JsonObject): Promise<string> =>
    ok(
      await api.post(`${at}/archival_objects`, {
        title,
        level: 'file',
        publish: true,
        resource: { ref: root },
        ...more,
      }),
    ).uri;
  const series = await node('Letters', { level: 'series', component_id: `${identifier}-S1` });
  return {
    root,
    series,
    file: await node('A letter', { parent: { ref: series } }),
    hidden: await node('Diary', { parent: { ref: series }, publish: false }),
  };
}

describe('lookups', () => {
  it('find components by ref_id or component_id, with the record resolved', async () => {
    const { series } = await collection('LOOK1');
    const { ref_id: refId } = ok(await api.get(series));
    expect(ok(await api.get(`${at}/find_by_id/archival_objects?ref_id[]=${refId}`))).toEqual({
      archival_objects: [{ ref: series }],
    });
    const found = ok(
      await api.get(`${at}/find_by_id/archival_objects?component_id[]=LOOK1-S1&resolve[]=archival_objects`),
    );
    expect(found.archival_objects[0]).toMatchObject({ ref: series, _resolved: { uri: series, title: 'Letters' } });
    expect(ok(await api.get(`${at}/find_by_id/archival_objects?component_id[]=nothing`))).toEqual({
      archival_objects: [],
    });
  });

  it('find resources by their identifier as JSON text; a bare one is told, not a server error', async () => {
    const { root } = await collection('LOOK2');
    expect(ok(await api.get(`${at}/find_by_id/resources?${query([['identifier[]', '["LOOK2"]']])}`))).toEqual({
      resources: [{ ref: root }],
    });
    expect((await api.get(`${at}/find_by_id/resources?identifier[]=LOOK2`)).status).toBe(400);
  });

  it('find digital objects and containers by their ids and barcodes', async () => {
    const object = await records.make('digital_object', { digital_object_id: 'DO-42' });
    const box = await records.make('top_container', { indicator: '77', barcode: '32044012345678' });
    expect(ok(await api.get(`${at}/find_by_id/digital_objects?digital_object_id[]=DO-42`))).toEqual({
      digital_objects: [{ ref: object }],
    });
    expect(ok(await api.get(`${at}/find_by_id/top_containers?barcode[]=32044012345678&indicator[]=77`))).toEqual({
      top_containers: [{ ref: box }],
    });
  });

  it('lead to the record of an external id, or tell of several or none', async () => {
    const withId = (id: string): Promise<string> =>
      records.make('accession', { external_ids: [{ external_id: id, source: 'old system' }] });
    const one = await withId('ext-1');
    const several = [await withId('ext-2'), await withId('ext-2')];
    const look = (id: string): Promise<Response> =>
      fetch(`${api.url}/by-external-id?eid=${id}&type[]=accession`, {
        headers: { 'X-ArchivesSpace-Session': api.session },
        redirect: 'manual',
      });
    const single = await look('ext-1');
    expect([single.status, single.headers.get('location')]).toEqual([303, one]);
    const many = await look('ext-2');
    expect([many.status, await many.json()]).toEqual([300, expect.arrayContaining(several)]);
    const none = await look('nothing');
    expect([none.status, await none.json()]).toEqual([404, []]);
  });
});

describe('collections', () => {
  it('have the whole tree that older clients read', async () => {
    const { root, series, file, hidden } = await collection('TREE1');
    const tree = ok(await api.get(`${root}/tree`));
    expect(tree).toMatchObject({
      title: 'Papers TREE1',
      record_uri: root,
      node_type: 'resource',
      has_children: true,
      children: [{ record_uri: series, node_type: 'archival_object', level: 'series', has_children: true }],
    });
    expect(tree.children[0].children.map((child: JsonObject) => [child['record_uri'], child['has_children']])).toEqual([
      [file, false],
      [hidden, false],
    ]);
  });

  it('list their published records in order, and the containers of these', async () => {
    const { root, series, file, hidden } = await collection('ORDER1');
    const box = await records.make('top_container', { indicator: '5' });
    const inBox = { instances: [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref: box } } }] };
    for (const uri of [file, hidden]) ok(await api.post(uri, { ...ok(await api.get(uri)), ...inBox }));
    expect(
      ok(await api.get(`${root}/ordered_records`)).uris.map((entry: JsonObject) => [entry['ref'], entry['depth']]),
    ).toEqual([
      [root, 0],
      [series, 1],
      [file, 2],
    ]);
    expect(ok(await api.get(`${root}/top_containers`))).toEqual([{ ref: box }]);
  });

  it('are published with all below, and components suppressed by a query parameter', async () => {
    const { root, hidden } = await collection('PUB1');
    expect(ok(await api.ask(`${root}/publish`, { method: 'POST' }))).toMatchObject({
      status: 'Updated',
      id: idOf(root),
    });
    expect(ok(await api.get(hidden)).publish).toBe(true);
    expect(ok(await api.ask(`${hidden}/suppressed?suppressed=True`, { method: 'POST' }))).toEqual({
      status: 'Suppressed',
      id: idOf(hidden),
      suppressed_state: true,
    });
    const object = await records.make('digital_object');
    expect(ok(await api.ask(`${object}/publish`, { method: 'POST' })).status).toBe('Updated');
  });
});

describe('bulk calls', () => {
  it('place containers by ids and a uri in the query', async () => {
    const boxes = [
      await records.make('top_container', { indicator: '1' }),
      await records.make('top_container', { indicator: '2' }),
    ];
    const shelf = await records.make('location');
    const profile = await records.make('container_profile');
    const ids = boxes.map((uri): readonly [string, string] => ['ids[]', String(idOf(uri))]);
    expect(
      ok(
        await api.ask(`${at}/top_containers/batch/location?${query([...ids, ['location_uri', shelf]])}`, {
          method: 'POST',
        }),
      ),
    ).toEqual({ records_updated: 2 });
    expect(
      ok(
        await api.ask(`${at}/top_containers/batch/container_profile`, {
          form: new URLSearchParams([
            ...ids.map(([name, value]): [string, string] => [name, value]),
            ['container_profile_uri', profile],
          ]),
        }),
      ),
    ).toEqual({ records_updated: 2 });
    expect(ok(await api.get(boxes[0] ?? ''))).toMatchObject({
      container_profile: { ref: profile },
      container_locations: [{ ref: shelf, status: 'current' }],
    });
  });

  it('delete hundreds of records named in the query, and tell of them in the delete feed', async () => {
    const start = Math.floor(Date.now() / 1000) - 1;
    const uris = await Promise.all(Array.from({ length: 250 }, () => records.make('accession')));
    const reply = ok(
      await api.ask(`/batch_delete?${query(uris.map((uri) => ['record_uris[]', uri]))}`, { method: 'POST' }),
    );
    expect(reply.status).toBe('OK');
    expect(reply.results.map((result: JsonObject) => result['uri'])).toEqual(uris);
    const told: string[] = [];
    for (let page = 1; ; page += 1) {
      const feed = ok(await api.get(`/delete-feed?modified_since=${start}&page=${page}&page_size=250`));
      expect(Object.keys(feed)).toEqual(['first_page', 'last_page', 'this_page', 'results']);
      told.push(...feed.results);
      if (page >= feed.last_page) break;
    }
    expect(told).toEqual(expect.arrayContaining(uris));
  });

  it.each([
    [
      'R-B',
      (to: string, from: string) => ({
        jsonmodel_type: 'merge_request',
        uri: 'merge_requests/top_container',
        merge_destination: { ref: to },
        merge_candidates: [{ ref: from }],
      }),
    ],
    [
      'R-A',
      (to: string, from: string) => ({
        jsonmodel_type: 'merge_request',
        uri: 'merge_requests/top_container',
        target: { ref: to },
        victims: [{ ref: from }],
      }),
    ],
  ])('merge containers with the names of %s', async (_, body) => {
    const [to, from] = [
      await records.make('top_container', { indicator: '8' }),
      await records.make('top_container', { indicator: '9' }),
    ];
    const component = await records.make('archival_object', {
      instances: [{ instance_type: 'text', sub_container: { top_container: { ref: from } } }],
    });
    expect(ok(await api.post(`/merge_requests/top_container?repo_id=${records.repoId}`, body(to, from)))).toMatchObject(
      { status: 'Updated', id: idOf(to), deleted_uris: [from] },
    );
    expect((await api.get(from)).status).toBe(404);
    expect(ok(await api.get(component)).instances[0].sub_container.top_container.ref).toBe(to);
  });
});

describe('searches', () => {
  it('take the queries of scripts, and filter_term filters', async () => {
    const { root, series } = await collection('SEEK-1');
    await collection('SEEK-2');
    const search = (path: string): Promise<any> => api.get(path).then((reply) => reply.json);
    await expect
      .poll(
        async () =>
          (await search(`${at}/search?page=1&q=${encodeURIComponent('primary_type:resource AND identifier:SEEK*')}`))
            .total_hits,
      )
      .toBe(2);
    const page = await search(
      `${at}/search?page=1&page_size=2000&sort=title_sort+asc&q=${encodeURIComponent('primary_type:resource AND title:papers AND identifier:SEEK\\-1')}`,
    );
    expect([page.page_size, page.this_page, page.total_hits]).toEqual([250, 1, 1]);
    expect(JSON.parse(page.results[0].json)).toMatchObject({ uri: root, id_0: 'SEEK-1' });
    const filtered = await search(
      `/search?page=1&q=letters&type[]=archival_object&fields[]=uri&filter_term[]=${encodeURIComponent(JSON.stringify({ resource: root }))}`,
    );
    // What is below it has the words of its title around it, and comes after.
    expect(filtered.results[0].uri).toBe(series);
    expect(filtered.total_hits).toBe(3);
    const posted = await api.ask(`${at}/search`, {
      form: new URLSearchParams({ q: 'identifier:SEEK*', page: '1', 'type[]': 'resource' }),
    });
    expect(ok(posted).total_hits).toBe(2);
    const aq = { query: { jsonmodel_type: 'field_query', field: 'identifier', value: 'SEEK-2', literal: true } };
    expect(
      (await search(`/search?page=1&aq=${encodeURIComponent(JSON.stringify(aq))}`)).results.map(
        (row: JsonObject) => row['title'],
      ),
    ).toContain('Papers SEEK-2');
  });

  it('of containers answer as the search engine would', async () => {
    const { root, file } = await collection('BOXES');
    const box = await records.make('top_container', { indicator: '31' });
    ok(
      await api.post(file, {
        ...ok(await api.get(file)),
        instances: [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref: box } } }],
      }),
    );
    const q = encodeURIComponent(`collection_uri_u_sstr:"${root}"`);
    await expect
      .poll(async () =>
        (await api.get(`${at}/top_containers/search?q=${q}`)).json.response?.docs?.map(
          (doc: { readonly json: string }) => JSON.parse(doc.json).uri,
        ),
      )
      .toEqual([box]);
  });
});

describe('what changed', () => {
  it('is told by the update feed, with the record and a sequence to go on from', async () => {
    const uri = await records.make('accession', { title: 'Told of' });
    const seen: JsonObject[] = [];
    await expect
      .poll(async () => {
        seen.push(...ok(await api.get(`/update-feed?last_sequence=${String(seen.at(-1)?.['sequence'] ?? 0)}`)));
        return seen.find((each) => each['uri'] === uri)?.['record'];
      })
      .toMatchObject({ title: 'Told of', uri });
    expect(Object.keys(seen[0] ?? {})).toEqual(['record', 'uri', 'sequence', 'timestamp']);
  });
});

describe('small reads', () => {
  it('describe the schemas and preferences of the service', async () => {
    expect(ok(await api.get('/schemas'))).toHaveProperty('archival_object');
    expect(ok(await api.get('/schemas/resource'))).toMatchObject({
      properties: expect.objectContaining({ title: expect.anything() }),
    });
    expect((await api.get('/schemas/nothing')).status).toBe(404);
    for (const path of [
      `${at}/preferences`,
      `${at}/current_preferences`,
      '/current_global_preferences',
      '/permissions?level=all',
      '/job_types',
      '/config/enumerations',
    ])
      ok(await api.get(path));
  });
});

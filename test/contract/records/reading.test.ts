// How records are read, fact by fact over HTTP (contract behaviour-records.md 1.2, 4.1, 4.2, 4.4).
import { describe, expect, it } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { idOf } from '#test/support/api.ts';
import { serveRecords } from '#test/support/record-service.ts';

const { api, records, read } = await serveRecords({ worker: false });

describe('1.2 replies', () => {
  it('show every list of a record, and nothing that is empty, at every depth', async () => {
    const uri = await records.make('accession', {
      extents: [{ portion: 'whole', number: '1', extent_type: 'reels', container_summary: '' }],
    });
    const { text } = await api.get(uri);
    expect([text.includes('""'), text.includes('null'), text.includes('{}')]).toEqual([false, false, false]);
    expect(await read(uri)).toMatchObject({
      subjects: [],
      linked_agents: [],
      instances: [],
      related_accessions: [],
      linked_events: [],
    });
  });

  it('show the list of terms in a vocabulary, which is always empty', async () => {
    expect([(await read('/vocabularies/1')).terms, (await read('/vocabularies'))[0].terms]).toEqual([[], []]);
  });

  it('keep null in envelopes, in their order of keys', async () => {
    const { text } = await api.post(`/repositories/${records.repoId}/top_containers`, { indicator: '1' });
    expect(text).toMatch(
      /^\{"status":"Created","id":\d+,"lock_version":0,"stale":null,"uri":"[^"]+","warnings":\[\]\}\n$/,
    );
    const uri = JSON.parse(text).uri;
    expect((await api.del(uri)).text).toBe(`{"status":"Deleted","id":${idOf(uri)}}\n`);
  });

  it.each([
    ['repository', true],
    ['agent_person', true],
    ['subject', true],
    ['location', true],
    ['accession', true],
    ['resource', true],
    ['archival_object', true],
    ['digital_object', true],
    ['digital_object_component', true],
    ['classification', true],
    ['classification_term', true],
    ['user', null],
    ['group', null],
    ['top_container', null],
    ['container_profile', null],
    ['location_profile', null],
    ['assessment', null],
    ['event', null],
  ])('say of a new %s that stale is %s', async (name, stale) => {
    expect((await api.post(records.collection(kindNamed(name)), await records.body(name))).json).toMatchObject({
      stale,
    });
  });
});

describe('4.1 resolve', () => {
  it('searches a name at any depth, and a path inside what it found', async () => {
    const profile = await records.make('container_profile');
    const container = await records.make('top_container', { container_profile: { ref: profile } });
    const uri = await records.make('accession', {
      instances: [{ instance_type: 'text', sub_container: { top_container: { ref: container } } }],
    });
    const shallow = (await read(`${uri}?resolve[]=top_container`)).instances[0].sub_container.top_container;
    expect([shallow._resolved.uri, shallow._resolved.container_profile]).toEqual([container, { ref: profile }]);
    const deep = (await read(`${uri}?resolve[]=top_container::container_profile`)).instances[0].sub_container
      .top_container;
    expect(deep._resolved.container_profile._resolved).toMatchObject({
      uri: profile,
      jsonmodel_type: 'container_profile',
    });
  });

  it('leaves alone what it does not know, what has no ref, and what is not there', async () => {
    const uri = await records.make('accession');
    const plain = await read(uri);
    for (const name of ['nonsense', 'title', 'extents', 'subjects::nonsense'])
      expect([name, await read(`${uri}?resolve[]=${name}`)]).toEqual([name, plain]);
  });

  it('works in lists by page and by id set, and must be bracketed there', async () => {
    const subject = await records.make('subject');
    const uri = await records.make('digital_object', { subjects: [{ ref: subject }] });
    const list = `/repositories/${records.repoId}/digital_objects`;
    const resolved = [
      (await read(`${list}?page=1&resolve[]=subjects`)).results,
      await read(`${list}?id_set=${idOf(uri)}&resolve[]=subjects`),
    ].map((found) => found.find((each: { uri: string }) => each.uri === uri).subjects[0]._resolved.uri);
    expect(resolved).toEqual([subject, subject]);
    expect((await api.get(`${list}?page=1&resolve=subjects`)).status).toBe(400);
  });

  it('is nothing that subjects know', async () => {
    const subject = await records.make('subject');
    expect(await read(`${subject}?resolve[]=terms`)).toEqual(await read(subject));
  });
});

describe('4.2 listings', () => {
  it('answer pages, ids and sets in their own forms', async () => {
    const own = await api.repository();
    const uris: string[] = [];
    for (const n of [1, 2, 3])
      uris.push(
        (await api.post(`/repositories/${own}/digital_objects`, { digital_object_id: `L${n}`, title: `Object ${n}` }))
          .json.uri,
      );
    const list = `/repositories/${own}/digital_objects`;
    const page = await read(`${list}?page=2&page_size=2`);
    expect(Object.keys(page)).toEqual(['first_page', 'last_page', 'this_page', 'total', 'results']);
    expect([
      page.first_page,
      page.last_page,
      page.this_page,
      page.total,
      page.results.map((each: { uri: string }) => each.uri),
    ]).toEqual([1, 2, 2, 3, [uris[2]]]);
    expect(await read(`${list}?all_ids=false`)).toEqual(uris.map(idOf));
    expect(
      (await read(`${list}?id_set=${idOf(uris[2] ?? '')},99999999,${idOf(uris[0] ?? '')}`)).map(
        (each: { uri: string }) => each.uri,
      ),
    ).toEqual([uris[0], uris[2]]);
    expect(await read(`${list}?page=9`)).toMatchObject({ this_page: 9, last_page: 1, total: 3, results: [] });
    expect(
      (await read(`${list}?page=1&sort_field=title&sort_direction=desc`)).results.map(
        (each: { uri: string }) => each.uri,
      ),
    ).toEqual([...uris].reverse());
    // Any plain property orders a list, numbers by their value (contract 4.2).
    for (const [field, direction] of [
      ['digital_object_id', 'desc'],
      ['publish', 'asc'],
      ['system_mtime', 'asc'],
    ])
      expect((await api.get(`${list}?page=1&sort_field=${field}&sort_direction=${direction}`)).status).toBe(200);
    const users = (await read('/users?page=1&sort_field=username&sort_direction=asc')).results.map(
      (each: { username: string }) => each.username,
    );
    expect(users).toEqual([...users].sort());
    // Ids and sets are in the asked order, too.
    const ids = uris.map(idOf);
    const backwards = 'sort_field=title&sort_direction=desc';
    expect(await read(`${list}?all_ids=true&${backwards}`)).toEqual([...ids].reverse());
    expect(await read(`${list}?all_ids=true&sort_direction=desc`)).toEqual([...ids].reverse());
    expect(
      (await read(`${list}?id_set=${ids.join(',')}&${backwards}`)).map((each: { uri: string }) => each.uri),
    ).toEqual([...uris].reverse());
    const byName = await read('/users?all_ids=true&sort_field=username&sort_direction=desc');
    expect(byName).toHaveLength(users.length);
    const named = await read(`/users?id_set=${byName.join(',')}&sort_field=username&sort_direction=desc`);
    expect(named.map((each: { uri: string }) => idOf(each.uri))).toEqual(byName);
    expect(named.map((each: { username: string }) => each.username)).toEqual([...users].reverse());
    const empty = await api.repository();
    expect(await read(`/repositories/${empty}/digital_objects?page=1`)).toEqual({
      first_page: 1,
      last_page: 1,
      this_page: 1,
      total: 0,
      results: [],
    });
  });

  it('are ordered by columns that bodies do not hold: what was suppressed, labels, identifiers in parts', async () => {
    const own = `/repositories/${await api.repository()}`;
    const make = async (list: string, body: JsonObject): Promise<string> =>
      (await api.post(`${own}/${list}`, body)).json.uri;
    const ordered = async (list: string, field: string): Promise<readonly string[]> =>
      (await read(`${own}/${list}?page=1&sort_field=${field}`)).results.map((each: { uri: string }) => each.uri);
    const accession = (parts: JsonObject) => make('accessions', { ...parts, accession_date: '2020-01-01' });
    const late = await accession({ id_0: 'B' });
    const last = await accession({ id_0: 'B', id_1: '2' });
    const first = await accession({ id_0: 'A', id_1: '9', title: 'Aardvark' });
    expect(await ordered('accessions', 'identifier')).toEqual([first, late, last]);
    expect(await ordered('accessions', 'display_string')).toEqual([first, late, last]);
    await api.ask(`${late}/suppressed?suppressed=true`, { method: 'POST' });
    expect(await ordered('accessions', 'suppressed')).toEqual([last, first, late]);
    const object = await make('digital_objects', { digital_object_id: 'D', title: 'Object' });
    const component = (label: string) =>
      make('digital_object_components', { digital_object: { ref: object }, title: label });
    const [b, a] = [await component('b'), await component('a')];
    expect(await ordered('digital_object_components', 'display_string')).toEqual([a, b]);
    // Objects have an identifier of another name.
    expect((await api.get(`${own}/digital_objects?page=1&sort_field=identifier`)).status).toBe(400);
  });

  it('want one of three parameters, and refuse what is none', async () => {
    const list = `/repositories/${records.repoId}/accessions`;
    const missing = ['Parameter required but no value provided'];
    expect((await api.get(list)).json).toEqual({ error: { page: missing, id_set: missing, all_ids: missing } });
    for (const wrong of [
      'page=x',
      'page=-1',
      'page=0',
      'page=1&page_size=x',
      'page=1&modified_since=x',
      'id_set=a',
      'page=1&sort_direction=up',
      'page=1&sort_field=nonsense',
      'all_ids=true&sort_field=nonsense',
      'id_set=1&sort_field=nonsense',
    ])
      expect([wrong, (await api.get(`${list}?${wrong}`)).status]).toEqual([wrong, 400]);
  });

  it.each(['accessions', 'vocabularies', 'terms', 'delete-feed', 'jobs'])(
    'of %s are empty after any time, as far off as it may be',
    async (name) => {
      const path =
        { vocabularies: '/vocabularies?', terms: '/vocabularies/1/terms?', 'delete-feed': '/delete-feed?page=1&' }[
          name
        ] ?? `/repositories/${records.repoId}/${name}?page=1&`;
      const replies = await Promise.all(
        ['99999999999999', '9007199254740991'].map((time) => api.get(`${path}modified_since=${time}`)),
      );
      expect(replies.map(({ status, json }) => [status, json.results ?? json])).toEqual([
        [200, []],
        [200, []],
      ]);
    },
  );
});

describe('4.4 trees', () => {
  it('count positions of nodes from 1 and of waypoints from 0, and key what is precomputed by uri', async () => {
    const resource = await records.make('resource');
    const [first, second] = [
      await records.make('archival_object', { resource: { ref: resource } }),
      await records.make('archival_object', { resource: { ref: resource } }),
    ];
    const child = await records.make('archival_object', {
      resource: { ref: resource },
      parent: { ref: second },
      level: 'item',
    });
    const root = await read(`${resource}/tree/root`);
    expect(root).toMatchObject({
      child_count: 2,
      waypoints: 1,
      waypoint_size: 200,
      uri: resource,
      jsonmodel_type: 'resource',
      slugged_url: '',
      suppressed: 0,
      has_digital_instance: false,
    });
    expect(
      root.precomputed_waypoints[''][0].map((each: { uri: string; position: number }) => [each.uri, each.position]),
    ).toEqual([
      [first, 0],
      [second, 1],
    ]);
    const node = await read(`${resource}/tree/node?node_uri=${second}`);
    expect([
      node.position,
      node.child_count,
      Object.keys(node.precomputed_waypoints),
      node.precomputed_waypoints[second][0][0].uri,
    ]).toEqual([2, 1, [second], child]);
    expect((await read(`${resource}/tree/node?node_uri=${first}`)).precomputed_waypoints).toEqual({});
    const way = await read(`${resource}/tree/node_from_root?node_ids[]=${idOf(child)}`);
    expect(way[idOf(child)]).toMatchObject([
      { node: null, root_record_uri: resource, offset: 0 },
      { node: second, root_record_uri: resource, offset: 0 },
    ]);
    expect(await read(`${resource}/tree/waypoint?offset=7`)).toEqual([]);
  });

  it('give the record before a node, else its parent, else none', async () => {
    const resource = await records.make('resource');
    const [first, second] = [
      await records.make('archival_object', { resource: { ref: resource } }),
      await records.make('archival_object', { resource: { ref: resource } }),
    ];
    const child = await records.make('archival_object', { resource: { ref: resource }, parent: { ref: second } });
    expect([
      (await read(`${second}/previous`)).uri,
      (await read(`${child}/previous`)).uri,
      await read(`${first}/previous`),
    ]).toEqual([first, second, { error: 'No previous node' }]);
    expect((await read(`${second}/children`)).map((each: { uri: string }) => each.uri)).toEqual([child]);
  });

  it('show date-only components without a title in waypoints, by their display string as nodes', async () => {
    const uri = await records.make('archival_object', {
      title: null,
      dates: [{ date_type: 'single', label: 'creation', expression: 'May 1901' }],
    });
    const root = (await read(uri)).resource.ref;
    const entry = (await read(`${root}/tree/root`)).precomputed_waypoints[''][0].find(
      (each: { uri: string }) => each.uri === uri,
    );
    expect([entry.title ?? null, (await read(`${root}/tree/node?node_uri=${uri}`)).title]).toEqual([null, 'May 1901']);
  });
});

// What reaches over several records, fact by fact over HTTP (contract behaviour-records.md 5.1, 5.2, 5.4, 5.5, 5.7).
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { idOf } from '#test/support/api.ts';
import { serveRecords } from '#test/support/record-service.ts';

const { api, records, read } = await serveRecords({ worker: 'jobs' });
const act = async (path: string): Promise<any> => {
  const { status, json } = await api.ask(path, { method: 'POST' });
  return status === 200 ? json : [status, json.error];
};
const node = (resource: string, more: JsonObject = {}): Promise<string> =>
  records.make('archival_object', { resource: { ref: resource }, ...more });
const childrenOf = async (uri: string): Promise<string[]> =>
  (await read(`${uri}/children`)).map((each: { uri: string }) => each.uri);
const topOf = async (resource: string): Promise<string[]> =>
  ((await read(`${resource}/tree/root`)).precomputed_waypoints[''][0] ?? []).map((each: { uri: string }) => each.uri);

describe('5.1 publish and unpublish', () => {
  it('have the routes that clients know, and no others', async () => {
    const uris = await Promise.all(
      ['accession', 'digital_object', 'digital_object_component', 'agent_family', 'archival_object', 'resource'].map(
        (kind) => records.make(kind),
      ),
    );
    const found = await Promise.all(
      uris.map(async (uri) =>
        Promise.all(
          ['publish', 'unpublish'].map(async (word) => (await api.ask(`${uri}/${word}`, { method: 'POST' })).status),
        ),
      ),
    );
    expect(found).toEqual([
      [404, 404],
      [200, 404],
      [404, 404],
      [200, 404],
      [200, 200],
      [200, 200],
    ]);
  });

  it('tell what is hidden above: by an unpublished or suppressed ancestor, never by the flag of the node itself', async () => {
    const resource = await records.make('resource', { publish: true });
    const series = await node(resource, { publish: true });
    const file = await node(resource, { publish: false, parent: { ref: series } });
    const hidden = async (): Promise<boolean[]> => [
      (await read(series)).has_unpublished_ancestor,
      (await read(file)).has_unpublished_ancestor,
    ];
    expect(await hidden()).toEqual([false, false]);
    await act(`${series}/unpublish`);
    expect(await hidden()).toEqual([false, true]);
    await act(`${resource}/unpublish`);
    expect(await hidden()).toEqual([true, true]);
  });

  it('make agents, subjects and containers linked to what is published, or not', async () => {
    await api.post(`/repositories/${records.repoId}`, {
      ...(await read(`/repositories/${records.repoId}`)),
      publish: true,
    });
    const [agent, subject, container] = [
      await records.make('agent_person'),
      await records.make('subject'),
      await records.make('top_container'),
    ];
    const resource = await records.make('resource', {
      publish: true,
      linked_agents: [{ ref: agent, role: 'creator' }],
      subjects: [{ ref: subject }],
      instances: [{ instance_type: 'text', sub_container: { top_container: { ref: container } } }],
    });
    const flags = (): Promise<boolean[]> =>
      Promise.all([agent, subject, container].map(async (uri) => (await read(uri)).is_linked_to_published_record));
    expect(await flags()).toEqual([true, true, true]);
    await act(`${resource}/unpublish`);
    expect(await flags()).toEqual([false, false, false]);
    await act(`${resource}/publish`);
    await act(`${resource}/suppressed?suppressed=true`);
    expect(await flags()).toEqual([false, false, false]);
  });

  it('force the flag of an agent upon its functions, occupations, places, resources and topics when it is saved', async () => {
    const subject = await records.make('subject');
    const agent = await records.make('agent_person', {
      publish: true,
      agent_topics: [{ publish: false, subjects: [{ ref: subject }] }],
    });
    expect((await read(agent)).agent_topics[0].publish).toBe(true);
  });
});

describe('5.2 suppression', () => {
  it('leaves suppressed records to be deleted, published and found by nobody else', async () => {
    const accession = await records.make('accession');
    expect(await act(`${accession}/suppressed?suppressed=true`)).toEqual({
      status: 'Suppressed',
      id: idOf(accession),
      suppressed_state: true,
    });
    const other = await records.make('accession', {
      subjects: [],
      related_accessions: [
        {
          jsonmodel_type: 'accession_parts_relationship',
          ref: accession,
          relator: 'forms_part_of',
          relator_type: 'part',
        },
      ],
    });
    const viewer = await api.userWith(['view_repository'], records.repoId);
    const seen = await read(`${other}?resolve[]=related_accessions`, viewer);
    expect([seen.related_accessions, (await api.get(accession, viewer)).status]).toEqual([[], 404]);
    expect(await read(`/repositories/${records.repoId}/accessions?id_set=${idOf(accession)}`, viewer)).toEqual([]);
    expect((await api.del(accession)).status).toBe(200);
    const resource = await records.make('resource', { publish: false });
    await act(`${resource}/suppressed?suppressed=true`);
    expect(await act(`${resource}/publish`)).toMatchObject({ status: 'Updated' });
    expect(await read(resource)).toMatchObject({ publish: true, suppressed: true });
  });

  it('shows suppressed nodes in trees with a number', async () => {
    const resource = await records.make('resource');
    const hidden = await node(resource);
    await act(`${hidden}/suppressed?suppressed=true`);
    expect((await read(`${resource}/tree/root`)).precomputed_waypoints[''][0]).toMatchObject([
      { uri: hidden, suppressed: 1 },
    ]);
    expect((await read(`${resource}/tree/root?published_only=true`)).child_count).toBe(0);
  });
});

describe('5.4 moving', () => {
  it('places new nodes where they ask to be, and moves those that are saved with another place', async () => {
    const resource = await records.make('resource');
    const [a, b] = [await node(resource), await node(resource)];
    const c = await node(resource, { position: 1 });
    expect(await topOf(resource)).toEqual([a, c, b]);
    await api.post(a, { ...(await read(a)), position: 99 });
    expect(await topOf(resource)).toEqual([c, b, a]);
    const { position: _, ...rest } = await read(c);
    await api.post(c, { ...rest, title: 'Stays' });
    expect(await topOf(resource)).toEqual([c, b, a]);
  });

  it('goes under a parent, to the top without one, to the end without a position', async () => {
    const resource = await records.make('resource');
    const [a, b, c] = [await node(resource), await node(resource), await node(resource)];
    expect(await act(`${c}/parent?parent=${idOf(a)}&position=0`)).toMatchObject({
      status: 'Updated',
      id: idOf(c),
      stale: null,
    });
    expect([await topOf(resource), await childrenOf(a)]).toEqual([[a, b], [c]]);
    expect(await act(`${c}/parent`)).toMatchObject({ status: 'Updated' });
    expect(await topOf(resource)).toEqual([a, b, c]);
  });

  it('takes children in their order, and answers for the target', async () => {
    const resource = await records.make('resource');
    const [a, b, c, target] = [await node(resource), await node(resource), await node(resource), await node(resource)];
    expect(await act(`${target}/accept_children?children[]=${c}&children[]=${a}&position=0`)).toMatchObject({
      status: 'Updated',
      id: idOf(target),
    });
    expect([await topOf(resource), await childrenOf(target)]).toEqual([
      [b, target],
      [c, a],
    ]);
    expect(await act(`${target}/accept_children?children[]=${b}&position=1`)).toMatchObject({ status: 'Updated' });
    expect(await childrenOf(target)).toEqual([c, b, a]);
    expect(await act(`${target}/accept_children?position=0`)).toMatchObject({ status: 'Updated' });
  });

  it('refuses a node below itself, negative places and parents that are not there', async () => {
    const resource = await records.make('resource');
    const a = await node(resource);
    const b = await node(resource, { parent: { ref: a } });
    expect([
      await act(`${a}/parent?parent=${idOf(b)}&position=0`),
      await act(`${a}/parent?parent=${idOf(a)}&position=0`),
    ]).toEqual([
      [409, "Can't make a parent into its own child"],
      [409, "Can't make a parent into its own child"],
    ]);
    expect((await act(`${b}/parent?position=-1`))[0]).toBe(400);
    expect((await act(`${b}/parent?parent=99999999&position=0`))[0]).toBe(400);
    const refused = { error: { position: ['Must not be negative'] } };
    const child = { title: 'x', level: 'file', resource: { ref: resource }, position: -1 };
    expect((await api.post(`/repositories/${records.repoId}/archival_objects`, child)).json).toEqual(refused);
    expect((await api.post(`${a}/children`, { children: [child] })).json).toMatchObject({
      error: { position: [expect.stringContaining('Must not be negative')] },
    });
    expect((await api.post(a, { ...(await read(a)), position: -1 })).json).toEqual(refused);
    expect(await topOf(resource)).toEqual([a]);
  });

  it('is of a tree that is there: a waypoint of an unknown root is not found, one of a root without children is empty', async () => {
    const resource = await records.make('resource');
    expect((await api.get(`${resource}/tree/waypoint?offset=0`)).json).toEqual([]);
    for (const [plural, model] of [
      ['resources', 'Resource'],
      ['digital_objects', 'DigitalObject'],
      ['classifications', 'Classification'],
    ]) {
      const reply = await api.get(`/repositories/${records.repoId}/${plural}/99999999/tree/waypoint?offset=0`);
      expect([reply.status, reply.json]).toEqual([404, { error: `${model} not found` }]);
    }
  });

  it('makes children that are valid by themselves, all or none', async () => {
    const resource = await records.make('resource');
    const target = await node(resource);
    const child = (title: string): JsonObject => ({
      jsonmodel_type: 'archival_object',
      title,
      level: 'file',
      resource: { ref: resource },
    });
    expect(
      (
        await api.post(`${target}/children`, {
          jsonmodel_type: 'archival_record_children',
          children: [child('1'), child('2')],
        })
      ).json,
    ).toMatchObject({ status: 'Updated', id: idOf(target) });
    expect(
      (await Promise.all((await childrenOf(target)).map((uri) => read(uri)))).map((each) => [
        each.title,
        each.parent.ref,
      ]),
    ).toEqual([
      ['1', target],
      ['2', target],
    ]);
    const { resource: _, ...without } = child('3');
    expect((await api.post(`${target}/children`, { children: [child('4'), without] })).json.error).toMatchObject({
      'children/1/resource': ['Property is required but was missing'],
    });
    expect(await childrenOf(target)).toHaveLength(2);

    // More than are read at once are sent as they are read: the same list, in order.
    const many = Array.from({ length: 230 }, (_, index) => child(`m${index}`));
    expect((await api.post(`${target}/children`, { children: many })).status).toBe(200);
    const titles = (await read(`${target}/children`)).map((each: { title: string }) => each.title);
    expect(titles.slice(2)).toEqual(many.map(({ title }) => title));
    expect((await api.post(`${target}/children`, { children: [] })).status).toBe(200);
  });

  it('makes children one after the other, each at its own position, however many are written at once', async () => {
    const resource = await records.make('resource');
    const target = await node(resource);
    const hidden = await records.make('digital_object');
    expect(await act(`${hidden}/suppressed?suppressed=true`)).toMatchObject({ suppressed_state: true });
    const child = (title: string, more: JsonObject = {}): JsonObject => ({
      title,
      level: 'file',
      resource: { ref: resource },
      ...more,
    });
    const give = async (children: readonly JsonObject[]): Promise<any> =>
      (await api.post(`${target}/children`, { children })).json;
    const listed = async (): Promise<any[]> => read(`${target}/children`);
    const instances = [{ instance_type: 'digital_object', digital_object: { ref: hidden } }];
    expect(
      await give([child('a'), child('b', { position: 0 }), child('c', { instances }), child('d', { position: 1 })]),
    ).toMatchObject({ status: 'Updated' });
    expect((await listed()).map(({ title }) => title)).toEqual(['b', 'd', 'a', 'c']);
    // As with a single save, a link to what is suppressed is not shown to those who may not see that.
    const reader = await api.userWith(['view_repository'], records.repoId);
    const [, , , withLink] = await listed();
    expect(withLink.instances).toHaveLength(1);
    expect((await api.get(withLink.uri, reader)).json.instances).toEqual([]);

    // More than are checked, and than are written, with the same few statements (500).
    const many = Array.from({ length: 501 }, (_, index) => child(`m${index}`, { ref_id: `r${index}` }));
    expect(await give([...many, child('last', { position: 0 })])).toMatchObject({ status: 'Updated' });
    const titles = (await listed()).map(({ title }) => title);
    expect(titles).toEqual(['last', 'b', 'd', 'a', 'c', ...many.map(({ title }) => title)]);
    // One that is there, and one of those before it that are not yet.
    for (const ref of ['r500', 'new'])
      expect(await give([child('x', { ref_id: 'new' }), child('y', { ref_id: ref })])).toEqual({
        error: { ref_id: [`An Archival Object Ref ID must be unique to its resource ( ref_id: ${ref} )`] },
      });
    expect(await listed()).toHaveLength(titles.length);
  });

  it('keeps titles and identifiers of terms apart among siblings, on moves too', async () => {
    const classification = await records.make('classification');
    const term = (title: string, identifier: string, parent?: string): Promise<string> =>
      records.make('classification_term', {
        title,
        identifier,
        classification: { ref: classification },
        ...(parent === undefined ? {} : { parent: { ref: parent } }),
      });
    const [a, b] = [await term('One', '1'), await term('Two', '2')];
    const below = await term('One', '3', b);
    expect(await act(`${below}/parent?position=0`)).toEqual([
      400,
      { title: ['must be unique to its level in the tree'] },
    ]);
    expect(await act(`${below}/parent?parent=${idOf(a)}&position=0`)).toMatchObject({ status: 'Updated' });
  });
});

describe('5.5 delete', () => {
  it('takes the instance of a deleted object or container out of its records, and leaves the rest', async () => {
    const [object, container] = [await records.make('digital_object'), await records.make('top_container')];
    const uri = await records.make('accession', {
      instances: [
        { instance_type: 'digital_object', digital_object: { ref: object } },
        { instance_type: 'text', sub_container: { top_container: { ref: container } } },
      ],
    });
    expect((await api.del(object)).status).toBe(200);
    expect((await read(uri)).instances).toMatchObject([{ instance_type: 'text' }]);
    expect((await api.del(container)).status).toBe(200);
    expect((await read(uri)).instances).toEqual([]);
  });

  it('is refused for places that hold something, agents that stand for somebody, and what was assessed', async () => {
    const location = await records.make('location');
    await records.make('top_container', {
      container_locations: [{ ref: location, status: 'current', start_date: '2000-01-01' }],
    });
    const accession = await records.make('accession');
    await records.make('assessment', { records: [{ ref: accession }] });
    const { agent_representation: body } = await read(`/repositories/${records.repoId}`);
    const { agent_record: person } = await read('/users/current-user');
    const refused = await Promise.all(
      [location, accession, body.ref, person.ref].map(async (uri) => [
        (await api.del(uri)).status,
        (await api.del(uri)).json.error,
      ]),
    );
    expect(refused.map(([status]) => status)).toEqual([409, 409, 409, 409]);
    expect([refused[1]?.[1], refused[2]?.[1], refused[3]?.[1]]).toEqual([
      'linked_to_assessment',
      "This agent is linked to a repository and can't be removed",
      'linked_to_user',
    ]);
  });

  it('lets profiles and subjects go, whose links vanish', async () => {
    const [profile, shelf, subject] = [
      await records.make('container_profile'),
      await records.make('location_profile'),
      await records.make('subject'),
    ];
    const [container, location] = [
      await records.make('top_container', { container_profile: { ref: profile } }),
      await records.make('location', { location_profile: { ref: shelf } }),
    ];
    const accession = await records.make('accession', { subjects: [{ ref: subject }] });
    for (const uri of [profile, shelf, subject]) expect((await api.del(uri)).status).toBe(200);
    expect([
      (await read(container)).container_profile,
      (await read(location)).location_profile,
      (await read(accession)).subjects,
    ]).toEqual([undefined, undefined, []]);
  });

  it('tells the delete feed of the record and all below it', async () => {
    const resource = await records.make('resource');
    const top = await node(resource);
    const leaf = await node(resource, { parent: { ref: top } });
    await api.del(resource);
    const { results } = await read('/delete-feed?page=1&page_size=250');
    expect([resource, top, leaf].filter((uri) => !results.includes(uri))).toEqual([]);
  });
});

describe('5.7 batch delete', () => {
  it('undoes all where one is refused, with the reason as text', async () => {
    const [fine, location] = [await records.make('accession'), await records.make('location')];
    await records.make('top_container', {
      container_locations: [{ ref: location, status: 'current', start_date: '2000-01-01' }],
    });
    const reply = await api.ask('/batch_delete', {
      form: new URLSearchParams([
        ['record_uris[]', fine],
        ['record_uris[]', location],
      ]),
    });
    expect(reply.status).toBe(403);
    expect(reply.json.error.failures).toMatchObject([{ uri: location }]);
    expect(JSON.parse(reply.json.error.failures[0].response[0])).toHaveProperty('error');
    expect((await api.get(fine)).status).toBe(200);
    expect(
      (await api.ask('/batch_delete', { form: new URLSearchParams([['record_uris[]', fine]]), session: null })).status,
    ).toBe(403);
    expect((await api.ask('/batch_delete', { method: 'POST' })).status).toBe(400);
  });
});

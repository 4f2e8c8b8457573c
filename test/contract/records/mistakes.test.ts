// Where the incumbent is weak: its 500s, leaks and races, answered as the contract decides (behaviour-records.md 7.1, 7.2, 7.4).
import { describe, expect, it } from 'vitest';
import type { Reply } from '#test/support/api.ts';
import { httpRecords } from '#test/support/make/http-records.ts';
import { idOf } from '#test/support/api.ts';
import { serveRecords } from '#test/support/record-service.ts';

const { api, records, read } = await serveRecords({ worker: 'jobs' });
const answer = ({ status, json }: Reply): readonly [number, any] => [status, json.error];
const at = (): string => `/repositories/${records.repoId}`;

describe('7.1 security', () => {
  it('a resolved ref leads into no repository that the caller may not view', async () => {
    const other = await httpRecords(api);
    const container = await other.make('top_container');
    const agent = await other.make('agent_person');
    const uri = await other.make('accession', {
      linked_agents: [{ ref: agent, role: 'creator' }],
      instances: [{ instance_type: 'text', sub_container: { top_container: { ref: container } } }],
    });
    const stranger = await api.userWith(['view_repository'], records.repoId);
    expect((await api.get(uri, stranger)).status).toBe(403);
    const location = await records.make('location', { owner_repo: { ref: `/repositories/${other.repoId}` } });
    expect((await read(`${location}?resolve[]=owner_repo`, stranger)).owner_repo.ref).toBe(
      `/repositories/${other.repoId}`,
    );
    const event = (await read('/repositories/1/events?page=1&page_size=250')).results.find(
      (each: { linked_records: { ref: string }[] }) => each.linked_records.some(({ ref }) => ref === agent),
    );
    expect(event.linked_records[0].ref).toBe(agent);
  });

  it('bulk changes of containers reach those of the repository alone', async () => {
    const other = await httpRecords(api);
    const foreign = await other.make('top_container', { barcode: 'foreign' });
    const keeper = await api.userWith(['view_repository', 'manage_container_record'], records.repoId);
    const reply = await api.ask(`${at()}/top_containers/bulk/barcodes`, {
      method: 'POST',
      json: { [foreign]: 'stolen' },
      session: keeper,
    });
    expect(reply.status).toBe(400);
    expect((await read(foreign)).barcode).toBe('foreign');
  });

  it('nothing tells a stack trace', async () => {
    for (const reply of [
      await api.post(`${at()}/accessions`, []),
      await api.post('/nowhere'),
      await api.get(`${at()}/accessions/abc`),
    ])
      expect(reply.text).not.toMatch(/\.ts|\bat .*:\d+:\d+|node_modules/);
  });
});

describe('7.2 data safety', () => {
  it('a root or parent elsewhere is refused', async () => {
    const [one, two] = [await records.make('resource'), await records.make('resource')];
    const parent = await records.make('archival_object', { resource: { ref: two } });
    expect(
      (
        await api.post(`${at()}/archival_objects`, {
          title: 'x',
          level: 'file',
          resource: { ref: one },
          parent: { ref: parent },
        })
      ).json.error,
    ).toHaveProperty('parent');
    const other = await httpRecords(api);
    const foreign = await other.make('resource');
    expect(
      answer(await api.post(`${at()}/archival_objects`, { title: 'x', level: 'file', resource: { ref: foreign } })),
    ).toEqual([400, `Invalid URI reference for this (${records.repoId}) repo: '${foreign}'`]);
  });

  it('losers of a race for an identifier hear of the property, not of the database', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => api.post(`${at()}/accessions`, { id_0: 'RACE', accession_date: '2020-01-01' })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(
      new Set(
        replies.filter(({ status }) => status !== 200).map(({ status, json }) => JSON.stringify([status, json.error])),
      ),
    ).toEqual(new Set([JSON.stringify([400, { id_0: ['That ID is already in use'] }])]));
  });

  it('agents, subjects and terms that many make at once are one', async () => {
    const term = { term: 'Raced', term_type: 'topical', vocabulary: '/vocabularies/1' };
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        api.post('/subjects', { source: 'local', vocabulary: '/vocabularies/1', terms: [term] }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
    expect(replies.find(({ status }) => status === 400)?.json.error.terms).toEqual(['Subject must be unique']);
  });

  it('what is above something assessed is not deleted either', async () => {
    const node = await records.make('archival_object');
    await records.make('assessment', { records: [{ ref: node }] });
    expect(answer(await api.del((await read(node)).resource.ref))).toEqual([409, 'linked_to_assessment']);
  });

  it('the same bodies saved again keep ids and addresses of their parts', async () => {
    const agent = await records.make('agent_person', {
      agent_contacts: [{ name: 'Home', telephones: [{ number: '1' }] }],
    });
    const before = await read(agent);
    await api.post(agent, before);
    expect((await read(agent)).agent_contacts[0].telephones[0].uri).toBe(before.agent_contacts[0].telephones[0].uri);
  });
});

describe('7.4 mistakes of clients', () => {
  it.each<readonly [string, () => Promise<Reply>, number]>([
    ['a body that is no object', () => api.post(`${at()}/accessions`, ['x']), 400],
    [
      'an unknown type where several are possible',
      () =>
        api.post(`${at()}/accessions`, {
          id_0: 'X',
          accession_date: '2020-01-01',
          related_accessions: [{ jsonmodel_type: 'nonsense', ref: '/repositories/2/accessions/1' }],
        }),
      400,
    ],
    [
      'an unknown node on the way from the root',
      async () => api.get(`${await records.one('resource')}/tree/node_from_root?node_ids[]=99999999`),
      404,
    ],
    ['an unknown repository in an address', () => api.get('/repositories/99999999/accessions/1'), 400],
    ['an unknown repository itself', () => api.get('/repositories/99999999'), 404],
    ['no session', () => api.get(`${at()}/accessions/1`, null), 403],
    [
      'a merge of what is no uri',
      () =>
        api.post('/merge_requests/subject', {
          jsonmodel_type: 'merge_request',
          merge_destination: { ref: 'nonsense' },
          merge_candidates: [{ ref: 'nonsense' }],
        }),
      400,
    ],
    [
      'a transfer to what is no uri',
      async () => api.ask(`${await records.one('accession')}/transfer?target_repo=nonsense`, { method: 'POST' }),
      400,
    ],
    [
      'a parent node that is no uri',
      async () => api.get(`${await records.one('resource')}/tree/waypoint?offset=0&parent_node=nonsense`),
      400,
    ],
  ])('%s', async (_, ask, status) => {
    expect((await ask()).status).toBe(status);
  });

  it('an empty parent node, by which the root is meant', async () => {
    const node = await records.make('archival_object');
    const root = (await read(node)).resource.ref;
    const children = await read(`${root}/tree/waypoint?offset=0&parent_node=`);
    expect(children).toEqual(await read(`${root}/tree/waypoint?offset=0`));
    expect(children.map(({ uri }: { uri: string }) => uri)).toContain(node);
  });

  it('a transfer of the repository that stands for none, which nothing leaves or enters', async () => {
    const ask = (from: string | number, to: string | number) =>
      api.post(`/repositories/${from}/transfer?target_repo=/repositories/${to}`);
    expect(answer(await ask(1, records.repoId))).toEqual([400, 'The global repository cannot be transferred']);
    expect(answer(await ask(records.repoId, 1))).toEqual([400, { target_repo: ['Repository not found'] }]);
  });

  it('an unknown permission of a group', async () => {
    expect(
      answer(
        await api.post(`${at()}/groups`, { group_code: 'odd', description: 'x', grants_permissions: ['nonsense'] }),
      ),
    ).toMatchObject([400, { grants_permissions: [expect.any(String)] }]);
  });

  it('a batch change of containers that fails is a 200 with an error', async () => {
    const container = await records.make('top_container');
    const reply = await api.ask(
      `${at()}/top_containers/batch/container_profile?ids[]=${idOf(container)}&container_profile_uri=/container_profiles/99999999`,
      { method: 'POST' },
    );
    expect([reply.status, reply.json]).toEqual([
      200,
      { records_updated: 0, error: 'Container profile not found: /container_profiles/99999999' },
    ]);
  });
});

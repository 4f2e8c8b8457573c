// Suppressed records and the preference that shows them (contract 5.2): permission and preference together.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi } from '#test/support/api.ts';
import type { TestApi } from '#test/support/api.ts';
import { personBody, resourceBody } from '#test/support/records.ts';

let api: TestApi;
let repo: number;
let manager: string;
let viewer: string;
let archivist: string;
let uri: string;

beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repo = (await api.post('/repositories', { repo_code: 'shown', name: 'Shown' })).json.id;
  const userIn = async (name: string, group: string): Promise<string> => {
    const groups = (await api.get(`/repositories/${repo}/groups`)).json as readonly {
      readonly group_code: string;
      readonly uri: string;
    }[];
    const wanted = groups.find((each) => each.group_code === group)?.uri ?? '';
    await api.post(`/users?password=secret-word&groups[]=${encodeURIComponent(wanted)}`, { username: name, name });
    return api.login(name, 'secret-word');
  };
  manager = await userIn('manager', 'repository-managers');
  viewer = await userIn('viewer', 'repository-viewers');
  archivist = await userIn('archivist', 'repository-archivists');
  uri = (
    await api.post(`/repositories/${repo}/accessions`, { title: 'Gift', id_0: 'S1', accession_date: '2026-01-01' })
  ).json.uri;
  await api.post(`${uri}/suppressed?suppressed=true`, undefined);
});

afterAll(() => api[Symbol.asyncDispose]());

it('hides a suppressed record from a manager until the preference shows it, and from others always', async () => {
  expect((await api.get(uri, manager)).status).toBe(404);
  const wish = async (token: string): Promise<number> =>
    (
      await api.post(
        `/repositories/${repo}/preferences`,
        {
          user_id: (await api.get('/users/current-user', token)).json.uri.split('/').map(Number).at(-1),
          defaults: { show_suppressed: true },
        },
        token,
      )
    ).status;
  expect([await wish(manager), await wish(viewer)]).toEqual([200, 200]);
  expect((await api.get(uri, manager)).json).toMatchObject({ uri, suppressed: true });
  expect((await api.get(`/repositories/${repo}/accessions?all_ids=true`, manager)).json).toHaveLength(1);
  expect((await api.get(uri, viewer)).status).toBe(404);
});

it('tells nobody by If-Match of a suppressed record, or of its version, who does not see it', async () => {
  const json = { title: 'Gift', id_0: 'S1', accession_date: '2026-01-01' };
  const asked = [
    { method: 'POST', json },
    { method: 'PATCH', json },
  ].flatMap((ask) => ['"0-x"', '"99-x"'].map((tag) => ({ ...ask, session: archivist, headers: { 'if-match': tag } })));
  const statuses = await Promise.all(asked.map(async (ask) => (await api.ask(uri, ask)).status));
  expect(statuses).toEqual([404, 404, 404, 404]);
});

it('names no suppressed collection in a container to those who may not see it', async () => {
  const box = (await api.post(`/repositories/${repo}/top_containers`, { indicator: '9', type: 'box' })).json.uri;
  const inBox = { instances: [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref: box } } }] };
  const gift = (
    await api.post(`/repositories/${repo}/accessions`, {
      title: 'Secret gift',
      id_0: 'S2',
      accession_date: '2026-01-01',
      ...inBox,
    })
  ).json.uri;
  expect((await api.get(box, viewer)).json.collection).toMatchObject([{ ref: gift, identifier: 'S2' }]);
  await api.post(`${gift}/suppressed?suppressed=true`, undefined);
  const [seen, hidden] = [(await api.get(box)).json, (await api.get(box, viewer)).json];
  expect(seen.collection).toMatchObject([{ ref: gift }]);
  expect([hidden.collection, hidden.long_display_string]).toEqual([[], 'Box 9']);
});

it('shows no tree of a suppressed collection to those who may not see it', async () => {
  const collection = async (id: string): Promise<{ root: string; node: string }> => {
    const root = await api.create(`/repositories/${repo}/resources`, resourceBody(id));
    const component = { title: `Part of ${id}`, level: 'file', resource: { ref: root } };
    return { root, node: await api.create(`/repositories/${repo}/archival_objects`, component) };
  };
  const secret = await collection('secret');
  const open = await collection('open');
  const nodeId = secret.node.split('/').at(-1);
  const trees = [
    `${secret.root}/tree/root`,
    `${secret.root}/tree/waypoint?offset=0`,
    `${secret.root}/tree/node_from_root?node_ids[]=${nodeId}`,
    `${open.root}/tree/node_from_root?node_ids[]=${nodeId}`,
  ];
  const statuses = async (token?: string) =>
    Promise.all(trees.map(async (path) => (await api.get(path, token)).status));
  expect(await statuses(viewer)).toEqual([200, 200, 200, 200]);
  await api.post(`${secret.root}/suppressed?suppressed=true`, undefined);
  expect(await statuses(viewer)).toEqual([404, 404, 404, 404]);
  // The administrator, and the manager whose preference shows what is suppressed.
  expect([await statuses(), await statuses(manager)]).toEqual([Array(4).fill(200), Array(4).fill(200)]);
});

it('shows the suppressed components of a collection that is not suppressed in its tree', async () => {
  const root = await api.create(`/repositories/${repo}/resources`, resourceBody('partly'));
  const component = { title: 'Withdrawn', level: 'file', resource: { ref: root } };
  const node = await api.create(`/repositories/${repo}/archival_objects`, component);
  await api.post(`${node}/suppressed?suppressed=true`, undefined);
  expect((await api.get(`${root}/tree/waypoint?offset=0`, viewer)).json).toMatchObject([{ uri: node, suppressed: 1 }]);
});

it('keeps each link to a suppressed record when somebody saves who does not see it', async () => {
  const gift = { accession_date: '2026-01-01' };
  const [hidden, seen] = [
    await api.create(`/repositories/${repo}/accessions`, { id_0: 'S3', ...gift }),
    await api.create(`/repositories/${repo}/accessions`, { id_0: 'S4', ...gift }),
  ];
  const agent = await api.create('/agents/people', personBody('Witness'));
  const event = await api.create(`/repositories/${repo}/events`, {
    event_type: 'accession',
    date: { date_type: 'single', label: 'event', begin: '2000' },
    linked_agents: [{ ref: agent, role: 'validator' }],
    linked_records: [
      { ref: hidden, role: 'source' },
      { ref: seen, role: 'source' },
      { ref: hidden, role: 'outcome' },
    ],
  });
  await api.post(`${hidden}/suppressed?suppressed=true`, undefined);
  const shown = (await api.get(event, archivist)).json;
  expect(shown.linked_records).toEqual([{ ref: seen, role: 'source' }]);
  expect((await api.post(event, shown, archivist)).status).toBe(200);
  expect((await api.get(event)).json.linked_records).toEqual([
    { ref: seen, role: 'source' },
    { ref: hidden, role: 'source' },
    { ref: hidden, role: 'outcome' },
  ]);
});

it('leaves one representative instance where somebody names another who does not see the first', async () => {
  const [hidden, seen] = await Promise.all(
    ['hidden', 'seen'].map((name) =>
      api.create(`/repositories/${repo}/digital_objects`, { title: name, digital_object_id: name }),
    ),
  );
  const instance = (ref = '') => ({
    instance_type: 'digital_object',
    digital_object: { ref },
    is_representative: true,
  });
  const root = await api.create(`/repositories/${repo}/resources`, {
    ...resourceBody('represented'),
    instances: [instance(hidden)],
  });
  await api.post(`${hidden}/suppressed?suppressed=true`, undefined);
  const shown = (await api.get(root, archivist)).json;
  expect((await api.post(root, { ...shown, instances: [instance(seen)] }, archivist)).status).toBe(200);
  const whole = (await api.get(root)).json;
  expect(whole.instances).toMatchObject([
    { digital_object: { ref: seen }, is_representative: true },
    { digital_object: { ref: hidden }, is_representative: false },
  ]);
  expect((await api.post(root, whole)).status).toBe(200);
});

it('has a link once that both sides show, where somebody who does not see the other side names it', async () => {
  const gift = { id_0: 'S5', accession_date: '2026-01-01' };
  const hidden = await api.create(`/repositories/${repo}/accessions`, gift);
  const related = { related_accessions: [{ ref: hidden }] };
  const root = await api.create(`/repositories/${repo}/resources`, { ...resourceBody('related'), ...related });
  await api.post(`${hidden}/suppressed?suppressed=true`, undefined);
  const save = async (change: object): Promise<readonly object[]> => {
    const shown = (await api.get(root, archivist)).json;
    expect(shown.related_accessions).toEqual([]);
    expect((await api.post(root, { ...shown, ...change }, archivist)).status).toBe(200);
    return (await api.get(root)).json.related_accessions;
  };
  expect(await save({})).toEqual(related.related_accessions);
  expect(await save(related)).toEqual(related.related_accessions);
  expect((await api.get(hidden)).json.related_resources).toEqual([{ ref: root }]);
});

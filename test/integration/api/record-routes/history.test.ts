// Histories beyond what the uniform suite takes every kind through: imports, links that go, hidden records, contacts, trees, PATCH (contract 7.5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { checkTrees } from '#store/trees/invariants.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import type { HttpRecords } from '#test/support/make/http-records.ts';
import { httpRecords } from '#test/support/make/http-records.ts';

let api: TestApi;
let records: HttpRecords;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  records = await httpRecords(api);
});
afterAll(async () => api[Symbol.asyncDispose]());

const patch = (uri: string, json: JsonObject, session?: string): Promise<Reply> =>
  api.ask(uri, { method: 'PATCH', json, ...(session === undefined ? {} : { session }) });
const post = async (path: string): Promise<void> => {
  const reply = await api.ask(path, { method: 'POST' });
  expect(reply.status, reply.text).toBe(200);
};
const history = async (uri: string, session?: string): Promise<any[]> =>
  (await api.get(`${uri}/history`, session)).json.results;

describe('the history', () => {
  it('tells what changed, property by property', async () => {
    const uri = await records.make('accession', {
      title: 'One',
      extents: [{ portion: 'whole', number: '1', extent_type: 'reels' }],
    });
    await patch(uri, {
      lock_version: 0,
      title: 'Two',
      publish: true,
      extents: [
        { portion: 'whole', number: '2', extent_type: 'reels' },
        { portion: 'part', number: '1', extent_type: 'reels' },
      ],
    });
    const [last] = await history(uri);
    expect(last).toMatchObject({ version: 1, op: 'update', by: 'admin', title: 'Two' });
    expect(last.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const paths = new Map(last.changes.map((change: JsonObject) => [change['path'], change]));
    expect(paths.get('/title')).toEqual({ op: 'replace', path: '/title', before: 'One', after: 'Two' });
    expect(paths.get('/publish')).toEqual({ op: 'replace', path: '/publish', before: false, after: true });
    expect(paths.get('/extents/0/number')).toEqual({
      op: 'replace',
      path: '/extents/0/number',
      before: '1',
      after: '2',
    });
    expect(paths.get('/extents/1')).toMatchObject({ op: 'add', after: { portion: 'part' } });
  });

  it('is there for what a batch import made', async () => {
    const imported = await api.ask(`/repositories/${records.repoId}/batch_imports`, {
      json: [
        {
          jsonmodel_type: 'accession',
          uri: `/repositories/${records.repoId}/accessions/import_1`,
          id_0: 'IMP',
          title: 'Imported',
          accession_date: '2020-01-01',
        },
      ],
    });
    const [uri = ''] = Object.values<[string, number]>(imported.json.at(-1).saved)[0] ?? [];
    expect(await history(uri)).toMatchObject([{ version: 0, op: 'create', by: 'admin', title: 'Imported' }]);
    expect((await api.get(`${uri}/history/0`)).json).toMatchObject({ uri, title: 'Imported', created_by: 'admin' });
    expect((await patch(uri, { lock_version: 0, title: 'Mended' })).status).toBe(200);
    expect((await history(uri)).map((entry) => entry.op)).toEqual(['update', 'create']);
  });

  it('tells of a ref that went with its target', async () => {
    const subject = await records.make('subject');
    const uri = await records.make('accession', { subjects: [{ ref: subject }] });
    expect((await api.del(subject)).status).toBe(200);
    expect(await history(uri)).toMatchObject([
      {
        version: 0,
        op: 'unlink',
        by: 'admin',
        changes: [{ op: 'remove', path: '/subjects', before: [{ ref: subject }] }],
      },
      { version: 0, op: 'create' },
    ]);
  });

  it('tells of publishing and unpublishing, in every record whose flag or part changed', async () => {
    const note = { jsonmodel_type: 'note_singlepart', type: 'abstract', content: ['x'], publish: false };
    const resource = await records.make('resource', { publish: false, notes: [note] });
    const [hidden, shown] = [
      await records.make('archival_object', { resource: { ref: resource }, publish: false }),
      await records.make('archival_object', { resource: { ref: resource }, publish: true }),
    ];
    await post(`${resource}/publish`);
    expect(await history(resource)).toMatchObject([
      {
        version: 0,
        state: 1,
        op: 'publish',
        by: 'admin',
        changes: [
          { op: 'replace', path: '/publish', before: false, after: true },
          { op: 'replace', path: '/notes/0/publish', before: false, after: true },
        ],
      },
      { version: 0, state: 0, op: 'create', changes: [] },
    ]);
    expect(await history(hidden)).toMatchObject([
      { version: 0, op: 'publish', by: 'admin', changes: [{ path: '/publish', before: false, after: true }] },
      { op: 'create' },
    ]);
    expect(await history(shown)).toMatchObject([{ op: 'create' }]);
    await post(`${hidden}/unpublish`);
    expect((await history(hidden)).map((entry) => [entry.op, entry.version, entry.state])).toEqual([
      ['unpublish', 0, 2],
      ['publish', 0, 1],
      ['create', 0, 0],
    ]);
    // Nothing changes now, so there is nothing to tell.
    await post(`${hidden}/unpublish`);
    expect(await history(hidden)).toHaveLength(3);
    const agent = await records.make('agent_person', { publish: false });
    await post(`${agent}/publish`);
    expect(await history(agent)).toMatchObject([{ op: 'publish', changes: [{ path: '/publish' }] }, { op: 'create' }]);
  });

  it('tells of suppressing and showing again, of events that went along too', async () => {
    const resource = await records.make('resource');
    const node = await records.make('archival_object', { resource: { ref: resource } });
    const event = await records.make('event', { linked_records: [{ ref: node, role: 'source' }] });
    await post(`${resource}/suppressed?suppressed=true`);
    await post(`${resource}/suppressed?suppressed=false`);
    for (const uri of [resource, node, event]) {
      expect([uri, await history(uri)]).toMatchObject([
        uri,
        [
          {
            version: 0,
            state: 2,
            op: 'unsuppress',
            by: 'admin',
            changes: [{ op: 'replace', path: '/suppressed', before: true, after: false }],
          },
          {
            version: 0,
            state: 1,
            op: 'suppress',
            by: 'admin',
            changes: [{ op: 'replace', path: '/suppressed', before: false, after: true }],
          },
          { version: 0, state: 0, op: 'create' },
        ],
      ]);
    }
  });

  it('keeps contacts of agents to those who may see contacts', async () => {
    const uri = await records.make('agent_person', { agent_contacts: [{ name: 'Private', email: 'x@example.org' }] });
    await patch(uri, { lock_version: 0, agent_contacts: [{ name: 'Private', email: 'y@example.org' }] });
    expect((await history(uri))[0].changes.map((change: JsonObject) => change['path'])).toContain(
      '/agent_contacts/0/email',
    );
    const viewer = await api.userWith(['view_repository', 'manage_agent_record'], records.repoId);
    const seen = [await api.get(`${uri}/history`, viewer), await api.get(`${uri}/history/0`, viewer)];
    expect(seen.map((reply) => reply.status)).toEqual([200, 200]);
    expect(seen.map((reply) => reply.text).join()).not.toContain('example.org');
  });

  it('is as hidden as the record', async () => {
    const uri = await records.make('accession');
    await api.database.transaction((tx) =>
      tx.client.query("UPDATE record SET suppressed = true WHERE kind = 'accession' AND id = $1", [
        uri.split('/').at(-1),
      ]),
    );
    const viewer = await api.userWith(['view_repository', 'update_accession_record'], records.repoId);
    for (const path of [uri, `${uri}/history`, `${uri}/history/0`])
      expect([path, (await api.get(path, viewer)).status]).toEqual([path, 404]);
    expect((await api.get(`${uri}/history`)).status).toBe(200);
    const other = await api.repository();
    expect((await api.get(`${uri.replace(/\d+(?=\/accessions)/, String(other))}/history`)).status).toBe(404);
  });

  it('names nothing that is suppressed, as the record does not', async () => {
    const [open, secret] = [await records.make('digital_object'), await records.make('digital_object')];
    const instance = (ref: string): JsonObject => ({ instance_type: 'digital_object', digital_object: { ref } });
    const uri = await records.make('accession', { instances: [instance(secret), instance(open)] });
    await patch(uri, { lock_version: 0, instances: [instance(open)] });
    await post(`${secret}/suppressed?suppressed=true`);
    const viewer = await api.userWith(['view_repository', 'update_accession_record'], records.repoId);
    const seen = async (as?: string): Promise<readonly unknown[]> => {
      const [steps, version] = [await api.get(`${uri}/history`, as), await api.get(`${uri}/history/0`, as)];
      const refs = [open, secret].filter((ref) => version.text.includes(`"${ref}"`));
      const changed = steps.json.results[0].changes.map((change: JsonObject) => change['path']);
      return [changed, refs, steps.text.includes(secret)];
    };
    expect(await seen(viewer)).toEqual([[], [open], false]);
    expect(await seen()).toEqual([['/instances/0'], [open, secret], true]);
    // What the viewer does not see comes back with the version all the same.
    expect((await api.post(`${uri}/history/0/restore?lock_version=1`, {}, viewer)).status).toBe(200);
    expect((await api.get(uri)).json.instances).toHaveLength(2);
    expect((await api.get(uri, viewer)).json.instances).toHaveLength(1);
  });
});

describe('restoring', () => {
  it('is refused where the old content names what is gone', async () => {
    const subject = await records.make('subject');
    const uri = await records.make('accession', { subjects: [{ ref: subject }] });
    await patch(uri, { lock_version: 0, subjects: [] });
    await api.del(subject);
    const reply = await api.post(`${uri}/history/0/restore?lock_version=1`);
    expect([reply.status, reply.json]).toEqual([400, { error: `Can't relate to non-existent record: ${subject}` }]);
  });

  it('takes lock_version from a form too, or the tag of If-Match', async () => {
    const uri = await records.make('accession', { title: 'One' });
    await patch(uri, { lock_version: 0, title: 'Two' });
    expect(
      (await api.ask(`${uri}/history/0/restore`, { form: new URLSearchParams({ lock_version: '1' }) })).json,
    ).toMatchObject({ lock_version: 2 });
    const tag = (await api.get(uri)).headers.get('etag') ?? '';
    expect(
      (await api.ask(`${uri}/history/1/restore`, { method: 'POST', headers: { 'if-match': tag } })).json,
    ).toMatchObject({ lock_version: 3 });
    expect((await api.get(uri)).json.title).toBe('Two');
  });

  it('goes back to what a record was before it was published, by the state of its entry', async () => {
    const uri = await records.make('digital_object', {
      publish: false,
      file_versions: [{ file_uri: 'http://x.org/a', publish: false, use_statement: 'image-thumbnail' }],
    });
    await post(`${uri}/publish`);
    expect((await api.get(`${uri}/history/0`)).json.publish).toBe(true);
    const before = (await api.get(`${uri}/history/0?state=0`)).json;
    expect([before.publish, before.file_versions[0].publish, before.representative_file_version]).toEqual([
      false,
      false,
      undefined,
    ]);
    expect((await api.post(`${uri}/history/0/restore?state=0&lock_version=0`)).json).toMatchObject({
      status: 'Updated',
      lock_version: 1,
    });
    const now = (await api.get(uri)).json;
    expect([now.publish, now.file_versions[0].publish, now.representative_file_version]).toEqual([
      false,
      false,
      undefined,
    ]);
    expect((await history(uri)).map((entry) => [entry.op, entry.version, entry.state])).toEqual([
      ['update', 1, 2],
      ['publish', 0, 1],
      ['create', 0, 0],
    ]);
    for (const path of ['history/0?state=2', 'history/1?state=0', 'history/0?state=7'])
      expect([path, (await api.get(`${uri}/${path}`)).status]).toEqual([path, 404]);
  });

  it('waits until a suppressed record is shown again', async () => {
    const uri = await records.make('accession', { title: 'One' });
    await patch(uri, { lock_version: 0, title: 'Two' });
    await post(`${uri}/suppressed?suppressed=true`);
    expect((await api.post(`${uri}/history/0/restore?lock_version=1`)).json).toEqual({
      error: "Can't update an object that has been suppressed",
    });
    await post(`${uri}/suppressed?suppressed=false`);
    expect((await api.post(`${uri}/history/0/restore?lock_version=1`)).status).toBe(200);
    expect((await api.get(uri)).json).toMatchObject({ title: 'One', suppressed: false, lock_version: 2 });
  });

  it('leaves a node where it is, and its children below it', async () => {
    const uri = await records.make('archival_object', { title: 'Node' });
    const resource = (await api.get(uri)).json.resource;
    const child = await records.make('archival_object', { title: 'Child', resource, parent: { ref: uri } });
    await patch(uri, { lock_version: 0, title: 'Changed' });
    const parent = await records.make('archival_object', { title: 'Parent', resource });
    expect((await api.post(`${uri}/parent?parent=${parent.split('/').at(-1)}&position=0`)).status).toBe(200);
    expect((await api.post(`${uri}/history/0/restore?lock_version=1`)).status).toBe(200);
    expect((await api.get(uri)).json).toMatchObject({ title: 'Node', parent: { ref: parent }, position: 0 });
    expect((await api.get(child)).json.parent).toEqual({ ref: uri });
  });

  it('brings a deleted record back for those alone who may create one, and once', async () => {
    const uri = await records.make('accession', {
      title: 'Gone',
      collection_management: { processing_plan: 'Soon' },
    });
    const plan: string = (await api.get(uri)).json.collection_management.uri;
    await api.del(uri);
    expect(
      (await api.post(`${uri}/history/0/restore`, undefined, await api.userWith(['view_repository'], records.repoId)))
        .status,
    ).toBe(403);
    const replies = await Promise.all([1, 2].map(() => api.post(`${uri}/history/0/restore`)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409]);
    const { json } = await api.get(uri);
    expect(json).toMatchObject({ title: 'Gone', lock_version: 2, created_by: 'admin' });
    const { rows } = await api.database.transaction((tx) =>
      tx.client.query('SELECT FROM tombstone WHERE uri = ANY($1)', [[uri, plan]]),
    );
    expect(rows).toEqual([]);
  });

  it('brings a record back suppressed that was so when it was deleted, with its links', async () => {
    const [agent, resource] = [await records.make('agent_person'), await records.make('resource')];
    const uri = await records.make('archival_object', {
      title: 'Secret',
      publish: true,
      resource: { ref: resource },
      linked_agents: [{ ref: agent, role: 'creator' }],
    });
    await post(`${uri}/suppressed?suppressed=true`);
    await api.del(uri);
    expect((await api.post(`${uri}/history/0/restore`, { resource: { ref: resource } })).status).toBe(200);
    expect((await api.get(uri)).json).toMatchObject({ title: 'Secret', suppressed: true, lock_version: 2 });
    const reader = await api.userWith(['view_repository'], records.repoId);
    expect((await api.get(uri, reader)).status).toBe(404);
    expect(await checkTrees(api.database.reader, [{ code: 1, node: 'archival_object', root: 'resource' }])).toEqual([]);
    expect((await history(uri)).map((entry) => entry.op)).toEqual([
      'suppress',
      'undelete',
      'delete',
      'suppress',
      'create',
    ]);
    const { rows } = await api.database.transaction((tx) =>
      tx.client.query("SELECT suppressed FROM link WHERE source_kind = 'archival_object' AND source_id = $1", [
        idOf(uri),
      ]),
    );
    expect(rows).toEqual([{ suppressed: true }]);
  });
});

describe('PATCH', () => {
  it('changes one property of a node and moves nothing', async () => {
    const first = await records.make('archival_object', { title: 'First' });
    const resource = (await api.get(first)).json.resource;
    await records.make('archival_object', { title: 'Second', resource });
    const before = (await api.get(first)).json;
    expect((await patch(first, { lock_version: 0, title: 'Still first' })).status).toBe(200);
    expect((await api.get(first)).json).toMatchObject({
      title: 'Still first',
      position: before.position,
      notes: before.notes,
      dates: before.dates,
    });
  });

  it('takes a property away by null, and refuses where it is required', async () => {
    const uri = await records.make('accession', { title: 'One', content_description: 'Something' });
    expect((await patch(uri, { lock_version: 0, content_description: null })).status).toBe(200);
    expect((await api.get(uri)).json).not.toHaveProperty('content_description');
    const reply = await patch(uri, { lock_version: 1, id_0: null });
    expect([reply.status, reply.json.error]).toEqual([400, { id_0: ['Property is required but was missing'] }]);
    expect((await api.ask(uri, { method: 'PATCH', json: [] })).status).toBe(400);
  });

  it('loses against another write as an update does', async () => {
    const uri = await records.make('accession', { title: 'One' });
    const replies = await Promise.all(['Two', 'Three', 'Four'].map((title) => patch(uri, { lock_version: 0, title })));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409, 409]);
  });
});

describe('the tag of a record', () => {
  it('changes with the name of a linked record, and with what is resolved', async () => {
    const subject = await records.make('subject');
    const uri = await records.make('accession', { subjects: [{ ref: subject }] });
    const tagOf = async (path: string): Promise<string | null> => (await api.get(path)).headers.get('etag');
    const [plain, resolved] = [await tagOf(uri), await tagOf(`${uri}?resolve[]=subjects`)];
    expect(resolved).not.toBe(plain);
    await patch(subject, { lock_version: 0, scope_note: 'Changed' });
    expect(await tagOf(uri)).toBe(plain);
    expect(await tagOf(`${uri}?resolve[]=subjects`)).not.toBe(resolved);
    expect(
      (await api.ask(uri, { method: 'PATCH', json: { title: 'X' }, headers: { 'if-match': resolved ?? '' } })).status,
    ).toBe(200);
  });

  it('stands for any version as a star, and is refused in a form that is not ours', async () => {
    const uri = await records.make('accession');
    for (const [tag, status] of [
      ['*', 200],
      ['"other"', 412],
      ['W/"1-x"', 412],
    ] as const)
      expect((await api.ask(uri, { method: 'PATCH', json: { title: tag }, headers: { 'if-match': tag } })).status).toBe(
        status,
      );
    expect((await api.ask(uri, { headers: { 'if-none-match': '*' } })).status).toBe(304);
    expect((await api.ask(`${uri}9999`, { headers: { 'if-none-match': '*' } })).status).toBe(404);
  });
});

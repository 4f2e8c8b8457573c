// Users over HTTP: who may do what to whom, and what is seen (contract 2.3, 7.1).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';

let api: TestApi;
let repoId: number;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

const denied = [403, { error: 'Access denied' }];
const viewers = async (): Promise<string> =>
  (await api.get(`/repositories/${repoId}/groups?group_code=repository-viewers`)).json[0].uri;

describe('POST /users', () => {
  it('creates a user with an unpublished person agent', async () => {
    const reply = await api.post('/users?password=pw', { username: ' New.User ', name: 'New User', surprise: 1 });
    expect([reply.status, reply.json]).toEqual([
      200,
      {
        status: 'Created',
        id: expect.any(Number),
        lock_version: 0,
        stale: null,
        uri: `/users/${reply.json.id}`,
        warnings: [],
      },
    ]);
    const user = (await api.get(reply.json.uri)).json;
    expect(user).toMatchObject({
      username: 'new.user',
      name: 'New User',
      source: 'local',
      is_system_user: false,
      is_active_user: true,
      is_admin: false,
      created_by: 'admin',
      groups: [],
    });
    const agent = (await api.get(user.agent_record.ref)).json;
    expect(agent).toMatchObject({
      title: 'New User',
      publish: false,
      is_user: 'new.user',
      names: [{ primary_name: 'New User', name_order: 'direct', source: 'local', rules: 'local' }],
    });
  });

  it('refuses a name in use and a name that is none', async () => {
    await api.post('/users?password=pw', { username: 'taken', name: 'Taken' });
    const again = await api.post('/users?password=pw', { username: 'Taken', name: 'Taken' });
    expect([again.status, again.json]).toEqual([400, { error: { username: ["Username 'taken' is already in use"] } }]);
    const odd = await api.post('/users?password=pw', { username: 'a b/c', name: 'Odd' });
    expect([odd.status, odd.json]).toEqual([400, { error: 'Invalid username' }]);
  });

  it('adds to groups, and is refused where the caller does not manage their repository', async () => {
    const group = encodeURIComponent(await viewers());
    const created = await api.post(`/users?password=pw&groups[]=${group}`, { username: 'viewer', name: 'Viewer' });
    expect(created.status).toBe(200);
    const session = await api.login('viewer', 'pw');
    expect((await api.get('/users/current-user', session)).json.permissions[`/repositories/${repoId}`]).toEqual([
      'view_repository',
    ]);
    const byViewer = await api.post(
      `/users?password=pw&groups[]=${group}`,
      { username: 'friend', name: 'Friend' },
      session,
    );
    expect([byViewer.status, byViewer.json]).toEqual(denied);
    // Nobody is made where a group is not there.
    const missing = `/users?password=pw&groups[]=/repositories/${repoId}/groups/99999`;
    const lost = await api.post(missing, { username: 'lost', name: 'Lost' });
    expect([lost.status, lost.json]).toEqual([404, { error: 'Group not found' }]);
    expect((await api.get('/users/complete?query=lost')).json).toEqual([]);
  });

  it('is open to nobody without manage_users, unless self registration is on', async () => {
    const closed = await api.post('/users?password=pw', { username: 'self', name: 'Self' }, null);
    expect([closed.status, closed.json]).toEqual(denied);
    await using open = await startTestApi({ worker: false, environment: { MUNIMENT_SELF_REGISTRATION: 'true' } });
    expect((await open.post('/users?password=grey-herons-17', { username: 'self', name: 'Self' }, null)).status).toBe(
      200,
    );
    const admin = await open.post('/users?password=pw', { username: 'boss', name: 'Boss', is_admin: true }, null);
    expect([admin.status, admin.json]).toEqual(denied);
  });
});

describe('GET /users', () => {
  it('lists all but the hidden users of the system, without permissions, to anybody', async () => {
    const reply = await api.get('/users?page=1&page_size=250', null);
    expect(reply.status).toBe(200);
    const names = reply.json.results.map((user: { username: string }) => user.username);
    expect(names).toContain('admin');
    expect(names).not.toContain('search_indexer');
    expect(reply.json.results[0]).toMatchObject({ username: 'admin', is_admin: true, groups: [] });
    expect(reply.json.results[0]).not.toHaveProperty('permissions');
    expect((await api.get('/users?all_ids=true', null)).json).not.toContain(2);
    expect((await api.get('/users?id_set=1,2', null)).json).toHaveLength(1);
    expect((await api.get('/users', null)).json.error.page).toEqual(['Parameter required but no value provided']);
  });

  it('completes names, without users of the system', async () => {
    await api.post('/users?password=pw', { username: 'zebra.b', name: 'Z' });
    await api.post('/users?password=pw', { username: 'zebra.a', name: 'Z' });
    expect((await api.get('/users/complete?query=Zebra', null)).json).toEqual(['zebra.a', 'zebra.b']);
    expect((await api.get('/users/complete?query=admin', null)).json).toEqual([]);
  });

  it('shows one user to holders of manage_users, and the groups of a repository to its managers', async () => {
    const group = await viewers();
    const created = await api.post(`/users?password=pw&groups[]=${encodeURIComponent(group)}`, {
      username: 'grouped',
      name: 'Grouped',
    });
    const manager = await api.userWith(['manage_repository'], repoId);
    expect((await api.get(created.json.uri, manager)).status).toBe(403);
    const seen = await api.get(`/repositories/${repoId}${created.json.uri}`, manager);
    expect([seen.status, seen.json.groups]).toEqual([200, [group]]);
    expect(seen.json).not.toHaveProperty('permissions');
    expect((await api.get('/users/99999')).json).toEqual({ error: "User wasn't found" });
  });
});

describe('POST /users/:id', () => {
  const make = async (
    username: string,
  ): Promise<{ readonly uri: string; readonly session: string; readonly body: Record<string, unknown> }> => {
    const { uri } = (await api.post('/users?password=pw', { username, name: 'Before' })).json;
    const session = await api.login(username, 'pw');
    return { uri, session, body: (await api.get(uri)).json };
  };

  it('lets users update themselves, but not make themselves administrators', async () => {
    const { uri, session, body } = await make('selfish');
    const reply = await api.post(uri, { ...body, name: 'After', is_admin: true }, session);
    expect([reply.status, reply.json.status]).toEqual([200, 'Updated']);
    const after = (await api.get(uri)).json;
    expect(after).toMatchObject({
      name: 'After',
      is_admin: false,
      agent_record: body['agent_record'],
      source: 'DBAuth',
    });
  });

  it('refuses users who update others, or rename themselves', async () => {
    const { uri, session, body } = await make('meddler');
    const other = await make('meddled');
    expect((await api.post(other.uri, other.body, session)).status).toBe(403);
    expect((await api.post(other.uri, { ...other.body, username: 'meddler' }, session)).status).toBe(403);
    expect((await api.post(uri, { ...body, username: 'renamed' }, session)).status).toBe(403);
  });

  it('refuses an old lock_version, and a body without one', async () => {
    const { uri, body } = await make('stale');
    await api.post(uri, body);
    expect((await api.post(uri, body)).json).toEqual({
      error: 'The record you tried to update has been modified since you fetched it.',
    });
    const { lock_version: _, ...without } = body;
    expect((await api.post(uri, without)).status).toBe(409);
  });

  it('sets a password, which ends the sessions of the user', async () => {
    const { uri, session, body } = await make('reset');
    expect((await api.post(`${uri}?password=new`, body)).status).toBe(200);
    expect((await api.get('/users/current-user', session)).status).toBe(412);
    await expect(api.login('reset', 'pw')).rejects.toThrow('403');
    expect(await api.login('reset', 'new')).toMatch(/^[0-9a-f]{64}$/);
  });

  it('makes and unmakes administrators, but not of the account in use', async () => {
    const { uri, session, body } = await make('promoted');
    await api.post(uri, { ...body, is_admin: true });
    const promoted = (await api.get('/users/current-user', session)).json;
    expect(promoted.is_admin).toBe(true);
    await api.post(uri, { ...promoted, is_admin: false }, session);
    const still = (await api.get(uri)).json;
    expect(still.is_admin).toBe(true);
    await api.post(uri, { ...still, is_admin: false });
    expect((await api.get('/users/current-user', session)).json.is_admin).toBe(false);
  });

  it('keeps holders of manage_users away from administrators', async () => {
    const { json } = await api.post('/repositories/1/groups', {
      group_code: 'user-managers',
      description: 'd',
      grants_permissions: ['manage_users'],
    });
    const manager = await make('usermanager');
    await api.post(json.uri, { ...(await api.get(json.uri)).json, member_usernames: ['usermanager'] });
    const admin = (await api.get('/users/1')).json;
    expect((await api.post('/users/1?password=mine', admin, manager.session)).status).toBe(403);
    expect((await api.get('/users/1/deactivate', manager.session)).status).toBe(403);
    const other = await make('managed');
    expect((await api.post(other.uri, other.body, manager.session)).status).toBe(200);
    expect(
      (await api.post(other.uri, { ...(await api.get(other.uri)).json, is_admin: true }, manager.session)).status,
    ).toBe(403);
    const chief = await make('chief');
    const whole = { ...(await api.get(chief.uri)).json, is_admin: true };
    expect((await api.post(chief.uri, whole)).status).toBe(200);
    for (const way of ['activate', 'deactivate'])
      expect((await api.get(`${chief.uri}/${way}`, manager.session)).status).toBe(403);
    expect((await api.del(chief.uri, manager.session)).status).toBe(403);
    expect((await api.get(chief.uri)).json).toMatchObject({ username: 'chief', is_admin: true });
    expect((await api.del(other.uri, manager.session)).status).toBe(200);
  });
});

describe('POST /users/:id/groups', () => {
  it('replaces the groups of one repository, and asks for manage_repository even with an empty list', async () => {
    const group = await viewers();
    const { uri } = (await api.post('/users?password=pw', { username: 'member', name: 'Member' })).json;
    const session = await api.login('member', 'pw');
    const set = (list: readonly string[], by?: string) => {
      const form = new URLSearchParams({ remove_groups: 'true', repo_id: String(repoId) });
      for (const each of list) form.append('groups[]', each);
      return api.ask(`${uri}/groups`, { form, ...(by === undefined ? {} : { session: by }) });
    };
    expect((await set([group])).json).toEqual({ status: 'OK' });
    expect((await api.get('/users/current-user', session)).json.permissions).toHaveProperty([
      `/repositories/${repoId}`,
    ]);
    const stripped = await set([], session);
    expect([stripped.status, stripped.json]).toEqual(denied);
    expect((await set(['/repositories/1/groups/1'])).status).toBe(400);
    expect((await set([])).json).toEqual({ status: 'OK' });
    expect((await api.get('/users/current-user', session)).json.permissions).not.toHaveProperty([
      `/repositories/${repoId}`,
    ]);
  });
});

describe('nobody gives what they lack', () => {
  it('is refused for groups whose permissions the giver does not hold, to others and to oneself', async () => {
    const session = await api.userWith(['manage_repository', 'view_repository'], repoId);
    const own = (await api.get('/users/current-user', session)).json;
    const archivists = (await api.get(`/repositories/${repoId}/groups?group_code=repository-archivists`)).json[0].uri;
    const query = `repo_id=${repoId}&remove_groups=false`;
    const toSelf = await api.post(`${own.uri}/groups?${query}&groups[]=${archivists}`, undefined, session);
    expect([toSelf.status, toSelf.json]).toEqual(denied);
    const { uri } = (await api.post('/users?password=pw', { username: 'given', name: 'Given' })).json;
    expect((await api.post(`${uri}/groups?${query}&groups[]=${archivists}`, undefined, session)).status).toBe(403);
    expect((await api.post(`${uri}/groups?${query}&groups[]=${await viewers()}`, undefined, session)).json).toEqual({
      status: 'OK',
    });
    // What an administrator gave may stay when a manager changes the rest, and a manager may take it away.
    await api.post(`${uri}/groups?${query}&groups[]=${archivists}`);
    expect(
      (await api.post(`${uri}/groups?${query}&groups[]=${archivists}&groups[]=${await viewers()}`, undefined, session))
        .json,
    ).toEqual({ status: 'OK' });
    expect((await api.post(`${uri}/groups?${query}`, undefined, session)).json).toEqual({ status: 'OK' });
  });

  it('is refused where a new user joins such a group, and to make an administrator', async () => {
    const both = await api.userWith(['manage_repository'], repoId);
    const archivists = (await api.get(`/repositories/${repoId}/groups?group_code=repository-archivists`)).json[0].uri;
    const global = await api.post('/repositories/1/groups', {
      group_code: 'usermakers',
      description: 'd',
      grants_permissions: ['manage_users'],
      member_usernames: [(await api.get('/users/current-user', both)).json.username],
    });
    expect(global.status).toBe(200);
    expect(
      (await api.post(`/users?password=pw&groups[]=${archivists}`, { username: 'viagroup', name: 'X' }, both)).status,
    ).toBe(403);
    expect(
      (await api.post('/users?password=pw', { username: 'viaadmin', name: 'X', is_admin: true }, both)).status,
    ).toBe(403);
    expect((await api.get('/users/complete?query=via')).json).toEqual([]);
    expect((await api.post('/users?password=pw', { username: 'plain', name: 'X' }, both)).status).toBe(200);
  });
});

describe('GET /users/:id/activate and /deactivate', () => {
  it('keep a user out and let it in again; users of the system are a 404', async () => {
    const { uri } = (await api.post('/users?password=pw', { username: 'switched', name: 'S' })).json;
    const session = await api.login('switched', 'pw');
    expect((await api.get(`${uri}/deactivate`)).json).toMatchObject({ is_active_user: false, permissions: {} });
    expect((await api.get('/users/current-user', session)).status).toBe(412);
    await expect(api.login('switched', 'pw')).rejects.toThrow('403');
    // A save says nothing of it.
    const { json: stored } = await api.get(uri);
    expect((await api.post(uri, { ...stored, is_active_user: true })).status).toBe(200);
    expect((await api.get(uri)).json.is_active_user).toBe(false);
    expect((await api.get(`${uri}/activate`)).json.is_active_user).toBe(true);
    await api.login('switched', 'pw');
    expect((await api.get('/users/2/deactivate')).status).toBe(404);
  });
});

describe('DELETE /users/:id', () => {
  it('deletes the user, the agent and the memberships; a session of it is nobody', async () => {
    const { uri } = (await api.post('/users?password=pw', { username: 'gone', name: 'Gone' })).json;
    const session = await api.login('gone', 'pw');
    const agent = (await api.get(uri)).json.agent_record.ref;
    expect((await api.del(uri)).json).toEqual({ status: 'Deleted', id: Number(uri.split('/').at(-1)) });
    expect((await api.get(uri)).status).toBe(404);
    expect((await api.get(agent)).status).toBe(404);
    expect((await api.get('/users/current-user', session)).status).toBe(404);
    expect((await api.post('/users?password=pw', { username: 'gone', name: 'Gone' })).status).toBe(200);
  });

  it('leaves the agent of the service itself to nobody', async () => {
    const { json } = await api.get('/agents/software?all_ids=true');
    const reply = await api.del(`/agents/software/${json[0]}`);
    expect([reply.status, reply.json]).toEqual([403, { error: 'Access denied' }]);
    const { uri } = (
      await api.post('/agents/software', { names: [{ software_name: 'Another', sort_name_auto_generate: true }] })
    ).json;
    expect((await api.del(uri)).status).toBe(200);
  });

  it('refuses users of the system', async () => {
    const reply = await api.del('/users/1');
    expect([reply.status, reply.json]).toEqual(denied);
  });
});

// Groups over HTTP: members, grants, and who may give what (contract 2.5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idOf, startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { removePassword } from '#store/access/users.ts';

let api: TestApi;
let repoId: number;
let groups: string;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  repoId = await api.repository();
  groups = `/repositories/${repoId}/groups`;
  await Promise.all(['ann', 'bob'].map((username) => api.post('/users?password=pw', { username, name: username })));
});
afterAll(() => api[Symbol.asyncDispose]());

const denied = [403, { error: 'Access denied' }];

describe('POST /repositories/:repo_id/groups', () => {
  it('creates a group whose permissions hold for its members at the next request', async () => {
    const session = await api.login('ann', 'pw');
    const accessions = `/repositories/${repoId}/accessions?page=1`;
    expect((await api.get(accessions, session)).status).toBe(403);
    const reply = await api.post(groups, {
      group_code: 'readers',
      description: 'Readers',
      grants_permissions: ['view_repository', 'update_agent_record'],
      member_usernames: ['Ann'],
    });
    expect([reply.status, reply.json]).toEqual([
      200,
      {
        status: 'Created',
        id: expect.any(Number),
        lock_version: 0,
        stale: null,
        uri: `${groups}/${reply.json.id}`,
        warnings: [],
      },
    ]);
    expect((await api.get(accessions, session)).status).toBe(200);
    const made = (await api.get(reply.json.uri)).json;
    // The derived code is left out without a word.
    expect(made).toMatchObject({
      group_code: 'readers',
      description: 'Readers',
      grants_permissions: ['view_repository'],
      member_usernames: ['ann'],
      repository: { ref: `/repositories/${repoId}` },
    });
    expect((await api.del(reply.json.uri)).json).toEqual({ status: 'Deleted', id: reply.json.id });
    expect((await api.get(accessions, session)).status).toBe(403);
  });

  it('refuses a code that the repository has, whatever its case; another repository may have it', async () => {
    const body = { group_code: 'Same', description: 'd' };
    await api.post(groups, body);
    const again = await api.post(groups, { ...body, group_code: 'sAME' });
    expect([again.status, again.json]).toEqual([
      400,
      { error: { group_code: ['Group code must be unique within a repository'] } },
    ]);
    expect((await api.post(`/repositories/${await api.repository()}/groups`, body)).status).toBe(200);
  });

  it('names members and permissions that do not exist', async () => {
    const one = await api.post(groups, { group_code: 'm1', description: 'd', member_usernames: ['ann', 'x'] });
    expect([one.status, one.json]).toEqual([400, { error: { member_usernames: ['User x does not exist'] } }]);
    const two = await api.post(groups, { group_code: 'm2', description: 'd', member_usernames: ['a', 'b'] });
    expect(two.json).toEqual({ error: { member_usernames: ['Users a, b do not exist'] } });
    const permission = await api.post(groups, {
      group_code: 'm3',
      description: 'd',
      grants_permissions: ['no_such_permission'],
    });
    expect([permission.status, permission.json]).toEqual([
      400,
      { error: { grants_permissions: ['Unknown permission code: no_such_permission'] } },
    ]);
  });

  it('refuses to grant a global permission in a repository', async () => {
    const reply = await api.post(groups, {
      group_code: 'g',
      description: 'd',
      grants_permissions: ['administer_system'],
    });
    expect([reply.status, reply.json]).toEqual(denied);
  });

  it('refuses to grant what the caller lacks', async () => {
    const manager = await api.userWith(['manage_repository', 'view_repository'], repoId);
    const own = await api.post(
      groups,
      { group_code: 'own', description: 'd', grants_permissions: ['view_repository'] },
      manager,
    );
    expect(own.status).toBe(200);
    const more = await api.post(
      groups,
      { group_code: 'more', description: 'd', grants_permissions: ['transfer_archival_record'] },
      manager,
    );
    expect([more.status, more.json]).toEqual(denied);
  });

  it('asks for manage_repository in that repository', async () => {
    const elsewhere = await api.userWith(['manage_repository'], await api.repository());
    expect((await api.post(groups, { group_code: 'z', description: 'd' }, elsewhere)).status).toBe(403);
    expect((await api.post(groups, { group_code: 'z', description: 'd' }, null)).status).toBe(403);
    expect((await api.get(groups, elsewhere)).status).toBe(403);
  });
});

describe('POST /repositories/:repo_id/groups/:id', () => {
  it('replaces members and permissions, or leaves the members alone where asked', async () => {
    const { uri } = (
      await api.post(groups, {
        group_code: 'full',
        description: 'd',
        grants_permissions: ['view_repository'],
        member_usernames: ['ann'],
      })
    ).json;
    const body = (await api.get(uri)).json;
    expect(
      (
        await api.post(`${uri}?with_members=false`, {
          ...body,
          member_usernames: [],
          grants_permissions: ['create_job'],
        })
      ).json.lock_version,
    ).toBe(1);
    expect((await api.get(uri)).json).toMatchObject({ member_usernames: ['ann'], grants_permissions: ['create_job'] });
    expect((await api.get(`${uri}?with_members=false`)).json.member_usernames).toEqual([]);
    // Forms send an empty one, which is as if none were sent.
    for (const absent of ['with_members', 'with_members='])
      expect((await api.get(`${uri}?${absent}`)).json.member_usernames).toEqual(['ann']);
    await api.post(uri, { ...body, lock_version: 1, member_usernames: ['bob'] });
    expect((await api.get(uri)).json).toMatchObject({
      member_usernames: ['bob'],
      grants_permissions: ['view_repository'],
    });
    expect((await api.post(uri, body)).status).toBe(409);
  });

  it('lets a manager save a group whose permissions the manager lacks, as long as neither permission nor member is added', async () => {
    const manager = await api.userWith(['manage_repository'], repoId);
    const { uri } = (await api.get(`${groups}?group_code=repository-archivists`)).json[0];
    const archivists = (await api.get(uri)).json;
    expect((await api.post(uri, { ...archivists, member_usernames: ['ann', 'bob'] })).status).toBe(200);
    const saved = await api.post(
      uri,
      { ...archivists, lock_version: 1, description: 'Ours', member_usernames: ['bob'] },
      manager,
    );
    expect(saved.status, saved.text).toBe(200);
    expect((await api.get(uri)).json).toMatchObject({ description: 'Ours', member_usernames: ['bob'] });
    const added = await api.post(uri, { ...archivists, lock_version: 2, member_usernames: ['ann', 'bob'] }, manager);
    expect([added.status, added.json]).toEqual(denied);
    expect((await api.get(uri)).json).toMatchObject({ lock_version: 2, member_usernames: ['bob'] });
  });

  it('lets a manager add members to a group whose permissions the manager holds', async () => {
    const manager = await api.userWith(['manage_repository', 'view_repository'], repoId);
    const { uri } = (await api.get(`${groups}?group_code=repository-viewers`)).json[0];
    expect((await api.post(uri, { ...(await api.get(uri)).json, member_usernames: ['ann'] }, manager)).status).toBe(
      200,
    );
  });
});

describe('GET /repositories/:repo_id/groups', () => {
  it('lists the six groups of a new repository, without members', async () => {
    const code = 'LISTED';
    const list = (await api.get(`/repositories/${await api.repository(code)}/groups`)).json;
    expect(list.map((group: { group_code: string }) => group.group_code)).toEqual([
      'repository-managers',
      'repository-archivists',
      'repository-project-managers',
      'repository-advanced-data-entry',
      'repository-basic-data-entry',
      'repository-viewers',
    ]);
    expect(list[0]).toMatchObject({ description: `Managers of the ${code} repository`, member_usernames: [] });
    expect(list[5].grants_permissions).toEqual(['view_repository']);
    expect(list[0].grants_permissions).not.toContain('create_job');
    expect(list[1].grants_permissions).toContain('create_job');
  });

  it('is a 404 for a group of another repository', async () => {
    const other = await api.repository();
    const id = (await api.get(`/repositories/${other}/groups`)).json[0].uri.split('/').at(-1);
    const reply = await api.get(`${groups}/${id}`);
    expect([reply.status, reply.json]).toEqual([404, { error: 'Group not found' }]);
  });
});

describe('the groups of a user in a repository', () => {
  it('are those of the list, each once; what is no group of the repository is named and changes nothing', async () => {
    const repoId = await api.repository();
    const user = (await api.ask('/users?password=pw', { json: { username: 'regular', name: 'Regular' } })).json.uri;
    const [first, second]: readonly { readonly uri: string }[] = (await api.get(`/repositories/${repoId}/groups`)).json;
    const set = (...uris: readonly string[]) =>
      api.ask(`${user}/groups`, {
        form: new URLSearchParams([
          ['repo_id', String(repoId)],
          ['remove_groups', 'true'],
          ...uris.map((uri): [string, string] => ['groups[]', uri]),
        ]),
      });
    const members = async (uri = '') => (await api.get(uri)).json.member_usernames;
    expect((await set(first?.uri ?? '', first?.uri.replace(/\d+$/, '0$&') ?? '')).json).toEqual({ status: 'OK' });
    expect(await members(first?.uri)).toEqual(['regular']);
    for (const uri of ['/repositories/1/groups/1', `/repositories/${repoId}`, 'nonsense']) {
      const reply = await set(second?.uri ?? '', uri);
      expect([reply.status, reply.json]).toEqual([400, { error: { groups: [`Group not found: ${uri}`] } }]);
    }
    const missing = await set(second?.uri ?? '', `/repositories/${repoId}/groups/99999`);
    expect([missing.status, missing.json]).toEqual([404, { error: 'Group not found' }]);
    expect([await members(first?.uri), await members(second?.uri)]).toEqual([['regular'], []]);
    expect((await set(second?.uri ?? '')).status).toBe(200);
    expect([await members(first?.uri), await members(second?.uri)]).toEqual([[], ['regular']]);
    expect(
      (await api.ask('/users/99999/groups', { form: new URLSearchParams({ repo_id: '1', remove_groups: 'true' }) }))
        .json,
    ).toEqual({
      error: "User wasn't found",
    });
  });
});

describe('the group of the administrators', () => {
  it('keeps its last member, whichever way it would go: the service would be without an administrator until its next start', async () => {
    const uri = (await api.get('/repositories/1/groups?group_code=administrators')).json[0].uri;
    const { member_usernames: members, ...group } = (await api.get(uri)).json;
    const form = new URLSearchParams({ repo_id: '1', remove_groups: 'true' });
    const replies = [
      await api.ask(uri, { method: 'DELETE' }),
      await api.post(uri, { ...group, member_usernames: [] }),
      await api.post(uri, { ...group, member_usernames: members, grants_permissions: [] }),
      await api.ask('/users/1/groups', { form }),
      await api.ask('/batch_delete', { form: new URLSearchParams({ 'record_uris[]': uri }) }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([409, 409, 409, 409, 403]);
    expect(replies[0]?.json).toEqual({ error: 'This would leave the service without an administrator' });
    expect((await api.get(uri)).json).toEqual({ ...group, member_usernames: members });
    const second = [...members, 'ann'];
    expect((await api.post(uri, { ...group, member_usernames: second })).status).toBe(200);
    const ann = await api.login('ann', 'pw');
    expect((await api.ask('/users/1/groups', { form, session: ann })).json).toEqual({ status: 'OK' });
    // Neither who is switched off nor who is gone administers anything.
    const annUri = (await api.get('/users/current-user', ann)).json.uri;
    expect((await api.get(`${annUri}/deactivate`, ann)).status).toBe(409);
    expect((await api.ask(annUri, { method: 'DELETE', session: ann })).status).toBe(409);
    const { lock_version } = (await api.get(uri, ann)).json;
    expect((await api.post(uri, { ...group, lock_version, member_usernames: second }, ann)).status).toBe(200);

    // Who removes the other first stays, who comes second is refused: by the rule, or for the permission that is gone.
    const removed = await Promise.all([
      api.ask('/users/1/groups', { form, session: ann }),
      api.ask(`${annUri}/groups`, { form }),
    ]);
    expect(removed.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([403, 409]).toContain(removed.find(({ status }) => status !== 200)?.status);
    const left = removed[0]?.status === 200 ? ann : undefined;
    const { lock_version: last, member_usernames: one } = (await api.get(uri, left)).json;
    expect(one).toHaveLength(1);
    const restored = { ...group, lock_version: last, member_usernames: members };
    expect((await api.post(uri, restored, left)).status).toBe(200);
  });

  it('takes nobody for an administrator who has no password, as a load leaves users, until one is chosen', async () => {
    const uri: string = (
      await api.ask('/users?password=pw', { json: { username: 'arrived', name: 'A', is_admin: true } })
    ).json.uri;
    const id = idOf(uri);
    await api.database.transaction((tx) => removePassword(tx, id));
    const { token } = (await api.post(`${uri}/invitation`)).json;
    const leave = () =>
      api.ask('/users/1/groups', { form: new URLSearchParams({ repo_id: '1', remove_groups: 'true' }) });
    const refused = await leave();
    expect([refused.status, refused.json]).toEqual([
      409,
      { error: 'This would leave the service without an administrator' },
    ]);
    const password = 'seventeen grey herons';
    const form = new URLSearchParams({ token, password });
    expect((await api.ask('/users/arrived/accept-invitation', { form, session: null })).status).toBe(200);
    const group = (await api.get('/repositories/1/groups?group_code=administrators')).json[0];
    expect((await leave()).json).toEqual({ status: 'OK' });
    const arrived = await api.login('arrived', password);
    const back = new URLSearchParams({ repo_id: '1', remove_groups: 'true', 'groups[]': group.uri });
    expect((await api.ask('/users/1/groups', { form: back, session: arrived })).json).toEqual({ status: 'OK' });
    expect((await api.del(uri)).status).toBe(200);
  });
});

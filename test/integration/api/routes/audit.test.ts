// The audit log over HTTP: what is told, to whom, and that it stands and falls with what it tells of.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous } from '#domain/access/caller.ts';
import { sql } from '#store/connection/sql.ts';
import { audit } from '../../../../apps/api/access/audit.ts';
import { startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';

let api: TestApi;
let repoId: number;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

type Entry = { readonly event: string; readonly actor: string | null; readonly details: object; readonly id: number };
const entries = async (query: string): Promise<readonly Entry[]> =>
  (await api.get(`/system/audit?page_size=250&${query}`)).json.results;
const make = async (username: string): Promise<string> =>
  (await api.post('/users?password=pw', { username, name: username })).json.uri;

describe('GET /system/audit', () => {
  it('tells of the life of an account, the newest first', async () => {
    const uri = await make('told');
    await expect(api.login('told', 'wrong')).rejects.toThrow('403');
    const session = await api.login('told', 'pw');
    await api.post('/logout', undefined, session);
    await api.post(`${uri}?password=other`, { ...(await api.get(uri)).json, is_admin: true });
    await api.get(`${uri}/deactivate`);
    await api.get(`${uri}/activate`);
    await api.del(uri);
    const told = await entries(`subject=${uri}`);
    expect(told.map(({ event, actor }) => [event, actor])).toEqual([
      ['user_deleted', 'admin'],
      ['user_activated', 'admin'],
      ['user_deactivated', 'admin'],
      ['password_changed', 'admin'],
      ['user_updated', 'admin'],
      ['login', 'told'],
      ['login_failed', null],
      ['user_created', 'admin'],
    ]);
    expect(told[4]?.details).toEqual({ username: 'told', is_admin: true });
    expect(told.at(-1)).toMatchObject({ address: '127.0.0.1', request_id: expect.any(String), subject: uri });
    expect(JSON.stringify(told)).not.toMatch(/wrong|other|[0-9a-f]{64}/);
    expect((await entries('actor=told')).map(({ event }) => event)).toEqual(['logout', 'login']);
  });

  it('takes any time for its bounds', async () => {
    const { MAX_SAFE_INTEGER: latest } = Number;
    expect(await entries(`since=${latest}`)).toEqual([]);
    expect(await entries(`until=${latest}`)).toEqual(await entries('since=0'));
  });

  it('does not write down names that nobody has: they may be passwords', async () => {
    await expect(api.login('my-secret-word', 'x')).rejects.toThrow('403');
    const [last] = await entries('event=login_failed');
    expect(last).toMatchObject({ subject: null, details: {}, actor: null });
    expect(JSON.stringify(await entries(''))).not.toContain('my-secret-word');
  });

  it('tells what a group grants since and no more, and who came and left', async () => {
    const [one, two] = [await make('one'), await make('two')];
    const code = { group_code: 'told-group', description: 'd', grants_permissions: ['view_repository'] };
    const { uri } = (await api.post(`/repositories/${repoId}/groups`, { ...code, member_usernames: ['one'] })).json;
    const changed = { grants_permissions: ['create_job'], member_usernames: ['two'] };
    await api.post(uri, { ...(await api.get(uri)).json, ...changed });
    await api.post(`${one}/groups?repo_id=${repoId}&remove_groups=true&groups[]=${uri}`);
    await api.ask('/batch_delete', {
      form: new URLSearchParams([
        ['record_uris[]', uri],
        ['record_uris[]', two],
      ]),
    });
    expect((await entries(`subject=${uri}`)).map(({ event, details }) => [event, details])).toEqual([
      ['group_deleted', {}],
      [
        'group_updated',
        {
          group_code: 'told-group',
          granted: ['create_job'],
          revoked: ['view_repository'],
          joined: ['two'],
          left: ['one'],
        },
      ],
      ['group_created', { group_code: 'told-group', granted: ['view_repository'], joined: ['one'] }],
    ]);
    expect((await entries(`subject=${one}&event=user_groups_changed`))[0]?.details).toEqual({
      before: [],
      after: [uri],
    });
    expect((await entries(`subject=${two}`))[0]?.event).toBe('user_deleted');
  });

  it('says who became whom', async () => {
    const uri = await make('guise');
    await api.post('/users/guise/become-user', undefined, await api.login('admin', 'admin'));
    expect(await entries(`subject=${uri}&event=become_user`)).toMatchObject([{ actor: 'admin' }]);
  });

  it('tells nothing of what was refused or undone', async () => {
    const before = (await entries('')).length;
    const undone = api.database.transaction(async (tx) => {
      await audit(tx, { caller: anonymous, address: '192.0.2.1', requestId: 'r' }, { event: 'logout' });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await make('told-twice');
    expect((await api.post('/users?password=pw', { username: 'told-twice', name: 'X' })).status).toBe(400);
    expect((await entries('')).length).toBe(before + 1);
  });

  it('is for administrators, narrowed by time and in pages', async () => {
    const session = await api.userWith(['manage_repository'], repoId);
    expect((await api.get('/system/audit', session)).status).toBe(403);
    expect((await api.get('/system/audit', null)).status).toBe(403);
    expect((await api.get('/system/audit?event=nonsense')).status).toBe(400);
    const now = Math.floor(Date.now() / 1000);
    expect(await entries(`since=${now + 60}`)).toEqual([]);
    expect((await entries(`since=${now - 600}&until=${now + 60}`)).length).toBeGreaterThan(5);
    const { json } = await api.get('/system/audit?page=2&page_size=2');
    const all = await entries('');
    expect(json).toMatchObject({ this_page: 2, total: all.length });
    expect(json.results.map((entry: Entry) => entry.id)).toEqual(all.slice(2, 4).map(({ id }) => id));
  });

  it('holds entries that nothing changes', async () => {
    const change = api.database.transaction((tx) => tx.run(sql`UPDATE audit_entry SET actor = 'somebody else'`));
    await expect(change).rejects.toThrow();
  });
});

// New passwords: what they must be, for whom, and that the current one is asked for (contract 2.1, 2.3; OWASP ASVS 4.0, 2.1).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../../support/api.ts';
import type { Reply, TestApi } from '../../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const fine = 'seventeen grey herons';
const user = async (on: TestApi, username: string, password = 'pw') => {
  const { uri } = (await on.post(`/users?password=${password}`, { username, name: username })).json;
  return { uri: String(uri), session: await on.login(username, password) };
};
const change = (on: TestApi, path: string, session: string, form: { readonly [name: string]: string }) =>
  on.ask(path, { form: new URLSearchParams(form), session });
const told = ({ status, json }: Reply) => [status, json];

describe('POST /users/:id/password', () => {
  it('changes the own password and ends all sessions of the user; others are refused', async () => {
    const { uri, session } = await user(api, 'owner');
    const other = await api.login('owner', 'pw');
    const asked = { password: fine, current_password: 'pw' };
    expect((await change(api, '/users/1/password', session, asked)).status).toBe(403);
    expect((await change(api, `${uri}/password`, session, asked)).json).toEqual({ success: 'password updated' });
    for (const each of [session, other]) expect((await api.get('/users/current-user', each)).status).toBe(412);
    await api.login('owner', fine);
  });

  it('asks for the current password', async () => {
    const { uri, session } = await user(api, 'proven');
    expect(told(await change(api, `${uri}/password`, session, { password: fine }))).toEqual([
      400,
      { error: { current_password: ['Parameter required but no value provided'] } },
    ]);
    expect(told(await change(api, `${uri}/password`, session, { password: fine, current_password: 'no' }))).toEqual([
      403,
      { error: 'Login failed' },
    ]);
    expect((await api.get('/users/current-user', session)).json.username).toBe('proven');
  });

  it.each([
    ['short', 'Must be at least 12 characters'],
    ['x'.repeat(129), 'Must be at most 128 characters'],
    ['Administrator', 'Is one of the most common passwords'],
    ['a.rather.long.user', 'Must not be the user name'],
  ])('refuses %s', async (password, words) => {
    const { uri, session } = await user(api, 'a.rather.long.user');
    const reply = await change(api, `${uri}/password`, session, { password, current_password: 'pw' });
    expect(told(reply)).toEqual([400, { error: { password: [words] } }]);
    await api.del(uri);
  });
});

describe('POST /users/:id with a password', () => {
  it('asks users who change their own for the current one, and keeps the session that did it', async () => {
    const { uri, session } = await user(api, 'selfmade');
    const record = (await api.get('/users/current-user', session)).json;
    const save = async (query: string) => api.post(`${uri}?${query}`, record, session);
    expect((await save(`password=${encodeURIComponent(fine)}`)).status).toBe(400);
    expect((await save('password=short&current_password=pw')).status).toBe(400);
    expect((await save(`password=${encodeURIComponent(fine)}&current_password=pw`)).status).toBe(200);
    expect((await api.get('/users/current-user', session)).status).toBe(200);
    await api.login('selfmade', fine);
  });

  it('lets whoever manages users set any password of others, as scripts do', async () => {
    const { uri } = await user(api, 'scripted');
    expect((await api.post(`${uri}?password=x`, (await api.get(uri)).json)).status).toBe(200);
    await api.login('scripted', 'x');
    expect((await api.post('/users?password=', { username: 'empty', name: 'E' })).json).toEqual({
      error: { password: ['Must not be empty'] },
    });
  });
});

describe('MUNIMENT_PASSWORD_RULES', () => {
  it('all: hold for managers too, with the length that is configured', async () => {
    await using strict = await startTestApi({
      worker: false,
      environment: { MUNIMENT_PASSWORD_RULES: 'all', MUNIMENT_PASSWORD_MIN_LENGTH: '8' },
    });
    const refused = await strict.post('/users?password=short', { username: 'short', name: 'S' });
    expect(told(refused)).toEqual([400, { error: { password: ['Must be at least 8 characters'] } }]);
    const { uri } = await user(strict, 'long', 'long-enough');
    expect((await strict.post(`${uri}?password=short`, (await strict.get(uri)).json)).status).toBe(400);
  });

  it('people: hold for self registration', async () => {
    await using open = await startTestApi({ worker: false, environment: { MUNIMENT_SELF_REGISTRATION: 'true' } });
    const register = (password: string) =>
      open.post(`/users?password=${password}`, { username: 'self', name: 'Self' }, null);
    expect((await register('pw')).status).toBe(400);
    expect((await register('seventeen-grey-herons')).status).toBe(200);
  });

  it('off, and no current password asked for: as in the incumbent', async () => {
    await using old = await startTestApi({
      worker: false,
      environment: { MUNIMENT_PASSWORD_RULES: 'off', MUNIMENT_PASSWORD_ASK_CURRENT: 'false' },
    });
    const { uri, session } = await user(old, 'owner');
    expect((await old.post(`${uri}/password?password=x`, undefined, session)).json).toEqual({
      success: 'password updated',
    });
    await old.login('owner', 'x');
  });
});

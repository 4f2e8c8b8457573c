// Logging in and out over HTTP, and what an account shows of itself (contract 2.1 to 2.4).
// Contract: behaviour-records.md, sections 2.1 and 2.2.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const login = (username: string, form: { readonly [name: string]: string }) =>
  api.ask(`/users/${username}/login`, { form: new URLSearchParams(form), session: null });

describe('POST /users/:username/login', () => {
  it('gives a token and the user with permissions, whatever the case of the name', async () => {
    const reply = await login('ADMIN', { password: 'admin' });
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.json).sort()).toEqual(['session', 'user']);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.json.session).toMatch(/^[0-9a-f]{64}$/);
    expect(reply.json.user).toMatchObject({
      username: 'admin',
      name: 'Administrator',
      source: 'DBAuth',
      is_system_user: true,
      is_active_user: true,
      is_admin: true,
      groups: [],
      uri: '/users/1',
      agent_record: { ref: '/agents/people/1' },
      jsonmodel_type: 'user',
    });
    const { permissions } = reply.json.user;
    expect(Object.keys(permissions).sort()).toEqual(['/repositories/1', '_service']);
    expect(permissions._service).toEqual(
      expect.arrayContaining(['administer_system', 'edit_user_self', 'update_agent_record', 'view_repository']),
    );
    expect(permissions['/repositories/1']).not.toContain('edit_user_self');
  });

  it('takes the password from the query string, but from no JSON body', async () => {
    expect((await api.ask('/users/admin/login?password=admin', { method: 'POST', session: null })).status).toBe(200);
    const asJson = await api.ask('/users/admin/login', { json: { password: 'admin' }, session: null });
    expect(asJson.status).toBe(400);
    expect(asJson.json.error.password).toEqual(['Parameter required but no value provided']);
  });

  it('tells how long a session that does not expire is kept', async () => {
    const reply = await login('admin', { password: 'admin', expiring: 'False' });
    expect(reply.json.expire_after_seconds).toBe(604_800);
  });

  it('answers alike to a wrong password, an unknown user, a hidden user and an empty password', async () => {
    const replies = await Promise.all([
      login('admin', { password: 'nope' }),
      login('no-such-user', { password: 'nope' }),
      login('search_indexer', { password: '' }),
      login('admin', { password: '' }),
    ]);
    for (const reply of replies) expect([reply.status, reply.json]).toEqual([403, { error: 'Login failed' }]);
  });

  it('counts as a save of the user the first time alone', async () => {
    await api.post('/users?password=pw', { username: 'twice', name: 'Twice' });
    const versions = [await login('twice', { password: 'pw' }), await login('twice', { password: 'pw' })].map(
      (reply) => reply.json.user.lock_version,
    );
    expect(versions).toEqual([1, 1]);
  });

  it('refuses a dead token before it looks at the password', async () => {
    const reply = await api.ask('/users/admin/login', {
      form: new URLSearchParams({ password: 'admin' }),
      session: '0'.repeat(64),
    });
    expect([reply.status, reply.json.code]).toEqual([412, 'SESSION_GONE']);
  });
});

describe('POST /users/:username/login, many times', () => {
  it('refuses even the right password after too many failures from an address, in the same words', async () => {
    await using strict = await startTestApi({ worker: false, environment: { MUNIMENT_LOGIN_RATE_LIMIT: '3' } });
    const attempt = (password: string) =>
      strict.ask('/users/admin/login', { form: new URLSearchParams({ password }), session: null });
    for (const _ of [1, 2, 3]) expect((await attempt('wrong')).status).toBe(403);
    const blocked = await attempt('admin');
    expect([blocked.status, blocked.json]).toEqual([403, { error: 'Login failed' }]);
  });
});

describe('POST /logout', () => {
  it('ends the session', async () => {
    const session = await api.login('admin', 'admin');
    expect((await api.post('/logout', undefined, session)).json).toEqual({ status: 'session_logged_out' });
    const after = await api.get('/users/current-user', session);
    expect([after.status, after.json]).toEqual([
      412,
      { code: 'SESSION_GONE', error: `No session found for ${session}` },
    ]);
  });

  it('says so where there is no session', async () => {
    expect((await api.post('/logout', undefined, null)).json).toEqual({ status: 'no_active_session' });
  });
});

describe('GET /users/current-user', () => {
  it('is a 404 for nobody', async () => {
    const reply = await api.get('/users/current-user', null);
    expect([reply.status, reply.json]).toEqual([404, { error: 'NotFoundException' }]);
  });

  it('shows a user without grants the one permission of every user', async () => {
    await api.post('/users?password=pw', { username: 'plain', name: 'Plain' });
    const session = await api.login('plain', 'pw');
    expect((await api.get('/users/current-user', session)).json).toMatchObject({
      username: 'plain',
      is_admin: false,
      permissions: { _service: ['edit_user_self'] },
    });
  });
});

describe('the release R-A', () => {
  it('shows neither source nor edit_user_self', async () => {
    await using older = await startTestApi({ worker: false, environment: { MUNIMENT_RELEASE: 'R-A' } });
    await older.post('/users?password=pw', { username: 'plain', name: 'Plain' });
    const reply = await older.ask('/users/plain/login', {
      form: new URLSearchParams({ password: 'pw' }),
      session: null,
    });
    expect(reply.json.user.permissions).toEqual({ _service: [] });
    expect(reply.json.user).not.toHaveProperty('source');
  });
});

describe('POST /users/:username/become-user', () => {
  it('makes the session that of the other user, under a new token', async () => {
    await api.post('/users?password=pw', { username: 'other', name: 'Other' });
    const session = await api.login('admin', 'admin');
    const reply = await api.post('/users/other/become-user', undefined, session);
    expect([reply.status, reply.json.user.username]).toEqual([200, 'other']);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect((await api.get('/users/current-user', session)).status).toBe(412);
    const other = String(reply.json.session);
    expect(other).toMatch(/^[0-9a-f]{64}$/);
    expect((await api.get('/users/current-user', other)).json.username).toBe('other');
    expect((await api.post('/users/admin/become-user', undefined, other)).status).toBe(403);
  });

  it('is done once by requests that come together: the others have no session any more', async () => {
    await api.post('/users?password=pw', { username: 'wanted', name: 'Wanted' });
    const session = await api.login('admin', 'admin');
    const replies = await Promise.all([1, 2, 3].map(() => api.post('/users/wanted/become-user', undefined, session)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
    for (const { status, json } of replies)
      if (status === 200) expect((await api.get('/users/current-user', json.session)).json.username).toBe('wanted');
      else expect(json.code).toBe('SESSION_GONE');
  });

  it('is a 404 for a user that does not exist', async () => {
    const reply = await api.post('/users/nobody-here/become-user');
    expect([reply.status, reply.json]).toEqual([404, { error: 'NotFoundException' }]);
  });
});

describe('mailed links', () => {
  it('are off', async () => {
    const mail = await api.ask('/users/reset-password?email=a@example.com', { method: 'POST', session: null });
    expect([mail.status, mail.json]).toEqual([400, { error: 'NotAllowed' }]);
    const token = await api.ask('/users/admin/0123456789', { method: 'POST', session: null });
    expect([token.status, token.json]).toEqual([403, { error: 'Login failed' }]);
  });
});

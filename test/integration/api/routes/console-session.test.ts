// Sessions in a cookie: what they open with and without x-csrf-token, that the header way is as it was, and that they end like others.
import { expect, it } from 'vitest';
import type { Reply, TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { claimedByCookie, csrfTokenOf } from '../../../../apps/api/access/session-cookie.ts';

const api: TestApi = await startTestApi({ worker: false, environment: { MUNIMENT_TRUST_PROXY: '1' } });
const path = '/console/session';

const logIn = (headers: { readonly [name: string]: string } = {}): Promise<Reply> =>
  api.ask(path, {
    form: new URLSearchParams({ username: 'admin', password: adminPassword }),
    session: null,
    headers: { 'x-csrf-token': 'none', ...headers },
  });

/** A session as a browser has it: the cookie, and what the page knows. */
async function browser(): Promise<{ readonly cookie: string; readonly csrf: string }> {
  const reply = await logIn();
  expect(reply.status).toBe(200);
  return { cookie: (reply.headers.get('set-cookie') ?? '').split(';')[0] ?? '', csrf: reply.json.csrf_token };
}
const asked = (to: string, headers: { readonly [name: string]: string }, method = 'GET'): Promise<Reply> =>
  api.ask(to, { method, session: null, headers });

it('gives the session to the browser alone, in a cookie out of reach of scripts', async () => {
  const reply = await logIn();
  const cookie = reply.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^muniment_session=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict$/);
  const token = /=([0-9a-f]+)/.exec(cookie)?.[1] ?? '';
  expect(reply.text).not.toContain(token);
  expect(reply.json).toMatchObject({
    status: 'session_active',
    csrf_token: csrfTokenOf(token),
    user: { username: 'admin' },
  });
  expect((await logIn({ 'x-forwarded-proto': 'https' })).headers.get('set-cookie')).toMatch(/; Secure$/);
});

it('opens nothing by the cookie alone, whatever is asked', async () => {
  const { cookie, csrf } = await browser();
  for (const to of ['/users/current-user', '/repositories/1', '/system/info'])
    expect((await asked(to, { cookie })).status).toBe((await asked(to, {})).status);
  expect((await asked('/users/current-user', { cookie, 'x-csrf-token': csrf })).json.username).toBe('admin');
  const made = { json: { repo_code: 'FORGED', name: 'Made by another site' }, session: null };
  expect((await api.ask('/repositories', { ...made, headers: { cookie } })).status).toBe(403);
  expect((await api.ask('/repositories', { ...made, headers: { cookie, 'x-csrf-token': csrf } })).status).toBe(200);
});

it('says that a session is gone where the token is not that of the cookie, without telling either', async () => {
  const [one, other] = [await browser(), await browser()];
  const claims: readonly { readonly [name: string]: string }[] = [
    { cookie: one.cookie, 'x-csrf-token': other.csrf },
    { 'x-csrf-token': one.csrf },
  ];
  for (const headers of claims) {
    const reply = await asked('/users/current-user', headers);
    expect([reply.status, reply.json.code]).toEqual([412, 'SESSION_GONE']);
    expect(reply.text).not.toContain(one.cookie.split('=')[1]);
  }
});

it('refuses a login that another site could have sent', async () => {
  const form = new URLSearchParams({ username: 'admin', password: adminPassword });
  const reply = await api.ask(path, { form, session: null });
  expect([reply.status, reply.headers.get('set-cookie')]).toEqual([403, null]);
});

it('tells whose session the cookie holds, ends it, and tells the audit log of both', async () => {
  const { cookie, csrf } = await browser();
  expect((await asked(path, { cookie })).json).toMatchObject({ status: 'session_active', csrf_token: csrf });
  // Another site cannot log anybody out either.
  expect((await asked(path, { cookie }, 'DELETE')).json).toEqual({ status: 'no_active_session' });
  expect((await asked(path, { cookie })).json.status).toBe('session_active');
  const ended = await asked(path, { cookie, 'x-csrf-token': csrf }, 'DELETE');
  expect(ended.headers.get('set-cookie')).toContain('muniment_session=; ');
  expect(ended.headers.get('set-cookie')).toContain('Max-Age=0');
  expect((await asked(path, { cookie })).json).toEqual({ status: 'no_active_session' });
  expect((await asked('/users/current-user', { cookie, 'x-csrf-token': csrf })).status).toBe(412);
  const { results } = (await api.get('/system/audit?page=1')).json;
  expect(results.slice(0, 2).map((entry: { event: string }) => entry.event)).toEqual(['logout', 'login']);
});

it('leaves the header as it was, a cookie beside it too', async () => {
  const { cookie } = await browser();
  const header = { 'x-service-session': api.session };
  expect((await asked('/users/current-user', { ...header, cookie, 'x-csrf-token': 'wrong' })).status).toBe(200);
  const dead = await asked('/users/current-user', { 'x-service-session': 'dead', cookie });
  expect([dead.status, dead.json.error]).toEqual([412, 'No session found for dead']);
});

it('reads the cookie among others', () => {
  const headers = {
    cookie: `a=b; muniment_session=abc ; other=muniment_session=x`,
    'x-csrf-token': csrfTokenOf('abc'),
  };
  expect(claimedByCookie(headers)).toEqual({ token: 'abc' });
  expect(claimedByCookie({ ...headers, cookie: 'not_muniment_session=abc' })).toBe('gone');
  expect(claimedByCookie({ cookie: headers.cookie })).toBe('none');
});

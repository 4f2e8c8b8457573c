// Invitations: who may make one, what a token opens and when it no longer does, and what is told of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Reply, TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { AnyRow } from '#test/support/rows.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { inviteUser, pruneInvitations } from '#store/access/invitations.ts';
import { removePassword } from '#store/access/users.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const fine = 'seventeen grey herons';
/** A user as a load leaves one: without a password. */
async function arrived(username: string, on: TestApi = api): Promise<string> {
  const uri = await on.create('/users?password=pw', { username, name: `Name of ${username}` });
  await on.database.transaction((tx) => removePassword(tx, Number(uri.split('/').at(-1))));
  return uri;
}
const invite = (uri: string, hours?: number, session?: string): Promise<Reply> =>
  api.post(`${uri}/invitation${hours === undefined ? '' : `?hours=${hours}`}`, undefined, session);
const accept = (username: string, token: string, password = fine, on: TestApi = api): Promise<Reply> =>
  on.ask(`/users/${username}/accept-invitation`, {
    method: 'POST',
    form: new URLSearchParams({ token, password }),
    session: null,
  });

describe('an invitation', () => {
  it('lets a user choose a password, once', async () => {
    const uri = await arrived('first');
    const invited = await invite(uri);
    expect([invited.status, invited.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(invited.json).toEqual({
      username: 'first',
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
      expires_at: expect.any(String),
    });
    const hours = (Date.parse(invited.json.expires_at) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(71);
    expect(hours).toBeLessThan(73);
    // The token itself is nowhere.
    const rows = await api.database.reader.any(
      sql.type(AnyRow)`SELECT encode(digest, 'hex') AS digest FROM invitation`,
    );
    expect(JSON.stringify(rows)).not.toContain(invited.json.token);
    expect((await accept('FIRST', invited.json.token)).json).toEqual({ success: 'password set' });
    await api.login('first', fine);
    expect((await accept('first', invited.json.token, 'another fine password')).status).toBe(403);
    await api.login('first', fine);
    expect((await invite(uri)).json).toEqual({ error: { id: ['first has a password'] } });
  });

  it('is used up by one of those who come at once', async () => {
    const { token } = (await invite(await arrived('twice'))).json;
    const replies = await Promise.all([1, 2, 3, 4].map((n) => accept('twice', token, `${fine} ${n}`)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 403, 403, 403]);
  });

  it('keeps its token where the password is refused', async () => {
    const { token } = (await invite(await arrived('picky'))).json;
    expect((await accept('picky', token, 'short')).json).toEqual({
      error: { password: ['Must be at least 12 characters'] },
    });
    expect((await accept('picky', token, 'password1234')).status).toBe(400);
    expect((await accept('picky', token)).status).toBe(200);
  });

  it('ends with its time, with the next one, with a password that is set otherwise, and with the account', async () => {
    const [late, again, given, gone, off] = await Promise.all(
      ['late', 'again', 'given', 'gone', 'off'].map((name) => arrived(name)),
    );
    const token = async (uri: string | undefined): Promise<string> => (await invite(uri ?? '', 1)).json.token;
    const tokens = await Promise.all([late, again, given, gone, off].map(token));
    await api.database.transaction((tx) =>
      tx.run(
        sql`UPDATE invitation SET expires_at = now() - interval '1 second' WHERE user_id = ${Number(late?.split('/').at(-1))}`,
      ),
    );
    const second = await token(again);
    const record = (await api.get(given ?? '')).json;
    await api.post(`${given}?password=${encodeURIComponent('set by an administrator')}`, record);
    await api.del(gone ?? '');
    await api.get(`${off}/deactivate`);
    for (const [index, name] of ['late', 'again', 'given', 'gone', 'off'].entries())
      expect([name, (await accept(name, tokens[index] ?? '')).json]).toEqual([name, { error: 'Login failed' }]);
    expect((await accept('again', second)).status).toBe(200);
    expect((await invite(off ?? '')).status).toBe(400);
    expect(await pruneInvitations(api.database)).toBe(1);
  });

  it('is no use to another user', async () => {
    const { token } = (await invite(await arrived('mine'))).json;
    await invite(await arrived('yours'));
    expect((await accept('yours', token)).status).toBe(403);
    expect((await accept('admin', token)).status).toBe(403);
  });
});

describe('who invites', () => {
  it('manages users; administrators are invited by administrators, users of the system by nobody', async () => {
    const repoId = await api.repository('INV');
    const uri = await arrived('wanted');
    const reader = await api.userWith(['view_repository'], repoId);
    for (const session of [reader, null])
      expect((await api.ask(`${uri}/invitation`, { method: 'POST', session })).status).toBe(403);
    expect((await api.get('/users/without-password', reader)).status).toBe(403);
    expect((await invite('/users/999999')).status).toBe(404);
    const hidden = await api.database.reader.any(sql.type(z.strictObject({ id: column.int }))`
      SELECT id FROM record WHERE kind = 'user' AND (suppressed OR (body->>'is_system_user')::boolean) AND id > 0`);
    for (const { id } of hidden) expect([400, 404]).toContain((await invite(`/users/${id}`)).status);
    await expect(api.database.transaction((tx) => inviteUser(tx, 1, 1, null))).rejects.toThrow();
    expect((await invite(uri, 0)).status).toBe(400);
    expect((await invite(uri, 721)).status).toBe(400);
  });

  it('finds out who has no password', async () => {
    await arrived('zz-last');
    const listed = (await api.get('/users/without-password')).json;
    expect(listed).toContainEqual({
      uri: expect.any(String),
      username: 'zz-last',
      name: 'Name of zz-last',
      email: null,
    });
    expect(listed.map(({ username }: any) => username)).not.toContain('admin');
    expect(listed.map(({ username }: any) => username)).not.toContain('first');
  });

  it('stands in the audit log, and so do those who accept and those who fail', async () => {
    const uri = await arrived('told');
    const { token } = (await invite(uri)).json;
    await accept('told', 'wrong');
    await accept('told', token);
    const entries = (await api.get(`/system/audit?subject=${encodeURIComponent(uri)}`)).json.results;
    expect(entries.map(({ event, actor }: any) => [event, actor]).slice(0, 4)).toEqual([
      ['password_changed', null],
      ['invitation_accepted', 'told'],
      ['login_failed', null],
      ['user_invited', 'admin'],
    ]);
    expect(JSON.stringify(entries)).not.toContain(token);
  });
});

describe('tokens', () => {
  it('cannot be tried without end', async () => {
    await using limited = await startTestApi({ worker: false, environment: { MUNIMENT_LOGIN_RATE_LIMIT: '3' } });
    const uri = await arrived('tried', limited);
    const { token } = (await limited.post(`${uri}/invitation`)).json;
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect((await accept('tried', `${attempt}`, fine, limited)).status).toBe(403);
    // The right one comes too late for this minute.
    expect((await accept('tried', token, fine, limited)).status).toBe(403);
    const told = (await limited.get(`/system/audit?subject=${encodeURIComponent(uri)}`)).json.results;
    expect(told.map(({ event, details }: any) => [event, details ?? null]).slice(0, 4)).toEqual([
      ['login_blocked', {}],
      ...Array.from({ length: 3 }, () => ['login_failed', { with: 'invitation' }]),
    ]);
    await limited.database.transaction((tx) =>
      tx.run(sql`UPDATE login_failure SET since = since - interval '2 minutes'`),
    );
    expect((await accept('tried', token, fine, limited)).status).toBe(200);
  });
});

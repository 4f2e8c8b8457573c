// Passwords of users who came from another service: who may bring them, that they let people in once and are our own then, and what is told of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#store/connection/sql.ts';
import { removePassword } from '#store/access/users.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';
import { AnyRow } from '#test/support/rows.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(() => api[Symbol.asyncDispose]());

// "secret".
const hash = '$2y$10$TKh8H1.PfQx37YgCzwiKb.KjNyWgaHb9cbcoQgdIVFlYg7B77UdFm';
/** A user as a load leaves one: without a password. */
async function arrived(username: string): Promise<string> {
  const uri = await api.create('/users?password=pw', { username, name: `Name of ${username}` });
  await api.database.transaction((tx) => removePassword(tx, Number(uri.split('/').at(-1))));
  return uri;
}
const take = (body: unknown, session?: string): Promise<Reply> =>
  api.post('/users/password-hashes', body as object, session);
const login = (username: string, password: string): Promise<Reply> =>
  api.ask(`/users/${username}/login`, { method: 'POST', form: new URLSearchParams({ password }), session: null });
const stored = async (uri: string) => {
  const id = Number(uri.split('/').at(-1));
  return api.database.reader.any(sql.type(AnyRow)`
    SELECT 'own' AS what, left(password_hash, 9) AS begins FROM credential WHERE user_id = ${id}
    UNION ALL SELECT 'brought', left(password_hash, 4) FROM source_credential WHERE user_id = ${id}`);
};

describe('a password from another service', () => {
  it('lets its user in, and is our own from then on', async () => {
    const uri = await arrived('ann');
    expect((await login('ann', 'secret')).status).toBe(403);
    expect(
      ok(
        await take([
          { username: 'Ann', hash },
          { username: 'nobody', hash },
        ]),
      ),
    ).toEqual({
      taken: 1,
      refused: [{ username: 'nobody', reason: 'there is no such user' }],
    });
    expect((await api.get('/users/without-password')).json).toEqual([]);
    expect(await stored(uri)).toEqual([{ what: 'brought', begins: '$2y$' }]);
    expect((await login('ann', 'wrong')).status).toBe(403);
    expect(await stored(uri)).toEqual([{ what: 'brought', begins: '$2y$' }]);
    // The later ones are still being proved when the first one's hash is replaced.
    const logins = await Promise.all(Array.from({ length: 12 }, () => login('ann', 'secret')));
    expect(new Set(logins.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await stored(uri)).toEqual([{ what: 'own', begins: '$argon2id' }]);
    expect((await login('ann', 'secret')).status).toBe(200);
    expect((await login('ann', hash)).status).toBe(403);
    const events = (await api.get(`/system/audit?subject=${uri}&page=1&page_size=100`)).json.results.map(
      ({ event }: any) => event,
    );
    expect(events.filter((event: string) => event === 'password_taken_over')).toHaveLength(1);
    expect((await api.get('/system/audit?event=password_hashes_taken&page=1')).json.results[0]).toMatchObject({
      actor: 'admin',
      details: { taken: 1, refused: 1 },
    });
    expect((await take([{ username: 'ann', hash }])).json.refused[0].reason).toBe('the user has a password here');
  });

  it('ends where another is set, the account is kept out, or it is deleted', async () => {
    const [set, out, gone] = [await arrived('set'), await arrived('out'), await arrived('gone')];
    ok(await take(['set', 'out', 'gone'].map((username) => ({ username, hash }))));
    const user = (await api.get(set)).json;
    ok(await api.post(`${set}?password=another+fine+password`, user));
    expect(await stored(set)).toMatchObject([{ what: 'own' }]);
    expect((await login('set', 'secret')).status).toBe(403);
    ok(await api.ask(`${out}/deactivate`, { method: 'GET' }));
    expect((await login('out', 'secret')).status).toBe(403);
    ok(await api.ask(gone, { method: 'DELETE' }));
    expect(await stored(gone)).toEqual([]);
    expect((await login('gone', 'secret')).status).toBe(403);
  });

  it('is brought by administrators alone, and in a list of names and hashes', async () => {
    await api.create('/users?password=a+fine+password', { username: 'plain', name: 'Plain' });
    expect((await take([], await api.login('plain', 'a fine password'))).status).toBe(403);
    const [long, longer] = ['x'.repeat(255), 'x'.repeat(256)];
    expect(ok(await take([{ username: long, hash: long }])).refused).toEqual([
      { username: long, reason: 'there is no such user' },
    ]);
    for (const body of [
      [{ username: 'ann' }],
      ['ann'],
      [{ username: longer, hash }],
      [{ username: 'ann', hash: longer }],
      [null],
    ]) {
      const reply = await take(body);
      expect([reply.status, reply.text.includes('$2y$')]).toEqual([400, false]);
    }
    const all = Array.from({ length: 5000 }, () => ({ username: 'nobody', hash }));
    expect(ok(await take(all)).refused).toHaveLength(5000);
    expect((await take([...all, ...all.slice(0, 1)])).status).toBe(400);
    expect((await take({ username: 'ann', hash })).status).toBe(400);
  });
});

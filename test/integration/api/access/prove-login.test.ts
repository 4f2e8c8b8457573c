// Limits on failed logins as clients meet them: behind proxies, in several processes, at the own password. What is proved while it is taken away.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removePassword, setActive, setPassword } from '#store/access/users.ts';
import { NumberRow } from '#store/connection/columns.ts';
import type { Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';
import { lockWaits } from '#test/support/lock-waits.ts';

describe('behind a proxy', () => {
  const logins = async (trusted: string, addresses: readonly string[]): Promise<readonly number[]> => {
    await using api = await startTestApi({
      worker: false,
      environment: { MUNIMENT_LOGIN_RATE_LIMIT: '1', MUNIMENT_TRUST_PROXY: trusted },
    });
    await api.post('/users?password=right', { username: 'ann', name: 'Ann' });
    const statuses: number[] = [];
    for (const address of addresses) {
      const [password, from] = address.split(' ');
      const reply = await api.ask('/users/ann/login', {
        form: new URLSearchParams({ password: password ?? '' }),
        session: null,
        headers: { 'x-forwarded-for': from ?? '' },
      });
      statuses.push(reply.status);
    }
    return statuses;
  };

  it('counts by the address that a trusted proxy names', async () => {
    expect(await logins('1', ['wrong 203.0.113.1', 'right 203.0.113.1', 'right 203.0.113.2'])).toEqual([403, 403, 200]);
    expect(await logins('127.0.0.0/8, ::1', ['wrong 203.0.113.1', 'right 203.0.113.1', 'right 203.0.113.2'])).toEqual([
      403, 403, 200,
    ]);
  });

  it('does not believe anybody else, who could name a new address each time', async () => {
    expect(await logins('', ['wrong 203.0.113.1', 'right 203.0.113.2'])).toEqual([403, 403]);
  });
});

describe('the same limits', () => {
  it('hold for the current password, which somebody at an open session might try out', async () => {
    await using api = await startTestApi({ worker: false, environment: { MUNIMENT_LOGIN_RATE_LIMIT: '2' } });
    const { uri } = (await api.post('/users?password=right', { username: 'ann', name: 'Ann' })).json;
    const session = await api.login('ann', 'right');
    const change = (current: string) =>
      api.ask(`${uri}/password`, {
        form: new URLSearchParams({ password: 'a long new password', current_password: current }),
        session,
      });
    for (const _ of [1, 2]) expect((await change('wrong')).json).toEqual({ error: 'Login failed' });
    expect((await change('right')).status).toBe(403);
    await expect(api.login('ann', 'right')).rejects.toThrow('403');
  });

  it('let in whoever has logged in from there before, when a stranger has used up those of the address', async () => {
    await using api = await startTestApi({ worker: false, environment: { MUNIMENT_LOGIN_ADDRESS_LIMIT: '3' } });
    await api.post('/users?password=right', { username: 'new', name: 'New' });
    for (const name of ['a', 'b', 'c']) await expect(api.login(name, 'guess')).rejects.toThrow('403');
    await expect(api.login('new', 'right')).rejects.toThrow('403');
    expect(await api.login('admin', 'admin')).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('a password that is right, while it or the account is taken away', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ worker: false });
  });
  afterAll(() => api[Symbol.asyncDispose]());

  // "secret", as another service keeps it.
  const brought = '$2y$10$TKh8H1.PfQx37YgCzwiKb.KjNyWgaHb9cbcoQgdIVFlYg7B77UdFm';
  const waits = (): Promise<number> => lockWaits(api.database);
  const login = (username: string, password: string): Promise<Reply> =>
    api.ask(`/users/${username}/login`, { form: new URLSearchParams({ password }), session: null });
  const setAnew = (tx: Transaction, id: number): Promise<void> => setPassword(tx, id, 'no hash fits this');
  const keepOut = (tx: Transaction, id: number): Promise<void> => setActive(tx, id, false, null);
  const change = (username: string, path: (uri: string) => string) => async (uri: string) => {
    const session = await api.login(username, 'secret');
    return (): Promise<Reply> =>
      api.ask(path(uri), {
        form: new URLSearchParams({ password: 'a long new password', current_password: 'secret' }),
        session,
      });
  };
  const loggingIn = (username: string) => async () => () => login(username, 'secret');

  it.each([
    ['begins no session: set anew', 'anew', loggingIn('anew'), setAnew],
    ['begins no session: kept out', 'out', loggingIn('out'), keepOut],
    ['begins no session, as one that was brought: set anew', 'brought', loggingIn('brought'), setAnew],
    ['is not changed into another: set anew', 'own', change('own', (uri) => `${uri}/password`), setAnew],
  ])('%s', async (_, username, prepare, takeAway) => {
    const uri = await api.create('/users?password=secret', { username, name: username });
    const id = Number(uri.split('/').at(-1));
    if (username === 'brought') {
      await api.database.transaction((tx) => removePassword(tx, id));
      ok(await api.post('/users/password-hashes', [{ username, hash: brought }] as object));
    }
    const ask = await prepare(uri);
    // What the client asks for is begun before the commit, and must not end before it.
    const { asked } = await api.database.transaction(async (tx) => {
      await takeAway(tx, id);
      const asked = ask();
      await Promise.race([asked, expect.poll(waits).toBeGreaterThan(0)]);
      return { asked };
    });
    const reply = await asked;
    expect([reply.status, reply.json]).toEqual([403, { error: 'Login failed' }]);
    const kept = await api.database.reader.any(sql.type(NumberRow)`
      SELECT count(*)::int AS n FROM session WHERE user_id = ${id} UNION ALL
      SELECT count(*)::int FROM credential WHERE user_id = ${id} AND password_hash = 'no hash fits this'`);
    expect(kept.map(({ n }) => n)).toEqual([username === 'own' ? 1 : 0, takeAway === setAnew ? 1 : 0]);
  });

  it('lets many in at once for the first time, and those of a password that was brought', async () => {
    for (const username of ['fifty', 'fifty-brought']) {
      const uri = await api.create('/users?password=secret', { username, name: username });
      if (username === 'fifty') continue;
      await api.database.transaction((tx) => removePassword(tx, Number(uri.split('/').at(-1))));
      ok(await api.post('/users/password-hashes', [{ username, hash: brought }] as object));
    }
    const names = Array.from({ length: 6 }, (_, n) => (n % 3 === 0 ? 'fifty-brought' : 'fifty'));
    const replies = await Promise.all(names.map((username) => login(username, 'secret')));
    expect(replies.map(({ status }) => status)).toEqual(names.map(() => 200));
  });
});

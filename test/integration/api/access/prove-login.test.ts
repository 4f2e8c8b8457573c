// Limits on failed logins as clients meet them: behind proxies, in several processes, at the own password.
import { describe, expect, it } from 'vitest';
import { startTestApi } from '#test/support/api.ts';

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

// The count of failed logins of a minute.
import { describe, expect, it } from 'vitest';
import { startTestApi } from '#test/support/api.ts';
import { LoginLimit } from '../../../../apps/api/access/login-limit.ts';

describe('LoginLimit', () => {
  it('blocks a user and address after the allowed failures, and lets them in again a minute later', () => {
    let now = 0;
    const limit = new LoginLimit(2, () => now);
    limit.failed('ann', '10.0.0.1');
    expect(limit.isBlocked('ann', '10.0.0.1')).toBe(false);
    now = 30_000;
    limit.failed('ann', '10.0.0.1');
    expect(limit.isBlocked('ann', '10.0.0.1')).toBe(true);
    expect(limit.isBlocked('ann', '10.0.0.2')).toBe(false);
    expect(limit.isBlocked('bob', '10.0.0.1')).toBe(false);
    now = 60_001;
    expect(limit.isBlocked('ann', '10.0.0.1')).toBe(false);
  });

  it('forgets the failures before a success', () => {
    const limit = new LoginLimit(1, () => 0);
    limit.failed('ann', 'a');
    limit.succeeded('ann', 'a');
    expect(limit.isBlocked('ann', 'a')).toBe(false);
  });

  it('blocks nobody where there is no limit', () => {
    const limit = new LoginLimit(0, () => 0);
    for (let n = 0; n < 100; n++) limit.failed('ann', 'a');
    expect(limit.isBlocked('ann', 'a')).toBe(false);
  });
});

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

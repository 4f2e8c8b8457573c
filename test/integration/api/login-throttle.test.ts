// The count of failed logins of a minute.
import { describe, expect, it } from 'vitest';
import { LoginThrottle } from '../../../apps/api/login-throttle.ts';

describe('LoginThrottle', () => {
  it('blocks a user and address after the allowed failures, and lets them in again a minute later', () => {
    let now = 0;
    const throttle = new LoginThrottle(2, () => now);
    throttle.failed('ann', '10.0.0.1');
    expect(throttle.isBlocked('ann', '10.0.0.1')).toBe(false);
    now = 30_000;
    throttle.failed('ann', '10.0.0.1');
    expect(throttle.isBlocked('ann', '10.0.0.1')).toBe(true);
    expect(throttle.isBlocked('ann', '10.0.0.2')).toBe(false);
    expect(throttle.isBlocked('bob', '10.0.0.1')).toBe(false);
    now = 60_001;
    expect(throttle.isBlocked('ann', '10.0.0.1')).toBe(false);
  });

  it('forgets the failures before a success', () => {
    const throttle = new LoginThrottle(1, () => 0);
    throttle.failed('ann', 'a');
    throttle.succeeded('ann', 'a');
    expect(throttle.isBlocked('ann', 'a')).toBe(false);
  });

  it('blocks nobody where there is no limit', () => {
    const throttle = new LoginThrottle(0, () => 0);
    for (let n = 0; n < 100; n++) throttle.failed('ann', 'a');
    expect(throttle.isBlocked('ann', 'a')).toBe(false);
  });
});

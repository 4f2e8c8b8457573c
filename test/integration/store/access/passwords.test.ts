// Password hashes: what is stored, what fits, what a missing user costs.
import { describe, expect, it } from 'vitest';
import { Passwords } from '#store/access/passwords.ts';
import { cpuCost } from '#test/support/cpu-cost.ts';

const cheap = { memoryKib: 64, passes: 1, parallelism: 1 };

describe('hash', () => {
  it('gives Argon2id text in the PHC form, another one each time', async () => {
    const passwords = new Passwords(2);
    const [first, second] = await Promise.all([passwords.hash('secret'), passwords.hash('secret')]);
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(second).not.toBe(first);
  });
});

describe('verify', () => {
  it('accepts the password, whatever form its letters were typed in, and no other', async () => {
    const passwords = new Passwords(2, cheap);
    const stored = await passwords.hash('Zo\u00eb');
    expect(await passwords.verify('Zoe\u0308', stored)).toBe(true);
    expect(await passwords.verify('Zoe', stored)).toBe(false);
    expect(await passwords.verify('', stored)).toBe(false);
  });

  it('checks a hash made at another cost', async () => {
    const stored = await new Passwords(1, { ...cheap, passes: 3 }).hash('secret');
    expect(await new Passwords(1).verify('secret', stored)).toBe(true);
  });

  it('refuses what is no hash', async () => {
    const passwords = new Passwords(1, cheap);
    const stored = await Promise.all(
      ['', 'secret', '$argon2id$v=19$m=64,t=1,p=1$$'].map((text) => passwords.verify('secret', text)),
    );
    expect(stored).toEqual([false, false, false]);
    expect(await passwords.verify('', null)).toBe(false);
  });

  it('takes as long for a user that does not exist as for a wrong password', async () => {
    const passwords = new Passwords(1);
    const stored = await passwords.hash('secret');
    // Time of the processor, all its threads: the machine may do other things as well.
    const cost = (hash: string | null): Promise<number> => cpuCost(() => passwords.verify('wrong', hash), 5);
    await cost(stored);
    const [known, unknown] = [await cost(stored), await cost(null)];
    expect(unknown / known).toBeGreaterThan(0.3);
  });

  it('runs no more hashes at once than it may, and finishes all', async () => {
    const passwords = new Passwords(2, cheap);
    const stored = await passwords.hash('secret');
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => passwords.verify(n % 2 === 0 ? 'secret' : 'wrong', stored)),
    );
    expect(results.filter(Boolean)).toHaveLength(10);
  });
});

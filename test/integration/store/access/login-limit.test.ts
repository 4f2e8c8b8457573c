// The counts of failed logins, shared by all processes: here two objects on one database.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LoginAttempt, LoginLimits } from '#store/access/login-limit.ts';
import { LoginLimit } from '#store/access/login-limit.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { createDatabase } from '../../../support/database.ts';
import type { TestDatabase } from '../../../support/database.ts';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 8 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

let made = 0;
/** Two processes with the same limits, and users and addresses that no other test has. */
function fresh(limits: Partial<LoginLimits>) {
  const all: LoginLimits = { pairPerMinute: 0, userPerHour: 0, addressPerHour: 0, ...limits };
  const [here, there] = [new LoginLimit(all), new LoginLimit(all)];
  const number = ++made;
  const from = (user: string, host: number): LoginAttempt => ({
    username: `${user}${number}`,
    address: `10.${number}.0.${host}`,
  });
  return {
    from,
    fail: (attempt: LoginAttempt) => database.transaction((tx) => here.failed(tx, attempt)),
    succeed: (attempt: LoginAttempt) => database.transaction((tx) => here.succeeded(tx, attempt)),
    isBlocked: (attempt: LoginAttempt) => there.isBlocked(database.reader, attempt),
  };
}
const pass = (minutes: number): Promise<unknown> =>
  database.transaction((tx) => tx.run(sql`UPDATE login_failure SET since = since - ${minutes} * interval '1 minute'`));

describe('at a user from an address', () => {
  it('blocks after the allowed failures, and lets in again a minute later', async () => {
    const { from, fail, isBlocked } = fresh({ pairPerMinute: 2 });
    expect(await fail(from('ann', 1))).toBe(false);
    expect(await isBlocked(from('ann', 1))).toBe(false);
    expect(await fail(from('ann', 1))).toBe(true);
    expect(await isBlocked(from('ann', 1))).toBe(true);
    expect(await isBlocked(from('ann', 2))).toBe(false);
    expect(await isBlocked(from('bob', 1))).toBe(false);
    await pass(1);
    expect(await isBlocked(from('ann', 1))).toBe(false);
    expect(await fail(from('ann', 1))).toBe(false);
  });

  it('forgets the failures before a success', async () => {
    const { from, fail, succeed, isBlocked } = fresh({ pairPerMinute: 1 });
    await fail(from('ann', 1));
    await succeed(from('ann', 1));
    expect(await isBlocked(from('ann', 1))).toBe(false);
  });

  it('counts every one of many at once', async () => {
    const { from, fail, isBlocked } = fresh({ pairPerMinute: 20, userPerHour: 20, addressPerHour: 20 });
    const told = await Promise.all(Array.from({ length: 20 }, () => fail(from('ann', 1))));
    expect(told.filter(Boolean)).toHaveLength(1);
    expect(await isBlocked(from('ann', 1))).toBe(true);
  });

  it('blocks nobody where there is no limit', async () => {
    const { from, fail, isBlocked } = fresh({});
    for (let n = 0; n < 5; n++) expect(await fail(from('ann', 1))).toBe(false);
    expect(await isBlocked(from('ann', 1))).toBe(false);
  });
});

describe('at a user from wherever', () => {
  it('adds up over addresses for an hour, and holds up nobody where the user has logged in before', async () => {
    const { from, fail, succeed, isBlocked } = fresh({ userPerHour: 3 });
    await succeed(from('ann', 9));
    for (const host of [1, 2, 3]) await fail(from('ann', host));
    expect(await isBlocked(from('ann', 4))).toBe(true);
    expect(await isBlocked(from('ann', 9))).toBe(false);
    expect(await isBlocked(from('bob', 1))).toBe(false);
    await pass(59);
    expect(await isBlocked(from('ann', 4))).toBe(true);
    await pass(2);
    expect(await isBlocked(from('ann', 4))).toBe(false);
  });

  it('counts the failures of a known address for that address alone', async () => {
    const { from, fail, succeed, isBlocked } = fresh({ userPerHour: 2 });
    await succeed(from('ann', 9));
    for (const _ of [1, 2]) await fail(from('ann', 9));
    expect(await isBlocked(from('ann', 9))).toBe(true);
    expect(await isBlocked(from('ann', 1))).toBe(false);
  });
});

describe('from an address', () => {
  it('adds up over users, and holds up none who has logged in from there before', async () => {
    const { from, fail, succeed, isBlocked } = fresh({ addressPerHour: 3 });
    await succeed(from('ann', 1));
    for (const user of ['x', 'y', 'z']) await fail(from(user, 1));
    expect(await isBlocked(from('bob', 1))).toBe(true);
    expect(await isBlocked(from('bob', 2))).toBe(false);
    expect(await isBlocked(from('ann', 1))).toBe(false);
  });

  it('is the network of 64 bits in IPv6', async () => {
    const { from, fail, isBlocked } = fresh({ addressPerHour: 2 });
    const { username } = from('ann', 1);
    await fail({ username, address: '2001:db8:1:1::1' });
    await fail({ username: `${username}x`, address: '2001:db8:1:1:9::2' });
    expect(await isBlocked({ username, address: '2001:db8:1:1::3' })).toBe(true);
    expect(await isBlocked({ username, address: '2001:db8:1:2::3' })).toBe(false);
  });
});

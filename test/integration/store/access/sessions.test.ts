// Sessions: what a token stands for, sliding expiry, what is remembered and for how long.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { can } from '#domain/access/caller.ts';
import { Database } from '#store/connection/database.ts';
import { accessChannel } from '#store/access/grants.ts';
import { Listener } from '#store/connection/listener.ts';
import { Sessions } from '#store/access/sessions.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { createDatabase } from '../../../support/database.ts';
import type { TestDatabase } from '../../../support/database.ts';

let own: TestDatabase;
let database: Database;
const adminId = 1;

beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 4 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

/** Sessions on a clock that the test moves. */
function sessionsAt(clock: { ms: number }, rememberMs = 2000): Sessions {
  return new Sessions(database, { idleSeconds: 3600, now: () => clock.ms, rememberMs, writeEveryMs: 3_600_000 });
}

const start = (sessions: Sessions, userId: number, expirable: boolean): Promise<string> =>
  database.transaction((tx) => sessions.start(tx, userId, expirable));

const lastUsed = async (token: string): Promise<number> => {
  const row = await database.reader.one(sql.type(z.strictObject({ ms: column.int }))`
    SELECT extract(epoch FROM last_used)::float8 * 1000 AS ms FROM session WHERE token_hash = decode(${createHash('sha256').update(token).digest('hex')}, 'hex')`);
  return row.ms;
};

describe('a session', () => {
  it('stands for its user with the grants of the user, and is stored as a digest alone', async () => {
    await using sessions = sessionsAt({ ms: Date.now() });
    const token = await start(sessions, adminId, true);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const found = await sessions.read(token);
    if (found.kind !== 'ok') throw new Error(found.kind);
    expect(found.caller).toMatchObject({ userId: adminId, username: 'admin', agentUri: '/agents/people/1' });
    expect(can(found.caller, 'view_repository', 17)).toBe(true);
    const { stored } = await database.reader.one(sql.type(z.strictObject({ stored: column.text }))`
      SELECT string_agg(s::text, ' ') AS stored FROM session s`);
    expect(stored).not.toContain(token);
  });

  it('is gone where the token is unknown or absurd', async () => {
    await using sessions = sessionsAt({ ms: Date.now() });
    expect(await sessions.read('0'.repeat(64))).toEqual({ kind: 'gone' });
    expect(await sessions.read('x'.repeat(5000))).toEqual({ kind: 'gone' });
  });

  it('expires when idle for longer than the limit, and is gone after that', async () => {
    const clock = { ms: Date.now() };
    await using sessions = sessionsAt(clock);
    const token = await start(sessions, adminId, true);
    clock.ms += 3_600_000;
    expect((await sessions.read(token)).kind).toBe('ok');
    clock.ms += 3_600_001;
    expect(await sessions.read(token)).toEqual({ kind: 'expired' });
    expect(await sessions.read(token)).toEqual({ kind: 'gone' });
  });

  it('slides: each use counts from then on, in another process too once the use is written', async () => {
    const clock = { ms: Date.now() };
    await using here = sessionsAt(clock);
    await using there = sessionsAt(clock);
    const token = await start(here, adminId, true);
    clock.ms += 3_000_000;
    await here.read(token);
    await here.writeUses();
    expect(Math.abs((await lastUsed(token)) - clock.ms)).toBeLessThan(5);
    clock.ms += 3_000_000;
    expect((await there.read(token)).kind).toBe('ok');
  });

  it('slides over two processes where the limit is shorter than what they remember and write by', async () => {
    const clock = { ms: Date.now() };
    const settings = { idleSeconds: 1, now: () => clock.ms };
    await using here = new Sessions(database, settings);
    await using there = new Sessions(database, settings);
    const token = await start(here, adminId, true);
    expect((await there.read(token)).kind).toBe('ok');
    clock.ms += 900;
    expect((await here.read(token)).kind).toBe('ok');
    await expect.poll(() => lastUsed(token)).toBeGreaterThan(clock.ms - 5);
    clock.ms += 600;
    expect((await there.read(token)).kind).toBe('ok');
    clock.ms += 1001;
    expect((await there.read(token)).kind).toBe('expired');
  });

  it('is known to be in use by other processes too where it was used shortly before its end', async () => {
    const clock = { ms: Date.now() };
    await using here = sessionsAt(clock);
    await using there = sessionsAt(clock);
    const token = await start(here, adminId, true);
    clock.ms += 3_595_000;
    expect((await here.read(token)).kind).toBe('ok');
    clock.ms += 6000;
    expect((await there.read(token)).kind).toBe('ok');
    expect((await here.read(token)).kind).toBe('ok');
  });

  it('is in use while a request goes on, also for other processes and for what removes idle ones', async () => {
    const clock = { ms: Date.now() };
    await using sessions = sessionsAt(clock);
    const token = await start(sessions, adminId, true);
    const found = await sessions.read(token);
    const digest = found.kind === 'ok' ? found.digest : '';
    const [first, second] = [sessions.hold(digest), sessions.hold(digest)];
    clock.ms += 7_200_000;
    await sessions.writeUses();
    expect(await lastUsed(token)).toBeCloseTo(clock.ms, 0);
    first();
    clock.ms += 7_200_000;
    expect((await sessions.read(token)).kind).toBe('ok');
    second();
    clock.ms += 3_600_001;
    expect((await sessions.read(token)).kind).toBe('expired');
  });

  it('does not expire by requests where it was made not to', async () => {
    const clock = { ms: Date.now() };
    await using sessions = sessionsAt(clock);
    const token = await start(sessions, adminId, false);
    clock.ms += 6 * 86_400_000;
    expect(await sessions.read(token)).toMatchObject({ kind: 'ok', session: { expirable: false } });
  });

  it('is anonymous where its user is deleted', async () => {
    await using sessions = sessionsAt({ ms: Date.now() });
    const token = await start(sessions, 99_999, true);
    const found = await sessions.read(token);
    expect(found).toMatchObject({ kind: 'ok', caller: { userId: null, username: null } });
  });

  it('ends at once in the process that ends it', async () => {
    await using sessions = sessionsAt({ ms: Date.now() });
    const token = await start(sessions, adminId, true);
    await sessions.read(token);
    expect(await sessions.end(token)).toBe(true);
    expect(await sessions.read(token)).toEqual({ kind: 'gone' });
    expect(await sessions.end(token)).toBe(false);
  });

  it('ends some time after its login however much it is used, and those that do not expire later', async () => {
    const clock = { ms: Date.now() };
    await using sessions = new Sessions(database, {
      idleSeconds: 3600,
      lifetimeSeconds: 86_400,
      longLifetimeSeconds: 864_000,
      now: () => clock.ms,
      writeEveryMs: 3_600_000,
    });
    const [token, long] = [await start(sessions, adminId, true), await start(sessions, adminId, false)];
    for (let hours = 0; hours < 24; hours++) {
      clock.ms += 3_600_000;
      expect((await sessions.read(token)).kind).toBe('ok');
    }
    clock.ms += 1000;
    expect(await sessions.read(token)).toEqual({ kind: 'expired' });
    expect((await sessions.read(long)).kind).toBe('ok');
    clock.ms += 864_000_000;
    expect(await sessions.read(long)).toEqual({ kind: 'expired' });
  });

  it('becomes that of another user under another token', async () => {
    await using sessions = sessionsAt({ ms: Date.now() });
    const token = await start(sessions, adminId, true);
    await sessions.read(token);
    const next = await database.transaction((tx) => sessions.become(tx, token, 2));
    expect(await sessions.read(token)).toEqual({ kind: 'gone' });
    expect(await database.transaction((tx) => sessions.become(tx, token, 3))).toBeNull();
    expect(await sessions.read(next ?? '')).toMatchObject({ kind: 'ok', caller: { username: 'search_indexer' } });
  });

  it('is as fresh under the other token as the request that asked for it', async () => {
    const clock = { ms: Date.now() };
    await using sessions = sessionsAt(clock);
    const token = await start(sessions, adminId, true);
    clock.ms += 1_700_000;
    await sessions.read(token);
    const next = await database.transaction((tx) => sessions.become(tx, token, 2));
    clock.ms += 3_500_000;
    expect((await sessions.read(next ?? '')).kind).toBe('ok');
  });

  it('keeps the one token when all others of the user end', async () => {
    await using sessions = sessionsAt({ ms: Date.now() });
    const [kept, other] = [await start(sessions, 3, true), await start(sessions, 3, true)];
    await database.transaction((tx) => sessions.endAllOf(tx, 3, kept));
    expect((await sessions.read(kept)).kind).toBe('ok');
    expect((await sessions.read(other)).kind).toBe('gone');
  });
});

describe('remembering', () => {
  it('asks the database once for the requests of a moment, and again after it', async () => {
    const clock = { ms: Date.now() };
    await using sessions = sessionsAt(clock, 2000);
    const token = await start(sessions, adminId, true);
    await Promise.all([sessions.read(token), sessions.read(token), sessions.read(token)]);
    // Behind the back of the service, so that only the database can tell.
    await database.transaction((tx) => tx.run(sql`DELETE FROM session WHERE user_id = ${adminId}`));
    clock.ms += 1999;
    expect((await sessions.read(token)).kind).toBe('ok');
    clock.ms += 2;
    expect((await sessions.read(token)).kind).toBe('gone');
  });

  it('forgets when another process tells of a change', async () => {
    await using listener = new Listener({ url: own.url });
    await using here = sessionsAt({ ms: Date.now() }, 60_000);
    await using there = sessionsAt({ ms: Date.now() }, 60_000);
    const heard = Promise.withResolvers<void>();
    await listener.subscribe(accessChannel, (payload) => {
      here.forget();
      if (payload !== null) heard.resolve();
    });
    const token = await start(here, adminId, true);
    await here.read(token);
    await there.end(token);
    await heard.promise;
    expect(await here.read(token)).toEqual({ kind: 'gone' });
  });

  it('writes the uses of many sessions in one statement, and none twice', async () => {
    const clock = { ms: Date.now() };
    await using sessions = sessionsAt(clock);
    const tokens = await Promise.all(Array.from({ length: 20 }, () => start(sessions, 4, true)));
    clock.ms += 60_000;
    await Promise.all(tokens.map((token) => sessions.read(token)));
    await sessions.writeUses();
    const { n } = await database.reader.one(sql.type(NumberRow)`
      SELECT count(*)::int AS n FROM session WHERE user_id = 4 AND abs(extract(epoch FROM last_used)::float8 * 1000 - ${clock.ms}::float8) < 5`);
    expect(n).toBe(20);
  });
});

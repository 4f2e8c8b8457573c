// What somebody holds concerns those who want to change it, and nobody else: other reads, other writes, and whether the service is ready.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '#store/connection/database.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';

let api: TestApi;
let held: string[];
let free: string;
let editor: Database;

const patience = { atOnceMs: 100, wholeMs: 600_000 };

const location = (n: number): object => ({ building: `Building ${n}`, barcode: `B${n}` });
beforeAll(async () => {
  api = await startTestApi({
    worker: false,
    database: { poolSize: 5, applicationName: 'muniment-api', lockPatience: patience },
  });
  free = await api.create('/locations', location(0));
  held = [await api.create('/locations', location(1)), await api.create('/locations', location(2))];
  editor = new Database({ url: api.databaseUrl, poolSize: 2, applicationName: 'muniment-worker' });
});
afterAll(async () => {
  await editor[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

/** Holds the rows of locations while work runs. */
async function holding<T>(uris: readonly string[], work: () => Promise<T>): Promise<T> {
  return editor.withClient(async (client) => {
    await client.query('BEGIN READ WRITE');
    for (const uri of uris)
      await client.query(
        `SELECT FROM record WHERE kind = 'location' AND id = ${Number(uri.split('/').at(-1))} FOR UPDATE`,
      );
    try {
      return await work();
    } finally {
      await client.query('ROLLBACK');
    }
  });
}

/** How many statements wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await editor.withClient((client) =>
    client.query('SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted'),
  );
  return Number(rows[0].n);
}

describe('while somebody holds records that thirty writers wait for', () => {
  it('others read, others write, and the service is ready', async () => {
    const saves = await holding(held, async () => {
      const [one, other] = [ok(await api.get(held[0] ?? '')), ok(await api.get(held[1] ?? ''))];
      const started = Array.from({ length: 30 }, (_, n) => api.post(held[n % 2] ?? '', n % 2 === 0 ? one : other));
      await expect.poll(waiting).toBeGreaterThan(1);
      for (let asked = 0; asked < 10; asked += 1) {
        expect((await api.get(free)).status).toBe(200);
        expect((await api.get(held[0] ?? '')).status).toBe(200);
        expect((await api.get('/health/ready')).status).toBe(200);
        expect((await api.post(free, ok(await api.get(free)))).status).toBe(200);
      }
      return started;
    });
    // Once it is free, one of each fifteen is first, and the others have an old version.
    const statuses = (await Promise.all(saves)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(statuses.filter((status) => status === 409)).toHaveLength(28);
  });

  it('one stands in line for longer than all wait at once', async () => {
    const isLong = 2 * patience.atOnceMs;
    const standing = async (): Promise<number> => {
      const { rows } = await editor.withClient((client) =>
        client.query(
          `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND clock_timestamp() - query_start > interval '1 ms' * ${isLong}`,
        ),
      );
      return Number(rows[0].n);
    };
    const saves = await holding(held, async () => {
      const body = ok(await api.get(held[0] ?? ''));
      const started = Array.from({ length: 10 }, () => api.post(held[0] ?? '', body));
      let seen = 0;
      await expect.poll(async () => (seen += await standing())).toBeGreaterThan(20);
      return started;
    });
    const statuses = (await Promise.all(saves)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  it('a writer is told after a while who is in the way', async () => {
    const body = ok(await api.get(held[0] ?? ''));
    patience.wholeMs = 1000;
    const keyed = (): Promise<Reply> =>
      api.ask(held[0] ?? '', { json: body, headers: { 'idempotency-key': 'waited for' } });
    const reply = await holding(held, keyed);
    patience.wholeMs = 600_000;
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
    expect(reply.json.error).toMatch(/^A job, at work for \d+ s, holds what this request would change/);
    // Nothing was changed, so its key is free for the next try.
    expect((await keyed()).status).toBe(200);
  });

  it('a writer whose client goes away changes nothing', async () => {
    const before = ok(await api.get(held[0] ?? ''));
    const leaving = new AbortController();
    await holding(held, async () => {
      const gone = fetch(`${api.url}${held[0]}`, {
        method: 'POST',
        headers: { 'x-service-session': api.session, 'idempotency-key': 'left' },
        body: JSON.stringify(before),
        signal: leaving.signal,
      }).catch(() => 'gone');
      await expect.poll(waiting).toBeGreaterThan(0);
      leaving.abort();
      expect(await gone).toBe('gone');
      // It is tried no more.
      let quiet = 0;
      await expect.poll(async () => (quiet = (await waiting()) === 0 ? quiet + 1 : 0)).toBeGreaterThan(100);
    });
    expect(ok(await api.get(held[0] ?? '')).lock_version).toBe(before.lock_version);
    // So its key is free, for a client that comes back.
    const again = await api.ask(held[0] ?? '', { json: before, headers: { 'idempotency-key': 'left' } });
    expect(again.status).toBe(200);
  });
});

// Claims of webhooks: one sender at a time, also where another comes back late; and what waits for a receiver that is gone.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { DueDelivery } from '#store/webhooks/deliveries.ts';
import { claimDelivery, giveUpWaiting, recordDelivery } from '#store/webhooks/deliveries.ts';
import { z } from 'zod';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import type { Connected } from '#test/support/worker.ts';
import { connect } from '#test/support/worker.ts';

let own: TestDatabase;
let connected: Connected;
beforeAll(async () => {
  own = await createDatabase();
  connected = connect(own.url, 2);
});
afterAll(async () => {
  await connected[Symbol.asyncDispose]();
  await own.drop();
});

const run = (statement: ReturnType<typeof sql>): Promise<number> =>
  connected.database.transaction((tx) => tx.run(statement));
afterEach(async () => {
  await run(sql`DELETE FROM webhook`);
});

const hookWithTwo = (): Promise<number> =>
  run(sql`
    WITH hook AS (INSERT INTO webhook (url, secret) VALUES ('https://example.org/', 'a secret of sixteen') RETURNING id)
    INSERT INTO webhook_delivery (webhook_id, n, body) SELECT id, n, n::text FROM hook, generate_series(1, 2) AS n`);

async function claim(leaseMs: number): Promise<DueDelivery> {
  const due = await claimDelivery(connected.database, leaseMs);
  if (due === null) throw new Error('Nothing is due');
  return due;
}

const StateRow = z.strictObject({ body: column.text, status: column.text, attempts: column.int });
const states = async (): Promise<readonly string[]> =>
  (
    await connected.database.reader.any(
      sql.type(StateRow)`SELECT body, status, attempts FROM webhook_delivery ORDER BY id`,
    )
  ).map(({ body, status, attempts }) => `${body} ${status} ${attempts}`);

const failed = { kind: 'failed', httpStatus: null, reason: 'No reply', pauseMs: 0, isLast: false } as const;

describe('a sender whose claim is over', () => {
  it('does not give back what another has claimed since', async () => {
    await hookWithTwo();
    const late = await claim(0);
    const next = await claim(60_000);
    expect(next.body).toBe('1');
    await recordDelivery(connected.database, late, { kind: 'delivered', httpStatus: 200 });
    expect(await states()).toEqual(['1 delivered 1', '2 pending 0']);
    // The second would be under way beside the first.
    expect(await claimDelivery(connected.database, 60_000)).toBeNull();
    await recordDelivery(connected.database, next, { kind: 'delivered', httpStatus: 200 });
    expect((await claim(0)).body).toBe('2');
  });

  it('does not count a failure of what another is sending', async () => {
    await hookWithTwo();
    const late = await claim(0);
    const next = await claim(60_000);
    await recordDelivery(connected.database, late, { ...failed, isLast: true });
    expect(await states()).toEqual(['1 pending 0', '2 pending 0']);
    await recordDelivery(connected.database, next, { kind: 'delivered', httpStatus: 200 });
    expect(await states()).toEqual(['1 delivered 1', '2 pending 0']);
  });

  it('counts it where nobody has claimed the hook since', async () => {
    await hookWithTwo();
    await recordDelivery(connected.database, await claim(0), failed);
    expect(await states()).toEqual(['1 pending 1', '2 pending 0']);
  });
});

describe('what waits for more than a week', () => {
  // Days ago: made, and tried last.
  const hookWith = (rows: ReturnType<typeof sql.fragment>, busy = 0): Promise<number> =>
    run(sql`
      WITH hook AS (INSERT INTO webhook (url, secret, busy_until) VALUES ('https://example.org/', 'a secret of sixteen', now() + ${busy} * interval '1 minute') RETURNING id)
      INSERT INTO webhook_delivery (webhook_id, n, body, status, create_time, last_attempt, attempts)
      SELECT id, nullif(n, 0), n::text, status, now() - made * interval '1 day', now() - tried * interval '1 day', CASE WHEN tried IS NULL THEN 0 ELSE 3 END
      FROM hook, (VALUES ${rows}) AS v (n, status, made, tried)`);
  const waiting = sql.fragment`(1, 'dead', 9, 1), (2, 'pending', 9, 0), (3, 'pending', 8, NULL), (0, 'pending', 8, NULL), (4, 'pending', 6, NULL)`;

  it('is given up where the receiver took nothing in that time, but for pings', async () => {
    await hookWith(waiting);
    expect(await giveUpWaiting(connected.database)).toBe(2);
    expect(await states()).toEqual(['1 dead 3', '2 dead 3', '3 dead 0', '0 pending 0', '4 pending 0']);
    expect(await giveUpWaiting(connected.database)).toBe(0);
  });

  it('is kept where something was delivered since, or nothing was tried', async () => {
    await hookWith(sql.fragment`(1, 'dead', 9, 1), (2, 'delivered', 9, 2), (3, 'pending', 8, NULL)`);
    await hookWith(sql.fragment`(1, 'dead', 30, 12), (3, 'pending', 8, NULL)`);
    expect(await giveUpWaiting(connected.database)).toBe(0);
  });

  it('is kept while it may be under way', async () => {
    await hookWith(waiting, 1);
    expect(await giveUpWaiting(connected.database)).toBe(0);
  });
});

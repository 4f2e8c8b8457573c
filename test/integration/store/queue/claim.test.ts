// When a worker looks again at a mailbox that could not go on.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ClaimedJob, PassedOver } from '#store/queue/claim.ts';
import { claimJob } from '#store/queue/claim.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { giveBackJob } from '#store/queue/mailbox.ts';
import { column } from '#store/connection/columns.ts';
import { queueName } from '#store/queue/activations.ts';
import { sql } from '#store/connection/sql.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import type { Connected } from '#test/support/worker.ts';
import { connect } from '#test/support/worker.ts';
import { step } from '#test/support/worker-jobs.ts';

let server: TestDatabase;
let connected: Connected;
/** A worker number that nobody holds. */
const nobody = 4711;

beforeAll(async () => {
  server = await createDatabase();
  connected = connect(server.url);
});
beforeEach(async () => {
  await connected.database.transaction(async (tx) => tx.run(sql`TRUNCATE job, pgboss.job CASCADE`));
});
afterAll(async () => {
  await connected[Symbol.asyncDispose]();
  await server.drop();
});

const claim = async (passedOver: PassedOver): Promise<ClaimedJob | null> =>
  claimJob(connected.database, { worker: nobody, deadlines: { 'test-step': 60 }, withLong: true, passedOver });

/** What is passed over after a look at a mailbox whose job waits so long to be tried again, with the moments around that look. */
async function lookedAt(pauseMs: number) {
  const passedOver: PassedOver = new Map();
  await connected.database.transaction(async (tx) =>
    enqueueJob(tx, step, { box: 'a', note: 'again', ms: 0, failTimes: 0, code: '' }),
  );
  for (;;) {
    const before = performance.now();
    const job = await claim(passedOver);
    const until = passedOver.get('box/a') ?? 0;
    // On a machine so slow that the pause is over it is claimed, and waits once more.
    if (job === null) return { passedOver, before, until, after: performance.now() };
    await giveBackJob(connected.database, job, { counted: true, pauseMs });
  }
}

describe('a mailbox whose first job waits to be tried again', () => {
  test('is looked at again after a second at the latest, in case nobody tells that it can go on', async () => {
    const { before, until, after } = await lookedAt(3_600_000);
    expect(until).toBeGreaterThanOrEqual(before + 1000);
    expect(until).toBeLessThanOrEqual(after + 1000);
  });

  test('is looked at again as soon as a shorter wait is over, and then goes on', async () => {
    const { passedOver, before, until, after } = await lookedAt(400);
    expect(until).toBeGreaterThan(before);
    expect(until).toBeLessThanOrEqual(after + 400);
    await expect.poll(async () => (await claim(passedOver))?.mailbox).toBe('box/a');
  });
});

describe('the queue of activations', () => {
  test('has one of a mailbox active at a time, gives none up, and keeps what is used up for an hour', async () => {
    const { told } = await connected.database.reader.one(sql.type(z.strictObject({ told: column.text }))`
      SELECT to_json(q)::text AS told FROM (SELECT policy, retry_limit, retry_delay, expire_seconds, retention_seconds, deletion_seconds FROM pgboss.queue WHERE name = ${queueName}) AS q`);
    expect(JSON.parse(told)).toEqual({
      policy: 'singleton',
      retry_limit: 2_147_483_647,
      retry_delay: 0,
      expire_seconds: 86_400,
      retention_seconds: 31_536_000,
      deletion_seconds: 3600,
    });
  });
});

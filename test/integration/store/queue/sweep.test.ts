// Activations beside jobs: as many as there are unfinished jobs, whatever happens to either; and a database that had jobs before there were any.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { completeActivations } from '#store/queue/activations.ts';
import { claimJob } from '#store/queue/claim.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { cancelJob, giveBackJob, recoverJobs } from '#store/queue/mailbox.ts';
import { completeJob, failJob, waitForJob } from '#store/queue/reply.ts';
import { sweepActivations } from '#store/queue/sweep.ts';
import { migrate } from '#store/set-up/migrate.ts';
import { prepareQueue } from '#store/set-up/queue.ts';
import { fail } from '#domain/errors.ts';
import { column, IdRow } from '#store/connection/columns.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { createDatabase, withoutTemplate } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import type { Connected } from '#test/support/worker.ts';
import { connect, startTestWorker } from '#test/support/worker.ts';
import { makeTraceTable, step } from '#test/support/worker-jobs.ts';

let server: TestDatabase;
let connected: Connected;
const migrations = new URL('../../../../db/migrations', import.meta.url);
/** A worker number that nobody holds. */
const nobody = 4711;
const later = new Date(Date.now() + 3_600_000);

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

const enqueue = async (box: string, runAfter?: Date): Promise<number> =>
  (
    await connected.database.transaction(async (tx) =>
      enqueueJob(
        tx,
        step,
        { box, note: box, ms: 0, failTimes: 0, code: '' },
        runAfter === undefined ? {} : { runAfter },
      ),
    )
  ).jobId;
const claim = async (deadlines: Readonly<Record<string, number>> = { 'test-step': 60 }) =>
  claimJob(connected.database, { worker: nobody, deadlines, withLong: true });
const claimed = async () => {
  const job = await claim();
  if (job === null) throw new Error('nothing to claim');
  return job;
};
/** Unfinished activations by mailbox and state. */
const activations = async ({ database }: Connected = connected): Promise<readonly string[]> =>
  (
    await database.reader.any(sql.type(z.strictObject({ text: column.text }))`
      SELECT singleton_key || ' ' || state AS text FROM pgboss.job WHERE name = 'mailboxes' AND state < 'completed' ORDER BY 1`)
  ).map(({ text }) => text);

describe('an activation', () => {
  test('is there once the job is, and not where its maker rolls back', async () => {
    await enqueue('a');
    await expect(
      connected.database.transaction(async (tx) => {
        await enqueueJob(tx, step, { box: 'b', note: 'b', ms: 0, failTimes: 0, code: '' });
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await activations()).toEqual(['box/a created']);
  });

  test('ends with its job, completed or failed, and not where the end rolls back', async () => {
    await Promise.all(['a', 'b', 'c'].map(async (box) => enqueue(box)));
    const [one, two, three] = [await claimed(), await claimed(), await claimed()];
    await connected.database.transaction(async (tx) => completeJob(tx, one, null));
    await failJob(connected.database, two, fail('conflict', 'no'));
    await expect(
      connected.database.transaction(async (tx) => {
        await completeJob(tx, three, null);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await activations()).toEqual([`${three.mailbox} active`]);
  });

  test('is given back with its job, and taken from a worker that died', async () => {
    await enqueue('a');
    await giveBackJob(connected.database, await claimed(), { counted: false, pauseMs: 0 });
    expect(await activations()).toEqual(['box/a retry']);
    const second = await claimed();
    expect(await recoverJobs(connected.database)).toEqual([second.id]);
    expect(await activations()).toEqual(['box/a retry']);
    // What the lost run still settles is nothing.
    const third = await claimed();
    await connected.database.transaction(async (tx) => completeActivations(tx, [second.activation]));
    expect(await activations()).toEqual(['box/a active']);
    expect(third.id).toBe(second.id);
  });

  test('of a job that is gone is used up by whoever gets it', async () => {
    const jobId = await enqueue('a');
    await connected.database.transaction(async (tx) => cancelJob(tx, jobId));
    expect(await claim()).toBeNull();
    expect(await activations()).toEqual([]);
  });

  test('stays where the first job of the mailbox is of a type that this worker does not know', async () => {
    await enqueue('a');
    expect(await claim({ 'of another release': 60 })).toBeNull();
    expect(await activations()).toEqual(['box/a created']);
    expect((await claimed()).mailbox).toBe('box/a');
  });
});

describe('the sweep', () => {
  test('does nothing where jobs and activations agree', async () => {
    await enqueue('a');
    await enqueue('a');
    await enqueue('b', later);
    await claimed();
    const before = await activations();
    expect(await sweepActivations(connected.database)).toEqual({ sent: 0, givenBack: 0 });
    expect(await activations()).toEqual(before);
  });

  test('sends what is missing, for a job that is put off at its moment', async () => {
    await Promise.all([enqueue('a'), enqueue('a'), enqueue('b', later)]);
    await connected.database.write(sql.type(AnyRow)`
      DELETE FROM pgboss.job WHERE singleton_key = 'box/b' RETURNING id`);
    await connected.database.write(sql.type(AnyRow)`
      DELETE FROM pgboss.job WHERE id = (SELECT id FROM pgboss.job WHERE singleton_key = 'box/a' LIMIT 1) RETURNING id`);
    expect(await sweepActivations(connected.database)).toEqual({ sent: 2, givenBack: 0 });
    expect(await activations()).toEqual(['box/a created', 'box/a created', 'box/b created']);
    const { same } = await connected.database.reader.one(sql.type(z.strictObject({ same: column.bool }))`
      SELECT start_after = run_after AS same FROM pgboss.job, job WHERE singleton_key = 'box/b' AND mailbox = 'box/b'`);
    expect(same).toBe(true);
  });

  test('frees a mailbox whose running job was deleted with its worker', async () => {
    await enqueue('a');
    const next = await enqueue('a');
    const { id } = await claimed();
    await connected.database.write(sql.type(AnyRow)`DELETE FROM job WHERE id = ${id} RETURNING id`);
    expect(await claim()).toBeNull();
    expect(await sweepActivations(connected.database)).toEqual({ sent: 0, givenBack: 1 });
    expect((await claimed()).id).toBe(next);
  });
});

test('a database whose activations are gone, as a backup gives it back, runs what was queued and what ran', async () => {
  await using other = await createDatabase();
  {
    await using before = connect(other.url);
    await makeTraceTable(before.database);
    await before.database.transaction(async (tx) => {
      for (const note of ['ran', 'queued'])
        await enqueueJob(tx, step, { box: 'a', note, ms: 0, failTimes: 0, code: '' });
    });
    await claimJob(before.database, { worker: nobody, deadlines: { 'test-step': 60 }, withLong: true });
    await before.database.transaction(async (tx) => tx.run(sql`DROP SCHEMA pgboss CASCADE`));
  }
  await prepareQueue(other.url);
  await using after = connect(other.url);
  const worker = await startTestWorker(after);
  const ids = await after.database.reader.any(sql.type(IdRow)`SELECT id FROM job ORDER BY id`);
  await Promise.all(ids.map(async ({ id }) => waitForJob(after.database, after.listener, id)));
  await worker.stop();
  const ends = await after.database.reader.any(sql.type(z.strictObject({ note: column.text }))`
    SELECT note FROM trace WHERE event = 'end' ORDER BY n`);
  expect(ends.map(({ note }) => note)).toEqual(['ran', 'queued']);
});

test('a database that had jobs before there were activations runs them, in order, the one that ran first', async () => {
  await using old = await withoutTemplate();
  await migrate(old.url, migrations, '0027_index_beside.sql');
  await using before = connect(old.url);
  await makeTraceTable(before.database);
  await before.database.transaction(async (tx) => {
    const payload = (note: string) => JSON.stringify({ box: 'a', note });
    await tx.run(sql`INSERT INTO job (visible, type, mailbox, is_long, payload, status, worker, run, attempts, max_attempts, time_finished) VALUES
      (false, 'test-step', 'box/a', false, ${payload('done')}::json, 'completed', NULL, 1, 1, 3, now()),
      (false, 'test-step', 'box/a', false, ${payload('ran')}::json, 'running', ${nobody}, 1, 1, 3, NULL),
      (false, 'test-step', 'box/a', false, ${payload('first')}::json, 'queued', NULL, 0, 0, 3, NULL),
      (false, 'test-step', 'box/a', false, ${payload('second')}::json, 'queued', NULL, 0, 0, 3, NULL),
      (false, 'test-step', 'box/b', false, ${payload('beside')}::json, 'queued', NULL, 0, 0, 3, NULL)`);
    await tx.run(
      sql`INSERT INTO job (visible, type, mailbox, is_long, payload, run_after) VALUES (false, 'test-step', 'box/a', false, ${payload('put off')}::json, ${later.toISOString()})`,
    );
  });
  expect((await migrate(old.url, migrations)).applied).toContain('0028_activations.sql');
  await prepareQueue(old.url);
  const worker = await startTestWorker(before);
  const ids = await before.database.reader.any(sql.type(IdRow)`
    SELECT id FROM job WHERE run_after <= now() AND status <> 'completed' ORDER BY id`);
  await Promise.all(ids.map(async ({ id }) => waitForJob(before.database, before.listener, id)));
  await worker.stop();
  const ends = await before.database.reader.any(sql.type(z.strictObject({ note: column.text }))`
    SELECT note FROM trace WHERE event = 'end' AND note <> 'beside' ORDER BY n`);
  expect(ends.map(({ note }) => note)).toEqual(['ran', 'first', 'second']);
  // Two may sweep at once at the start: what both sent ends when somebody takes it and finds no job.
  expect(new Set(await activations(before))).toEqual(new Set(['box/a created']));
});

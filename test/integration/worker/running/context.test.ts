// What a run leaves beside its effects: log, phases of progress; and that it writes nothing once it is not the job's any more.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { anonymous } from '#domain/access/caller.ts';
import { column } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { readJobLog, runAgainLine } from '#store/queue/log.ts';
import { claimJob } from '#store/queue/claim.ts';
import { RunLost } from '#store/queue/mailbox.ts';
import { openPresence } from '#store/queue/presence.ts';
import type { RunContext } from '../../../../apps/worker/running/context.ts';
import { makeContext } from '../../../../apps/worker/running/context.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import type { Connected } from '#test/support/worker.ts';
import { connect, noThreads } from '#test/support/worker.ts';
import { step } from '#test/support/worker-jobs.ts';

let testDatabase: TestDatabase;
let connected: Connected;
beforeAll(async () => {
  testDatabase = await createDatabase();
  connected = connect(testDatabase.url);
});
afterAll(async () => {
  await connected[Symbol.asyncDispose]();
  await testDatabase.drop();
});

/** Does something in a run that a worker has claimed. */
async function inRun(work: (run: RunContext) => Promise<void>, database = connected.database): Promise<void> {
  const payload = { box: 'a', note: 'one', ms: 0, failTimes: 0, code: '' };
  await database.transaction(async (tx) => enqueueJob(tx, step, payload));
  const presence = await openPresence(testDatabase.url, () => undefined);
  try {
    const job = await claimJob(database, {
      worker: presence.worker,
      deadlines: { [step.name]: 60 },
      withLong: true,
    });
    if (job === null) throw new Error('nothing to claim');
    const signal = new AbortController().signal;
    await work(makeContext({ job, caller: anonymous, database, threads: noThreads, signal }));
  } finally {
    await presence.close();
    await database.transaction(async (tx) => tx.run(sql`TRUNCATE job, pgboss.job CASCADE`));
  }
}

test('keeps the log in order and of each phase the last step', async () => {
  await inRun(async ({ context, flush }) => {
    for (const line of ['one', 'two']) context.log(line);
    for (const done of [1, 2]) context.progress({ label: 'Reading', done, total: 2 });
    context.progress({ label: 'Writing', done: 1, total: null });
    await flush();
    const { reader } = connected.database;
    const { bytes } = await readJobLog(reader, context.jobId, 0);
    expect(Buffer.concat(await Array.fromAsync(bytes)).toString()).toBe('one\ntwo\n');
    const { progress } = await reader.one(sql.type(z.strictObject({ progress: column.text }))`
      SELECT progress FROM job_progress WHERE job_id = ${context.jobId}`);
    expect(JSON.parse(progress)).toMatchObject([
      { label: 'Reading', done: 2, total: 2 },
      { label: 'Writing', done: 1, total: null },
    ]);
  });
});

test('says in the log where work begins anew that a deadlock has undone', async () => {
  await inRun(async ({ context, flush }) => {
    let attempts = 0;
    context.log('Before');
    await context.transaction(async (tx) => {
      attempts += 1;
      context.log(`Created: ${attempts}`);
      if (attempts < 3)
        await tx.run(sql`DO $$ BEGIN RAISE EXCEPTION 'met' USING ERRCODE = 'deadlock_detected'; END $$`);
    });
    await context.transaction(async () => context.log('After'));
    await flush();
    const { bytes } = await readJobLog(connected.database.reader, context.jobId, 0);
    const lines = Buffer.concat(await Array.fromAsync(bytes)).toString();
    expect(lines.trimEnd().split('\n')).toEqual([
      'Before',
      'Created: 1',
      runAgainLine,
      'Created: 2',
      runAgainLine,
      'Created: 3',
      'After',
    ]);
  });
});

test('is completed by the transaction of its effects, once that commits', async () => {
  await inRun(async ({ context, isCompleted }) => {
    await context.transaction(async (tx) => {
      await context.complete(tx, { done: true });
      expect(isCompleted()).toBe(false);
    });
    expect(isCompleted()).toBe(true);
  });
});

test('waits for no turn of a transaction to store what was told before its own, however few of them there are', async () => {
  // One for all that write, and one for reads.
  const { reader } = connected.database;
  await using few = new Database({ url: testDatabase.url, poolSize: 2 });
  await inRun(async ({ context }) => {
    context.log('Before');
    context.progress({ label: 'Reading', done: 1, total: 1 });
    await context.transaction(async (tx) => {
      // Handed on by now, outside of this transaction, and stored or waiting.
      await expect
        .poll(async () => few.poolUse.waiting > 0 || (await readJobLog(reader, context.jobId, 0)).sizeBytes > 0)
        .toBe(true);
      await context.complete(tx, { done: true });
    });
    expect((await readJobLog(reader, context.jobId, 0)).sizeBytes).toBe('Before\n'.length);
  }, few);
});

test('writes nothing once another run has the job', async () => {
  await inRun(async ({ context, isCompleted }) => {
    await connected.database.transaction(async (tx) =>
      tx.run(sql`UPDATE job SET run = run + 1 WHERE id = ${context.jobId}`),
    );
    const uris = ['/repositories/2/accessions/1'];
    await expect(context.transaction(async (tx) => context.createdRecords(tx, uris))).rejects.toThrow(RunLost);
    expect(await connected.database.reader.any(sql.type(AnyRow)`SELECT FROM job_record`)).toEqual([]);
    expect(isCompleted()).toBe(false);
  });
});

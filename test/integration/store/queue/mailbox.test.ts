// The queue with a real worker: order, parallelism, failure, retry, cancel, stop.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Failure } from '#domain/errors.ts';
import type { Progress } from '#domain/job.ts';
import { anonymous } from '#domain/access/caller.ts';
import { readJobFiles } from '#store/queue/files.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { readJobLog } from '#store/queue/log.ts';
import { claimJob } from '#store/queue/claim.ts';
import { cancelJob, recoverJobs } from '#store/queue/mailbox.ts';
import { openPresence } from '#store/queue/presence.ts';
import { waitForJob } from '#store/queue/reply.ts';
import { sweepActivations } from '#store/queue/sweep.ts';
import { column, IdRow } from '#store/connection/columns.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { defineHandler } from '../../../../apps/worker/handler.ts';
import type { Worker } from '../../../../apps/worker/running/worker.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import type { Connected } from '#test/support/worker.ts';
import { connect, startTestWorker } from '#test/support/worker.ts';
import { briefStep, endlessStep, longStep, makeTraceTable, step } from '#test/support/worker-jobs.ts';

let testDatabase: TestDatabase;
let connected: Connected;
let worker: Worker | undefined;

beforeAll(async () => {
  testDatabase = await createDatabase();
  connected = connect(testDatabase.url);
  await makeTraceTable(connected.database);
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await connected.database.transaction(async (tx) => tx.run(sql`TRUNCATE job, trace, pgboss.job CASCADE`));
});
afterAll(async () => {
  await connected[Symbol.asyncDispose]();
  await testDatabase.drop();
});

/** Days. */
const endless = 2 ** 31 - 1;
type Settings = { box?: string; note?: string; ms?: number; failTimes?: number; code?: string };
const payload = ({ box = 'a', note = 'one', ms = 0, failTimes = 0, code = '' }: Settings) => ({
  box,
  note,
  ms,
  failTimes,
  code,
});
const enqueue = async (settings: Settings = {}, declaration = step, runAfter?: Date): Promise<number> =>
  (
    await connected.database.transaction(async (tx) =>
      enqueueJob(tx, declaration, payload(settings), runAfter === undefined ? {} : { runAfter }),
    )
  ).jobId;
const wait = async (jobId: number, onProgress?: (progress: Progress) => void) =>
  waitForJob(connected.database, connected.listener, jobId, onProgress === undefined ? {} : { onProgress });
const traces = async () =>
  connected.database.reader.any(sql.type(z.strictObject({ note: column.text, event: column.text }))`
    SELECT note, event FROM trace ORDER BY n`);
const statusOf = async (jobId: number) =>
  (
    await connected.database.reader.one(sql.type(z.strictObject({ status: column.text }))`
    SELECT status FROM job WHERE id = ${jobId}`)
  ).status;
const untilRunning = async (jobId: number): Promise<void> => {
  while (!(await traces()).length || (await statusOf(jobId)) !== 'running') await sleep(10);
};
const cancel = async (jobId: number) => connected.database.transaction(async (tx) => cancelJob(tx, jobId));
/** Ends jobs that would go on for days. */
const cancelAll = async (jobIds: readonly number[]): Promise<void> => {
  for (const id of jobIds) await cancel(id);
  for (const id of jobIds) await failureOf(wait(id));
};
const failureOf = async (promise: Promise<unknown>): Promise<Failure> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Failure) return error;
  throw new Error(`no Failure but ${String(error)}`);
};

describe('mailboxes', () => {
  test('runs the jobs of one mailbox one at a time and in order', async () => {
    const notes = Array.from({ length: 12 }, (_, index) => `n${index}`);
    await connected.database.transaction(async (tx) => {
      for (const note of notes) await enqueueJob(tx, step, payload({ note, ms: note === 'n0' ? 50 : 2 }));
    });
    worker = await startTestWorker(connected);
    const second = await startTestWorker(connected);
    const last = await connected.database.reader.one(sql.type(IdRow)`SELECT max(id) AS id FROM job`);
    await wait(last.id);
    await second.stop();
    expect((await traces()).map(({ note, event }) => `${note} ${event}`)).toEqual(
      notes.flatMap((note) => [`${note} start`, `${note} end`]),
    );
  });

  test('runs different mailboxes side by side', async () => {
    worker = await startTestWorker(connected);
    const ids = await Promise.all(['a', 'b', 'c', 'd'].map(async (box) => enqueue({ box, note: box, ms: endless })));
    // All four begin, and none ends.
    await expect
      .poll(async () => (await traces()).map(({ note, event }) => `${note} ${event}`).sort())
      .toEqual(['a start', 'b start', 'c start', 'd start']);
    await cancelAll(ids);
  });

  test('goes on to the next job of the mailbox at once after an end', async () => {
    // Who waited to look again would hang.
    worker = await startTestWorker(connected, { pollMs: 2 ** 31 - 1 });
    const ids = [await enqueue({ note: 'one' }), await enqueue({ note: 'two' }), await enqueue({ note: 'three' })];
    await wait(ids[2] ?? 0);
    expect((await traces()).map(({ note }) => note)).toEqual(['one', 'one', 'two', 'two', 'three', 'three']);
  });

  test('never lets two claims of one mailbox through, even where a job commits late', async () => {
    const presence = await openPresence(testDatabase.url, () => undefined);
    const claim = async () =>
      claimJob(connected.database, { worker: presence.worker, deadlines: { 'test-step': 60 }, withLong: true });
    await Promise.all(Array.from({ length: 6 }, async (_, index) => enqueue({ note: `n${index}` })));
    const claims = await Promise.all(Array.from({ length: 8 }, claim));
    expect(claims.filter((claimed) => claimed !== null)).toHaveLength(1);
    await presence.close();
  });

  test('reaches the other mailboxes in turn, past thousands of jobs that wait in one', async () => {
    const insert = async (mailboxes: readonly string[]): Promise<number> => {
      await connected.database.transaction((tx) =>
        tx.run(
          sql`INSERT INTO job (visible, type, mailbox, is_long, payload) SELECT false, 'test-step', box, false, '{}' FROM unnest(${sql.array(mailboxes, 'text')}) AS box`,
        ),
      );
      return (await sweepActivations(connected.database)).sent;
    };
    const presence = await openPresence(testDatabase.url, () => undefined);
    const claim = async () =>
      claimJob(connected.database, { worker: presence.worker, deadlines: { 'test-step': 60 }, withLong: true });
    expect(await insert(Array.from({ length: 5000 }, () => 'm'))).toBe(5000);
    expect((await claim())?.mailbox).toBe('m');
    for (const mailbox of ['a', 'z', 'a', 'n']) await insert([mailbox]);
    expect((await claim())?.mailbox).toBe('a');
    expect((await claim())?.mailbox).toBe('z');
    expect((await claim())?.mailbox).toBe('n');
    // The second job of `a` waits for the first, and `m` for the one that runs.
    expect(await claim()).toBeNull();
    await presence.close();
  });

  test('lets others of the mailbox pass a job that is put off, and not one that waits to be tried again', async () => {
    worker = await startTestWorker(connected);
    const putOff = await enqueue({ note: 'later' }, step, new Date(Date.now() + 3_600_000));
    const failing = await enqueue({ note: 'again', failTimes: 1, code: 'unavailable' });
    const after = await enqueue({ note: 'after' });
    await Promise.all([wait(failing), wait(after)]);
    expect((await traces()).map(({ note, event }) => `${note} ${event}`)).toEqual([
      'again start',
      'again start',
      'again end',
      'after start',
      'after end',
    ]);
    expect(await statusOf(putOff)).toBe('queued');
  });

  test('keeps a place for short jobs while long ones wait', async () => {
    worker = await startTestWorker(connected, { concurrency: 2 });
    const long = await Promise.all(
      ['a', 'b', 'c'].map(async (box) => enqueue({ box, note: `long ${box}`, ms: endless }, longStep)),
    );
    const short = await enqueue({ box: 'd', note: 'short' });
    await wait(short);
    expect((await traces()).filter(({ event }) => event === 'end').map(({ note }) => note)).toEqual(['short']);
    await cancelAll(long);
  });
});

describe('enqueueing', () => {
  test('makes no job where the caller rolls back', async () => {
    worker = await startTestWorker(connected);
    await expect(
      connected.database.transaction(async (tx) => {
        await enqueueJob(tx, step, payload({}));
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await connected.database.reader.any(sql.type(AnyRow)`SELECT id FROM job`)).toEqual([]);
  });

  test('refuses a payload that is not the declared one', async () => {
    // @ts-expect-error a payload without its box
    await expect(connected.database.transaction(async (tx) => enqueueJob(tx, step, { note: 'x' }))).rejects.toThrow(
      /box/,
    );
  });

  test('names the files that the job is given, in order', async () => {
    const blobs = await connected.database.write(sql.type(z.strictObject({ id: column.text }))`
      INSERT INTO blob (file_name) VALUES ('one.xml'), ('two.xml') RETURNING id`);
    const { jobId } = await connected.database.transaction(async (tx) =>
      enqueueJob(tx, step, payload({}), { files: blobs.map(({ id }) => ({ blobId: id, role: 'input' as const })) }),
    );
    expect(
      (await readJobFiles(connected.database.reader, jobId)).map(({ fileName, role }) => [fileName, role]),
    ).toEqual([
      ['one.xml', 'input'],
      ['two.xml', 'input'],
    ]);
  });
});

describe('ends', () => {
  test('gives the value of the handler to who waits, with progress before it', async () => {
    worker = await startTestWorker(connected);
    const seen: Progress[] = [];
    const jobId = await enqueue({ note: 'one', ms: 600 });
    expect(await wait(jobId, (progress) => seen.push(progress))).toEqual({ note: 'one', attempt: 1 });
    expect(seen[0]).toEqual({ label: 'one', done: 0, total: 2 });
    expect(seen.at(-1)).toEqual({ label: 'one', done: 2, total: 2 });
    expect(
      await connected.database.reader.any(sql.type(AnyRow)`
        SELECT uri, created FROM job_record WHERE job_id = ${jobId}`),
    ).toEqual([{ uri: '/test/one', created: true }]);
  });

  test('throws the failure of the handler to who waits, whole, and does not block the mailbox', async () => {
    worker = await startTestWorker(connected);
    const bad = await enqueue({ note: 'bad', failTimes: 9 });
    const good = await enqueue({ note: 'good' });
    const failure = await failureOf(wait(bad));
    expect({ code: failure.code, error: failure.error, extra: failure.extra }).toEqual({
      code: 'import_failed',
      error: { record: ['is wrong'] },
      extra: { saved: [1, 'two', null] },
    });
    expect(await wait(good)).toEqual({ note: 'good', attempt: 1 });
    // A domain failure is final: one run, no traces of its transaction.
    expect((await traces()).filter(({ note }) => note === 'bad').map(({ event }) => event)).toEqual(['start']);
    const { bytes } = await readJobLog(connected.database.reader, bad, 0);
    expect((await Array.fromAsync(bytes)).join('')).toBe('started bad\n\trecord : is wrong\n{"record":["is wrong"]}\n');
  });

  test('tries again what may pass, and gives up after the declared attempts', async () => {
    worker = await startTestWorker(connected);
    const passing = await enqueue({ box: 'a', note: 'passing', failTimes: 2, code: 'unavailable' });
    const hopeless = await enqueue({ box: 'b', note: 'hopeless', failTimes: 9, code: 'crash' });
    expect(await wait(passing)).toEqual({ note: 'passing', attempt: 3 });
    const failure = await failureOf(wait(hopeless));
    expect(failure.code).toBe('internal');
    expect(failure.message).not.toContain('fault of the program');
    expect((await traces()).filter(({ note }) => note === 'hopeless')).toHaveLength(3);
  });

  test('stops a job that takes longer than it may', async () => {
    worker = await startTestWorker(connected);
    const jobId = await enqueue({ note: 'slow', ms: 30_000 }, briefStep);
    const failure = await failureOf(wait(jobId));
    expect(failure.message).toBe('The job took longer than 1 seconds and was stopped');
    const { bytes } = await readJobLog(connected.database.reader, jobId, 0);
    expect((await Array.fromAsync(bytes)).join('')).toContain('The job took longer than 1 seconds and was stopped\n');
  });

  test('tells who waits where the job is gone', async () => {
    expect((await failureOf(wait(999_999))).code).toBe('not_found');
  });
});

describe('cancel', () => {
  test('ends a queued job at once; it never runs', async () => {
    const jobId = await enqueue({});
    await cancel(jobId);
    worker = await startTestWorker(connected);
    await wait(await enqueue({ note: 'next' }));
    expect(await statusOf(jobId)).toBe('canceled');
    expect((await traces()).map(({ note }) => note)).toEqual(['next', 'next']);
  });

  test('ends a job that is claimed and not begun; it never runs', async () => {
    const jobId = await enqueue({});
    let hasBegun = false;
    worker = await startTestWorker(connected, {
      handlers: [
        defineHandler(step, async () => {
          hasBegun = true;
        }),
      ],
      readCaller: async (reader) => {
        await cancel(jobId);
        // Reads end once the worker has heard of it.
        while (
          await reader.any(sql.type(AnyRow)`SELECT`).then(
            () => true,
            () => false,
          )
        )
          await sleep(10);
        return anonymous;
      },
    });
    await expect
      .poll(
        async () =>
          (
            await connected.database.reader.one(sql.type(z.strictObject({ end: column.maybeText }))`
              SELECT time_finished::text AS "end" FROM job WHERE id = ${jobId}`)
          ).end,
      )
      .not.toBeNull();
    expect([await statusOf(jobId), hasBegun]).toEqual(['canceled', false]);
  });

  test('ends a running job promptly and keeps nothing of it', async () => {
    // The job would go on for days.
    worker = await startTestWorker(connected, { recoverMs: 2 ** 31 - 1 });
    const jobId = await enqueue({ ms: endless }, endlessStep);
    await untilRunning(jobId);
    await cancel(jobId);
    expect((await failureOf(wait(jobId))).message).toBe('The job was canceled');
    expect((await traces()).map(({ event }) => event)).toEqual(['start']);
  });

  test('changes nothing of a job that has ended', async () => {
    worker = await startTestWorker(connected);
    const jobId = await enqueue({});
    await wait(jobId);
    await cancel(jobId);
    expect(await statusOf(jobId)).toBe('completed');
  });
});

describe('workers that go', () => {
  test('gives its jobs back when it stops, without counting the run', async () => {
    worker = await startTestWorker(connected, { drainMs: 50 });
    const jobId = await enqueue({ ms: 1000 });
    await untilRunning(jobId);
    await worker.stop();
    expect(await statusOf(jobId)).toBe('queued');
    worker = await startTestWorker(connected);
    expect(await wait(jobId)).toEqual({ note: 'one', attempt: 1 });
  });

  test('lets what runs end when it stops', async () => {
    worker = await startTestWorker(connected);
    const jobId = await enqueue({ ms: 300 });
    await untilRunning(jobId);
    await worker.stop();
    expect(await statusOf(jobId)).toBe('completed');
  });

  test('runs a job again when its presence is cut, and the first run cannot write', async () => {
    worker = await startTestWorker(connected);
    const jobId = await enqueue({ ms: 800 });
    await untilRunning(jobId);
    await connected.database.reader.any(sql.type(AnyRow)`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'muniment worker presence' AND datname = current_database()`);
    expect(await wait(jobId)).toMatchObject({ note: 'one' });
    expect((await traces()).map(({ event }) => event)).toEqual(['start', 'start', 'end']);
  });

  test('leaves a job alone while a transaction of its dead worker is still open', async () => {
    const presence = await openPresence(testDatabase.url, () => undefined);
    const jobId = await enqueue({});
    await claimJob(connected.database, { worker: presence.worker, deadlines: { 'test-step': 60 }, withLong: true });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const open = connected.database.transaction(async (tx) => {
      await tx.run(sql`SELECT FROM job WHERE id = ${jobId} FOR KEY SHARE`);
      await held;
    });
    await presence.close();
    await sleep(50);
    expect(await recoverJobs(connected.database)).toEqual([]);
    release();
    await open;
    await expect.poll(() => recoverJobs(connected.database)).toEqual([jobId]);
    expect(await statusOf(jobId)).toBe('queued');
  });

  test('gives a job up that five workers died of', async () => {
    const jobId = await enqueue({});
    for (const _ of [1, 2, 3, 4, 5]) {
      const presence = await openPresence(testDatabase.url, () => undefined);
      await claimJob(connected.database, { worker: presence.worker, deadlines: { 'test-step': 60 }, withLong: true });
      await presence.close();
      await expect.poll(async () => recoverJobs(connected.database)).toEqual([jobId]);
    }
    expect((await failureOf(wait(jobId))).message).toContain('died or hung');
  });
});

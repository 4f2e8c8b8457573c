// The last line of the log of a job that was canceled: written once, by whichever way the job ends.
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { appendJobLog, readJobLog } from '#store/queue/log.ts';
import { claimJob } from '#store/queue/claim.ts';
import { cancelJob, giveBackJob, recoverJobs } from '#store/queue/mailbox.ts';
import type { Presence } from '#store/queue/presence.ts';
import { openPresence } from '#store/queue/presence.ts';
import { failJob } from '#store/queue/reply.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import type { Connected } from '#test/support/worker.ts';
import { connect } from '#test/support/worker.ts';
import { step } from '#test/support/worker-jobs.ts';

const line = 'The job was canceled\n';
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

let boxes = 0;
const enqueue = async (): Promise<number> => {
  const payload = { box: `box ${(boxes += 1)}`, note: 'one', ms: 0, failTimes: 0, code: '' };
  return (await connected.database.transaction((tx) => enqueueJob(tx, step, payload))).jobId;
};
const cancel = (jobId: number): Promise<void> => connected.database.transaction((tx) => cancelJob(tx, jobId));
const statusOf = async (jobId: number): Promise<string> =>
  (
    await connected.database.reader.one(sql.type(z.strictObject({ status: column.text }))`
    SELECT status FROM job WHERE id = ${jobId}`)
  ).status;
const logOf = async (jobId: number): Promise<string> =>
  text((await readJobLog(connected.database.reader, jobId, 0)).bytes);
const claim = ({ worker }: Presence) =>
  claimJob(connected.database, { worker, deadlines: { 'test-step': 60 }, withLong: true });

describe('the log of a canceled job', () => {
  test('says so where the job was queued', async () => {
    const jobId = await enqueue();
    await cancel(jobId);
    expect([await statusOf(jobId), await logOf(jobId)]).toEqual(['canceled', line]);
    // A second cancel finds it ended.
    await cancel(jobId);
    expect(await logOf(jobId)).toBe(line);
  });

  test('says so behind what was written, where a running job ends without success or is given back', async () => {
    const presence = await openPresence(testDatabase.url, () => undefined);
    for (const end of ['failed', 'given back']) {
      const jobId = await enqueue();
      const job = (await claim(presence)) ?? expect.fail('nothing to claim');
      await appendJobLog(connected.database, jobId, 'Förste line\n');
      await cancel(jobId);
      // Until its worker has stopped it runs.
      expect([end, await statusOf(jobId), await logOf(jobId)]).toEqual([end, 'running', 'Förste line\n']);
      if (end === 'failed') await failJob(connected.database, job, fail('internal', 'stopped'));
      else await giveBackJob(connected.database, job, { counted: false, pauseMs: 0 });
      expect([end, await statusOf(jobId), await logOf(jobId)]).toEqual([end, 'canceled', `Förste line\n${line}`]);
    }
    await presence.close();
  });

  test('says so where the worker of a running job is dead', async () => {
    const presence = await openPresence(testDatabase.url, () => undefined);
    const jobId = await enqueue();
    await claim(presence);
    await cancel(jobId);
    await presence.close();
    await expect.poll(() => recoverJobs(connected.database)).toEqual([jobId]);
    expect([await statusOf(jobId), await logOf(jobId)]).toEqual(['canceled', line]);
  });

  test('says nothing where the job was not canceled', async () => {
    const presence = await openPresence(testDatabase.url, () => undefined);
    const jobId = await enqueue();
    const job = (await claim(presence)) ?? expect.fail('nothing to claim');
    await giveBackJob(connected.database, job, { counted: false, pauseMs: 0 });
    expect([await statusOf(jobId), await logOf(jobId)]).toEqual(['queued', '']);
    await presence.close();
  });
});

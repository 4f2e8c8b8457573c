// How one run ends before its handler has begun: no handler, or an owner who may no longer do what was asked for. And how a further one begins.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { anonymous } from '#domain/access/caller.ts';
import { fail } from '#domain/errors.ts';
import { defineJob, inRepository } from '#domain/job.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { readJobLog } from '#store/queue/log.ts';
import { waitForJob } from '#store/queue/reply.ts';
import { defineHandler } from '../../../../apps/worker/handler.ts';
import type { Worker } from '../../../../apps/worker/running/worker.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import type { Connected } from '#test/support/worker.ts';
import { connect, startTestWorker } from '#test/support/worker.ts';

const guarded = defineJob({
  name: 'test-guarded',
  doc: 'Needs a right in a repository.',
  payload: z.object({ repoId: z.int() }),
  mailbox: () => 'guarded',
  needs: ({ repoId }) => inRepository(repoId, 'view_repository', 'import_records'),
  attempts: 3,
  timeoutSeconds: 60,
  progressUnit: 'records',
});
const interrupted = { ...guarded, name: 'test-interrupted', mailbox: () => 'interrupted' };
const orphaned = { ...guarded, name: 'test-orphaned', mailbox: () => 'orphaned' };

let testDatabase: TestDatabase;
let connected: Connected;
let worker: Worker;
let runs = 0;
beforeAll(async () => {
  testDatabase = await createDatabase();
  connected = connect(testDatabase.url);
  worker = await startTestWorker(connected, {
    handlers: [
      defineHandler(guarded, async () => ({ runs: (runs += 1) })),
      defineHandler(interrupted, async ({ repoId }, { attempt, log }) => {
        if (attempt > 1 || repoId === 2) log(`Created by run ${attempt}`);
        if (attempt < 3) throw fail('unavailable', 'Nobody is there');
      }),
    ],
    // Ann may view and import into repository 2, and only view 3.
    readCaller: async (_reader, username) => ({
      ...anonymous,
      username,
      grants: new Map([
        [2, new Set(['view_repository', 'import_records'])],
        [3, new Set(['view_repository'])],
      ]),
    }),
  });
});
afterAll(async () => {
  await worker.stop();
  await connected[Symbol.asyncDispose]();
  await testDatabase.drop();
});

const make = async (declaration: typeof guarded, repoId: number, owner: string | null): Promise<number> =>
  (await connected.database.transaction(async (tx) => enqueueJob(tx, declaration, { repoId }, { owner }))).jobId;
const ended = async (jobId: number): Promise<unknown> => waitForJob(connected.database, connected.listener, jobId);
const logOf = async (jobId: number): Promise<string> =>
  Buffer.concat(await Array.fromAsync((await readJobLog(connected.database.reader, jobId, 0)).bytes)).toString();

test('a job runs where its owner has what it needs, and where nobody owns it', async () => {
  expect(await ended(await make(guarded, 2, 'ann'))).toEqual({ runs: 1 });
  expect(await ended(await make(guarded, 3, null))).toEqual({ runs: 2 });
});

test('a job whose owner lacks a right fails at once, and its log tells which', async () => {
  const before = runs;
  const jobId = await make(guarded, 3, 'ann');
  await expect(ended(jobId)).rejects.toMatchObject({ code: 'access_denied' });
  expect(runs).toBe(before);
  expect(await logOf(jobId)).toBe('The owner of the job lacks the permission import_records\n');
});

test('the log says where a further run begins, whose lines another one of the job had told before', async () => {
  const [told, untold] = [await make(interrupted, 2, 'ann'), await make(interrupted, 3, null)];
  await ended(told);
  await ended(untold);
  const line = 'Run again: the run above was interrupted, and what it had not stored is undone\n';
  expect(await logOf(told)).toBe(`Created by run 1\n${line}Created by run 2\n${line}Created by run 3\n`);
  expect(await logOf(untold)).toBe(`Created by run 2\n${line}Created by run 3\n`);
});

test('a job that this worker has no handler for waits for another worker', async () => {
  const jobId = await make(orphaned, 2, 'ann');
  await ended(await make(guarded, 2, 'ann'));
  await expect(
    waitForJob(connected.database, connected.listener, jobId, { signal: AbortSignal.timeout(700) }),
  ).rejects.toThrow();
});

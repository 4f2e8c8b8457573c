// A worker that hears nothing, as where its LISTEN connection is lost: it learns by looking.
import { expect, test } from 'vitest';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { cancelJob } from '#store/queue/mailbox.ts';
import { waitForJob } from '#store/queue/reply.ts';
import { createDatabase } from '#test/support/database.ts';
import { connect, startTestWorker } from '#test/support/worker.ts';
import { endlessStep, makeTraceTable } from '#test/support/worker-jobs.ts';

test('begins jobs, and ends those that are canceled, that it was not told of', async () => {
  await using server = await createDatabase();
  await using connected = connect(server.url);
  const { database, listener } = connected;
  await makeTraceTable(database);
  const deaf = Object.assign(Object.create(listener), { subscribe: async () => () => undefined });
  const worker = await startTestWorker({ ...connected, listener: deaf });
  // Days.
  const payload = { box: 'a', note: 'one', ms: 2 ** 31 - 1, failTimes: 0, code: '' };
  const { jobId } = await database.transaction(async (tx) => enqueueJob(tx, endlessStep, payload));
  await expect.poll(() => worker.running).toBe(1);
  await database.transaction(async (tx) => cancelJob(tx, jobId));
  await expect(waitForJob(database, listener, jobId)).rejects.toMatchObject({ code: 'conflict' });
  await worker.stop();
});

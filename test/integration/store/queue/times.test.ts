// When jobs are said to have begun and ended.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { waitForJob } from '#store/queue/reply.ts';
import { createDatabase } from '#test/support/database.ts';
import { connect, startTestWorker } from '#test/support/worker.ts';
import { makeTraceTable, quickStep } from '#test/support/worker-jobs.ts';
import { defineHandler } from '../../../../apps/worker/handler.ts';

const Lasted = z.strictObject({ seconds: column.number });

// Imports store all they have in one transaction, in which now() is the time of its beginning.
test('a job whose last transaction takes long has ended when that is done', async () => {
  await using testDatabase = await createDatabase();
  await using connected = connect(testDatabase.url);
  await makeTraceTable(connected.database);
  const slow = defineHandler(quickStep, async (_payload, context) => {
    await context.transaction(async (tx) => {
      await tx.run(sql`SELECT pg_sleep(1)`);
      await context.complete(tx, null);
    });
  });
  const worker = await startTestWorker(connected, { handlers: [slow] });
  const { jobId } = await connected.database.transaction((tx) =>
    enqueueJob(tx, quickStep, { box: 'a', note: 'slow', ms: 0, failTimes: 0, code: '' }),
  );
  await waitForJob(connected.database, connected.listener, jobId, {});
  const { seconds } = await connected.database.reader.one(sql.type(Lasted)`
    SELECT extract(epoch FROM time_finished - time_started)::float8 AS seconds FROM job WHERE id = ${jobId}`);
  expect(seconds).toBeGreaterThanOrEqual(1);
  await worker.stop();
});

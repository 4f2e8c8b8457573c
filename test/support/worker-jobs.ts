// Job kinds for tests of the queue and the worker, with the traces by which a test sees what ran.
// Traces go into a table of the test's own (makeTraceTable), in the job's transaction or beside it.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import { defineJob } from '#domain/job.ts';
import type { Database } from '#store/connection/database.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import type { JobHandler } from '../../apps/worker/handler.ts';
import { defineHandler } from '../../apps/worker/handler.ts';

const Payload = z.object({
  box: z.string(),
  note: z.string(),
  ms: z.number().default(0),
  failTimes: z.number().default(0),
  code: z.string().default(''),
});

/** Makes the table of traces. */
export async function makeTraceTable(database: Database): Promise<void> {
  await database.transaction(async (tx) =>
    tx.run(
      sql`CREATE TABLE trace (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, job int, box text, note text, event text, pid int, at timestamptz DEFAULT clock_timestamp())`,
    ),
  );
}

/** A step that every job of a mailbox can be asked for: waits, then fails or leaves a trace. Settings are in the payload. */
export const step = defineJob({
  name: 'test-step',
  doc: 'Leaves traces of its start and end.',
  payload: Payload,
  mailbox: ({ box }) => `box/${box}`,
  attempts: 3,
  timeoutSeconds: 60,
  progressUnit: 'steps',
});

/** The same, but it may take long, and gives up after a second. */
export const longStep = defineJob({ ...step, name: 'test-long', timeoutSeconds: 600, attempts: 1 });

/** The same with a time limit of one second. */
export const briefStep = defineJob({ ...step, name: 'test-brief', timeoutSeconds: 1, attempts: 1 });

/** The same for days: what ends it is not its own time. */
export const endlessStep = defineJob({ ...step, name: 'test-endless', timeoutSeconds: 1_000_000, attempts: 1 });

/** The same with traces and nothing else: for thousands of them. */
export const quickStep = defineJob({ ...step, name: 'test-quick' });

const run: Parameters<typeof defineHandler<z.output<typeof Payload>>>[1] = async (
  { box, note, ms, failTimes, code },
  context,
) => {
  const leave = async (event: string): Promise<unknown> =>
    context.database.write(sql.type(AnyRow)`
      INSERT INTO trace (job, box, note, event, pid) VALUES (${context.jobId}, ${box}, ${note}, ${event}, ${process.pid})`);
  await leave('start');
  context.log(`started ${note}`);
  context.progress({ label: note, done: 0, total: 2 });
  // The signal's abort rejects this wait, as it would a thread's task.
  if (ms > 0) await sleep(ms, undefined, { signal: context.signal });
  context.progress({ label: note, done: 1, total: 2 });
  if (context.attempt <= failTimes) {
    if (code === 'unavailable') throw fail('unavailable', 'come back later');
    if (code === 'crash') throw new TypeError('a fault of the program');
    throw fail('import_failed', { record: ['is wrong'] }, { saved: [1, 'two', null] });
  }
  context.progress({ label: note, done: 2, total: 2 });
  await context.transaction(async (tx) => {
    await tx.run(
      sql`INSERT INTO trace (job, box, note, event, pid) VALUES (${context.jobId}, ${box}, ${note}, 'end', ${process.pid})`,
    );
    await context.createdRecords(tx, [`/test/${note}`]);
    await context.complete(tx, { note, attempt: context.attempt });
  });
  return undefined;
};

const runQuick: typeof run = async ({ box, note, failTimes, code }, context) => {
  const trace = (event: string) =>
    sql`INSERT INTO trace (job, box, note, event, pid) VALUES (${context.jobId}, ${box}, ${note}, ${event}, ${process.pid})`;
  await context.database.write(trace('start'));
  if (context.attempt <= failTimes)
    throw code === 'unavailable' ? fail('unavailable', 'come back later') : fail('import_failed', 'is wrong');
  await context.transaction(async (tx) => {
    await tx.run(trace('end'));
    await context.complete(tx, null);
  });
  return undefined;
};

/** The handlers of the jobs above. */
export const testHandlers: readonly JobHandler[] = [
  defineHandler(step, run),
  defineHandler(longStep, run),
  defineHandler(briefStep, run),
  defineHandler(endlessStep, run),
  defineHandler(quickStep, runQuick),
];

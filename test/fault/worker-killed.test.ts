// kill -9 of worker processes in the middle of jobs: each job runs again, is done once, and no two runs of a mailbox overlap.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { waitForJob } from '#store/queue/reply.ts';
import { AnyRow } from '#test/support/rows.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { createDatabase } from '#test/support/database.ts';
import { amount } from '#test/support/long.ts';
import type { TestDatabase } from '#test/support/database.ts';
import type { Connected } from '#test/support/worker.ts';
import { connect, spawnWorker } from '#test/support/worker.ts';
import { makeTraceTable, longStep, step } from '#test/support/worker-jobs.ts';

let testDatabase: TestDatabase;
let connected: Connected;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  testDatabase = await createDatabase();
  connected = connect(testDatabase.url);
  await makeTraceTable(connected.database);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await connected[Symbol.asyncDispose]();
  await testDatabase.drop();
});

const start = async (): Promise<ChildProcess> => {
  const child = await spawnWorker(testDatabase.url);
  children.add(child);
  return child;
};
const kill = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGKILL');
  await once(child, 'exit');
  children.delete(child);
};
// The deadline of a long job is ten minutes off: who waited for it would hang.
const enqueue = async (box: string, note: string, ms: number): Promise<number> =>
  (
    await connected.database.transaction(async (tx) =>
      enqueueJob(tx, longStep, { box, note, ms, failTimes: 0, code: '' }),
    )
  ).jobId;

test('runs a job again when its worker is killed, long before its deadline, and keeps the order of the mailbox', async () => {
  const first = await start();
  const jobId = await enqueue('a', 'one', 6000);
  const next = await enqueue('a', 'two', 0);
  await expect
    .poll(async () => (await connected.database.reader.any(sql.type(AnyRow)`SELECT FROM trace`)).length, {
      interval: 10,
    })
    .toBe(1);
  // The other way round the job would be done by the time that a busy machine has started the second.
  await kill(first);
  const second = await start();
  await expect
    .poll(
      async () =>
        (
          await connected.database.reader.any(sql.type(AnyRow)`
      SELECT FROM trace WHERE event = 'start'`)
        ).length,
      {
        interval: 10,
      },
    )
    .toBe(2);
  expect(await waitForJob(connected.database, connected.listener, jobId)).toEqual({ note: 'one', attempt: 2 });
  expect(await waitForJob(connected.database, connected.listener, next)).toEqual({ note: 'two', attempt: 1 });
  const traces = await connected.database.reader.any(sql.type(z.strictObject({ step: column.text, pid: column.int }))`
    SELECT note || ' ' || event AS step, pid FROM trace ORDER BY n`);
  expect(traces.map((trace) => trace.step)).toEqual(['one start', 'one start', 'one end', 'two start', 'two end']);
  expect(traces.map(({ pid }) => pid)).toEqual([first.pid, ...Array.from({ length: 4 }, () => second.pid)]);
  await kill(second);
  await connected.database.transaction(async (tx) => tx.run(sql`TRUNCATE job, trace, pgboss.job CASCADE`));
});

test('does every job once and never two of a mailbox at a time while workers are killed again and again', async () => {
  const boxes = ['a', 'b', 'c', 'd', 'e'];
  const mostKills = amount(2, 4);
  // All of them before there is anything to do: to start one takes longer than the jobs on a busy machine.
  const workers = await Promise.all(Array.from({ length: mostKills + 2 }, start));
  const ids = await connected.database.transaction(async (tx) => {
    const made = [];
    for (let n = 0; n < 60; n++)
      made.push(
        await enqueueJob(tx, step, { box: boxes[n % 5] ?? '', note: String(n), ms: 250, failTimes: 0, code: '' }),
      );
    return made.map(({ jobId }) => jobId);
  });
  const ended = Promise.all(
    ids.map(async (id) =>
      waitForJob(connected.database, connected.listener, id, { pollMs: 5000 }).then(
        () => 'completed',
        (error: unknown) => String(error),
      ),
    ),
  );
  let isDone = false;
  void ended.then(() => {
    isDone = true;
  });
  let kills = 0;
  for (
    const deadline = performance.now() + 15_000;
    !isDone && kills < mostKills && performance.now() < deadline;
    kills++
  ) {
    await sleep(150 + Math.random() * 250);
    const victim = workers.shift();
    if (victim !== undefined) await kill(victim);
  }
  const outcomes = await ended;
  // A job is given up where five workers died of it, so there are fewer kills.
  expect(outcomes.filter((outcome) => outcome !== 'completed')).toEqual([]);
  expect(kills).toBeGreaterThan(1);
  const ends = await connected.database.reader.any(sql.type(z.strictObject({ box: column.text, notes: column.text }))`
    SELECT box, string_agg(note, ',' ORDER BY n) AS notes FROM trace WHERE event = 'end' GROUP BY box ORDER BY box`);
  expect(ends).toEqual(
    boxes.map((box, index) => ({ box, notes: Array.from({ length: 12 }, (_, n) => n * 5 + index).join(',') })),
  );
  // Between the last start of a job and its end nothing else of its mailbox happens.
  const overlaps = await connected.database.reader.any(sql.type(AnyRow)`
    SELECT o.* FROM trace e
    JOIN LATERAL (SELECT max(n) AS n FROM trace s WHERE s.job = e.job AND s.event = 'start' AND s.n < e.n) s ON true
    JOIN trace o ON o.box = e.box AND o.n > s.n AND o.n < e.n WHERE e.event = 'end'`);
  expect(overlaps).toEqual([]);
  await Promise.all(workers.map(kill));
});

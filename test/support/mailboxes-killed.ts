// Jobs of many mailboxes done by worker processes of which one is killed every few seconds, and what the traces say of it: shared by a test and by
// the bench of the whole size.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { Connected } from './worker.ts';
import { spawnWorker } from './worker.ts';
import { quickStep } from './worker-jobs.ts';

/** How much of it, and how often one dies; `mostKills`: not more often than that. */
export type KilledRun = {
  readonly jobs: number;
  readonly mailboxes: number;
  readonly workers: number;
  readonly killEveryMs: number;
  readonly mostKills?: number;
};

/** What happened. All but `kills`, `seconds` and `samples` are faults, and should be 0. */
export const KilledOutcome = z.strictObject({
  kills: column.int,
  seconds: column.int,
  /** How often activations were counted against jobs while it went on. */
  samples: column.int,
  unequalSamples: column.int,
  lost: column.int,
  twice: column.int,
  /** Began before one of its mailbox that was made earlier had ended, or beside it. */
  outOfOrder: column.int,
  wrongEnds: column.int,
  leftActivations: column.int,
});
export type KilledOutcome = z.infer<typeof KilledOutcome>;

// Two in a hundred fail: one at its first attempt, to be tried again in its place, one for good.
const failing = (n: number): { failTimes: number; code: string } =>
  n % 100 === 17
    ? { failTimes: 1, code: 'unavailable' }
    : n % 100 === 71
      ? { failTimes: 9, code: '' }
      : { failTimes: 0, code: '' };

/** Makes the jobs, has them done, kills, and counts. The table of traces must be there. */
export async function killWhileMailboxesRun(
  { database, url }: Connected,
  { jobs, mailboxes, workers, killEveryMs, mostKills = Infinity }: KilledRun,
): Promise<KilledOutcome> {
  const begun = performance.now();
  const living = await Promise.all(Array.from({ length: workers }, async () => spawnWorker(url)));
  let isMade = false;
  let kills = 0;
  let samples = 0;
  let unequalSamples = 0;
  const unfinished = async (): Promise<{ readonly jobs: number; readonly activations: number }> =>
    database.reader.one(sql.type(z.strictObject({ jobs: column.int, activations: column.int }))`
      SELECT (SELECT count(*) FROM job WHERE status IN ('queued', 'running')) AS jobs,
        (SELECT count(*) FROM pgboss.job WHERE name = 'mailboxes' AND state IN ('created', 'retry', 'active')) AS activations`);
  const make = async (): Promise<void> => {
    // One maker: of two that commit at the same moment either may be first.
    for (let from = 0; from < jobs; from += 100)
      await database.transaction(async (tx) => {
        for (let n = from; n < Math.min(jobs, from + 100); n++)
          await enqueueJob(tx, quickStep, { box: String(n % mailboxes), note: String(n), ms: 0, ...failing(n) });
      });
    isMade = true;
  };
  const watch = async (): Promise<void> => {
    for (let nextKill = performance.now() + killEveryMs; ; await sleep(200)) {
      const left = await unfinished();
      samples += 1;
      if (left.jobs !== left.activations) unequalSamples += 1;
      if (isMade && left.jobs === 0) return;
      if (performance.now() < nextKill || kills >= mostKills) continue;
      const place = Math.floor(Math.random() * living.length);
      const [victim] = living.splice(place, 1);
      if (victim !== undefined) await kill(victim);
      kills += 1;
      living.push(await spawnWorker(url));
      nextKill = performance.now() + killEveryMs;
    }
  };
  try {
    await Promise.all([make(), watch()]);
  } finally {
    await Promise.all(living.map(kill));
  }
  const faults = await database.reader.one(sql.type(
    KilledOutcome.omit({ kills: true, seconds: true, samples: true, unequalSamples: true }),
  )`
    WITH planned AS (SELECT id, status, CASE WHEN (payload ->> 'note')::int % 100 = 71 THEN 'failed' ELSE 'completed' END AS planned FROM job),
    ended AS (SELECT job, count(*) AS ends FROM trace WHERE event = 'end' GROUP BY job),
    -- Between the first start of a job and its end nothing of its mailbox may stand, and nothing of an earlier one after it.
    followed AS (SELECT job, lag(job) OVER (PARTITION BY box ORDER BY n) AS before FROM trace)
    SELECT ${jobs}::int - (SELECT count(*)::int FROM planned) + (SELECT count(*)::int FROM planned LEFT JOIN ended ON job = id WHERE planned = 'completed' AND ends IS NULL) AS lost,
      (SELECT count(*) FROM ended JOIN planned ON id = job WHERE ends > 1 OR planned = 'failed') AS twice,
      (SELECT count(*) FROM followed WHERE before > job) AS "outOfOrder",
      (SELECT count(*) FROM planned WHERE status <> planned) AS "wrongEnds",
      (SELECT count(*) FROM pgboss.job WHERE name = 'mailboxes' AND state IN ('created', 'retry', 'active')) AS "leftActivations"`);
  return { kills, seconds: (performance.now() - begun) / 1000, samples, unequalSamples, ...faults };
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

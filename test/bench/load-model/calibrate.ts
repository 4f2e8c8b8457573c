// What each sort of work costs the service when nothing else is at work: time of the processor by process, and of the clock.
import { z } from 'zod';
import { setTimeout as sleep } from 'node:timers/promises';
import { column, NumberRow } from '#store/connection/columns.ts';
import type { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { isIndexed } from '../../support/indexer.ts';
import type { Running } from '../processes/spawn.ts';
import { readServerCpu } from '../sizes/tables.ts';
import type { Work, WorkName } from './service.ts';

/** What is measured: the processes, and a database connection beside them. */
export type Measured = { readonly database: Database; readonly api: Running; readonly worker: Running };

/** Seconds of the clock, and of the processor by process. */
type Spent = { readonly wall: number; readonly api: number; readonly worker: number; readonly server: number };

/** What one piece of work took on average: until it was answered, how much of that its job waited (0 where there is none), then until it was indexed, and how many records that were. Seconds. */
export type Taken = {
  readonly done: Spent;
  readonly claimSeconds: number;
  readonly indexing: Spent;
  readonly records: number;
};

/** What the processes take while nobody asks for anything: seconds of the processor in a second of the clock. */
export type Idle = Spent;

const pollMs = 20;

/** Reads what was spent so far. */
export async function readSpent({ database, api, worker }: Measured): Promise<Spent> {
  const server = await readServerCpu(database);
  return { wall: performance.now() / 1000, api: api.cpuSeconds(), worker: worker.cpuSeconds(), server };
}

/** Waits until nothing is left to index. Gives how often it looked. */
export async function untilAtRest(database: Database): Promise<number> {
  for (let looks = 1; ; looks++) {
    if (await isIndexed(database)) return looks;
    await sleep(pollMs);
  }
}

/** What the idle service takes, and what one look of untilAtRest takes of the server. */
export async function measureIdle(
  measured: Measured,
  seconds: number,
): Promise<{ readonly idle: Idle; readonly look: number }> {
  const begun = await readSpent(measured);
  await sleep(seconds * 1000);
  const between = await readSpent(measured);
  const idle = perSecond(difference(between, begun));
  const looks = 100;
  for (let n = 0; n < looks; n++) await untilAtRest(measured.database);
  const after = difference(await readSpent(measured), between);
  return { idle, look: Math.max(0, after.server - idle.server * after.wall) / looks };
}

const WaitRow = z.strictObject({ seconds: column.number });

/** The last job so far; 0 where there was none. */
export const readLastJob = async ({ reader }: Database): Promise<number> =>
  (await reader.one(sql.type(NumberRow)`SELECT coalesce(max(id), 0) AS n FROM job`)).n;

/** Seconds that the jobs of the load waited which came after that one, in their order. */
export async function readWaits({ reader }: Database, lastJob: number): Promise<readonly number[]> {
  const rows = await reader.any(sql.type(WaitRow)`
    SELECT extract(epoch FROM time_started - time_submitted)::float8 AS seconds FROM job
    WHERE id > ${lastJob} AND time_started IS NOT NULL AND type IN ('publish-records', 'batch-import') ORDER BY id`);
  return rows.map(({ seconds }) => seconds);
}

/** Does a sort of work again and again, each time until all is indexed, without what an idle service takes besides. */
export async function calibrate(
  measured: Measured,
  work: Work,
  name: WorkName,
  rounds: number,
  { idle, look }: { readonly idle: Idle; readonly look: number },
): Promise<Taken> {
  const { database } = measured;
  const warm = 2;
  const lastJob = await readLastJob(database);
  const taken: Omit<Taken, 'claimSeconds'>[] = [];
  for (let round = 0; round < rounds + warm; round++) {
    const made = await readMade(database);
    const begun = await readSpent(measured);
    await work[name](0);
    const answered = await readSpent(measured);
    const looks = await untilAtRest(database);
    const indexed = await readSpent(measured);
    const indexing = difference(indexed, answered);
    taken.push({
      done: withoutIdle(difference(answered, begun), idle, 0),
      indexing: withoutIdle(indexing, idle, looks * look),
      records: (await readMade(database)) - made,
    });
  }
  const waits = (await readWaits(database, lastJob)).slice(warm);
  const counted = taken.slice(warm);
  return {
    done: meanOf(counted.map(({ done }) => done)),
    claimSeconds: waits.reduce((sum, seconds) => sum + seconds, 0) / Math.max(1, waits.length),
    indexing: meanOf(counted.map(({ indexing }) => indexing)),
    records: counted.reduce((sum, { records }) => sum + records, 0) / counted.length,
  };
}

/** How many records have become pending since the database was made. */
async function readMade(database: Database): Promise<number> {
  const { n } = await database.reader.one(sql.type(NumberRow)`
    SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('reindex_due', 'n')), 0) AS n`);
  return n;
}

const difference = (a: Spent, b: Spent): Spent => ({
  wall: a.wall - b.wall,
  api: a.api - b.api,
  worker: a.worker - b.worker,
  server: a.server - b.server,
});

const perSecond = ({ wall, api, worker, server }: Spent): Spent => ({
  wall: 1,
  api: api / wall,
  worker: worker / wall,
  server: server / wall,
});

const withoutIdle = ({ wall, api, worker, server }: Spent, idle: Idle, looks: number): Spent => ({
  wall,
  api: api - idle.api * wall,
  worker: worker - idle.worker * wall,
  server: server - idle.server * wall - looks,
});

function meanOf(all: readonly Spent[]): Spent {
  // Times of the processor come in hundredths of a second: one of many may come out below nothing, their mean hardly.
  const mean = (of: keyof Spent): number => Math.max(0, all.reduce((sum, each) => sum + each[of], 0) / all.length);
  return { wall: mean('wall'), api: mean('api'), worker: mean('worker'), server: mean('server') };
}

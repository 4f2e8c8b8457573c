// The queue on pg-boss's activations beside the one before it (queues/earlier.ts), turn about in one run: from request to end with one caller and
// with eight, a backlog of many mailboxes, and what a claim costs with statistics that are fresh, missing, or of a quiet hour.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Database } from '#store/connection/database.ts';
import { Listener } from '#store/connection/listener.ts';
import { runSql } from '../support/run-sql.ts';
import { prepareTemplate } from '../support/template.ts';
import type { BenchRow } from './bench.ts';
import { medianOf, onOwnServer, rounded } from './bench.ts';
import type { Contender, Held } from './queues/contender.ts';
import { startWorking } from './queues/contender.ts';
import { current } from './queues/current.ts';
import { earlier } from './queues/earlier.ts';

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
const requests = Number(process.env['BENCH_REQUESTS'] ?? 150);
const backlog = Number(process.env['BENCH_BACKLOG'] ?? 10_000);
const mailboxes = 50;
/** Nobody looks for its presence here. */
const worker = 1;

/** Measures on a PostgreSQL of its own with its usual durability, made and removed here. Takes some five minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url, folder }) => {
    const processor = processorOf(folder);
    const named = (name: string): string => Object.assign(new URL(url), { pathname: `/${name}` }).href;
    await runSql(url, 'CREATE DATABASE template_queue');
    await prepareTemplate(named('template_queue'));
    {
      await using template = new Database({ url: named('template_queue'), poolSize: 1 });
      await earlier.prepare(template);
    }
    let made = 0;
    const fresh = async <Result>(work: (database: Database, url: string) => Promise<Result>): Promise<Result> => {
      const name = `queue_${++made}`;
      await runSql(url, `CREATE DATABASE ${name} TEMPLATE template_queue`);
      await using database = new Database({ url: named(name), poolSize: 12 });
      return await work(database, named(name));
    };
    return [
      ...(await fresh((database, own) => askTurnAbout(database, own, processor))),
      ...(await fresh((database, own) => clearTurnAbout(database, own, processor))),
      ...(await claims(fresh)),
    ];
  });
}

type Pair<Value> = { readonly before: Value; readonly now: Value };

/** The same of both queues, the one that begins changing from round to round. */
async function turnAbout<Value>(
  round: number,
  work: <Job extends Held>(queue: Contender<Job>) => Promise<Value>,
): Promise<Pair<Value>> {
  if (round % 2 === 1) return { before: await work(earlier), now: await work(current) };
  const now = await work(current);
  return { before: await work(earlier), now };
}

/** What a round took: each request by itself, and the processor time of a job. */
type Asked = { readonly times: readonly number[]; readonly processorMs: number };

async function askTurnAbout(database: Database, url: string, processor: () => number): Promise<readonly BenchRow[]> {
  await using listener = new Listener({ url });
  const ask = async <Job extends Held>(queue: Contender<Job>, callers: number): Promise<Asked> => {
    await using working = await startWorking(queue, { database, listener, worker, places: 4 });
    const one = async (caller: number): Promise<number> => {
      const begun = performance.now();
      await working.ended(await database.transaction((tx) => queue.enqueue(tx, `caller ${caller}`)));
      return performance.now() - begun;
    };
    const several = async (count: number): Promise<readonly number[]> => {
      const times = await Promise.all(
        Array.from({ length: callers }, async (_, caller) => {
          const own: number[] = [];
          for (let n = 0; n < count; n++) own.push(await one(caller));
          return own;
        }),
      );
      return times.flat();
    };
    // Connections and plans are warm before it counts.
    await several(10);
    const before = processor();
    const times = await several(requests);
    return { times, processorMs: (processor() - before) / times.length };
  };
  const alone: Pair<Asked>[] = [];
  const eight: Pair<Asked>[] = [];
  for (let round = 0; round < rounds; round++) {
    alone.push(await turnAbout(round, async (queue) => ask(queue, 1)));
    eight.push(await turnAbout(round, async (queue) => ask(queue, 8)));
  }
  const p50 = ({ times }: Asked): number => medianOf(times);
  const p95 = ({ times }: Asked): number =>
    times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
  const perSecond = ({ times }: Asked): number => 8000 / (times.reduce((sum, ms) => sum + ms, 0) / times.length);
  const processorMs = (asked: Asked): number => asked.processorMs;
  const of = (pairs: readonly Pair<Asked>[], value: (asked: Asked) => number): readonly Pair<number>[] =>
    pairs.map(({ before, now }) => ({ before: value(before), now: value(now) }));
  return [
    faster('one caller, request to end, p50: the earlier queue ÷ this', 'ms', of(alone, p50), 0.5),
    faster('one caller, p95', 'ms', of(alone, p95)),
    faster('one caller, processor time of a job', 'ms', of(alone, processorMs)),
    moreOf('eight callers', 'jobs/s', of(eight, perSecond), 0.5),
    faster('eight callers, processor time of a job', 'ms', of(eight, processorMs)),
  ];
}

async function clearTurnAbout(database: Database, url: string, processor: () => number): Promise<readonly BenchRow[]> {
  await using listener = new Listener({ url });
  const clear = async <Job extends Held>(
    queue: Contender<Job>,
  ): Promise<{ readonly perSecond: number; readonly processorMs: number }> => {
    await fill(queue, database, backlog);
    const [begun, before] = [performance.now(), processor()];
    await using working = await startWorking(queue, { database, listener, worker, places: 4 });
    while (working.count < backlog) await new Promise((resolve) => setTimeout(resolve, 20));
    return {
      perSecond: (backlog * 1000) / (performance.now() - begun),
      processorMs: (processor() - before) / backlog,
    };
  };
  const pairs = [];
  for (let round = 0; round < 3; round++) pairs.push(await turnAbout(round, clear));
  const name = `backlog of ${backlog.toLocaleString('en-GB')} jobs in ${mailboxes} mailboxes, four places`;
  return [
    moreOf(
      name,
      'jobs/s',
      pairs.map(({ before, now }) => ({ before: before.perSecond, now: now.perSecond })),
      0.6,
    ),
    faster(
      `${name}: processor time of a job`,
      'ms',
      pairs.map(({ before, now }) => ({ before: before.processorMs, now: now.processorMs })),
    ),
  ];
}

/** Reads the processor time, in milliseconds, that this process and PostgreSQL's have used; of Linux alone. */
function processorOf(folder: string): () => number {
  const postmaster = readFileSync(join(folder, 'pg', 'postmaster.pid'), 'utf8').split('\n')[0] ?? '';
  // The fields after the name of the program, which is in brackets and may hold anything; times are in hundredths of a second.
  const fieldsOf = (pid: string): readonly string[] => {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  };
  const sum = (fields: readonly string[]): number => fields.reduce((total, field) => total + Number(field) * 10, 0);
  return () => {
    const { user, system } = process.cpuUsage();
    let ms = (user + system) / 1000 + sum(fieldsOf(postmaster).slice(11, 15));
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const fields = fieldsOf(pid);
        if (fields[1] === postmaster) ms += sum(fields.slice(11, 13));
      } catch {
        // It ended while we looked; its parent has its time.
      }
    }
    return ms;
  };
}

/** Makes jobs, some hundred a transaction; of all mailboxes in turn, or of one. */
async function fill<Job extends Held>(
  queue: Contender<Job>,
  database: Database,
  count: number,
  mailbox?: string,
): Promise<void> {
  const names = Array.from({ length: count }, (_, n) => mailbox ?? `box ${n % mailboxes}`);
  for (let from = 0; from < count; from += 500) await queue.fill(database, names.slice(from, from + 500));
}

type Fresh = <Result>(work: (database: Database, url: string) => Promise<Result>) => Promise<Result>;

const states = ['fresh', 'missing', 'of a quiet hour'] as const;

/** What a claim costs by the statistics that the planner has: among many mailboxes, and past a mailbox where thousands wait for one. */
async function claims(fresh: Fresh): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  const nows: { readonly [scene: string]: number[] } = { among: [], past: [] };
  for (const scene of ['among', 'past'] as const)
    for (const state of states) {
      const pair = await turnAbout(0, async (queue) => fresh((database) => claimIn(queue, database, scene, state)));
      nows[scene]?.push(pair.now);
      const what =
        scene === 'among'
          ? `of ${backlog.toLocaleString('en-GB')} queued`
          : `past ${(backlog / 2).toLocaleString('en-GB')} behind one that runs`;
      rows.push(faster(`a claim ${what}, statistics ${state}`, 'ms', [pair]));
    }
  for (const [scene, values] of Object.entries(nows)) {
    const ratio = Math.max(...values) / (values[0] ?? Number.NaN);
    rows.push({
      name: `dearest such claim ÷ one with fresh statistics, ${scene === 'among' ? 'many queued' : 'behind one that runs'}`,
      value: rounded(Math.max(...values)),
      unit: 'ms',
      baseline: rounded(values[0] ?? Number.NaN),
      ratio: rounded(ratio),
      target: 3,
      pass: ratio <= 3,
    });
  }
  return rows;
}

async function claimIn<Job extends Held>(
  queue: Contender<Job>,
  database: Database,
  scene: 'among' | 'past',
  state: (typeof states)[number],
): Promise<number> {
  const analyze = async (): Promise<void> => {
    await database.withClient(async (client) => client.query(`ANALYZE ${queue.tables.join(', ')}`));
  };
  await database.transaction(async (tx) =>
    tx.client.query(queue.tables.map((table) => `ALTER TABLE ${table} SET (autovacuum_enabled = off)`).join(';')),
  );
  const claim = queue.claimer(database, worker);
  if (state === 'of a quiet hour') {
    await fill(queue, database, 2000);
    for (let job = await claim(); job !== null; job = await claim()) {
      const held = job;
      await database.transaction((tx) => queue.end(tx, held));
    }
    await analyze();
  }
  if (scene === 'past') {
    await fill(queue, database, 1, 'deep');
    await claim();
    await fill(queue, database, backlog / 2, 'deep');
    await fill(queue, database, mailboxes);
  } else await fill(queue, database, backlog);
  if (state === 'fresh') await analyze();
  await claim();
  const times: number[] = [];
  for (let n = 0; n < 30; n++) {
    const begun = performance.now();
    if ((await claim()) === null) throw new Error(`${queue.name} has nothing to claim`);
    times.push(performance.now() - begun);
  }
  return medianOf(times);
}

/** A duration: the ratio is the earlier queue's to ours, so that 1 is as fast and less is slower. */
function faster(name: string, unit: string, pairs: readonly Pair<number>[], target?: number): BenchRow {
  return compared(name, unit, pairs, ({ before, now }) => before / now, target);
}

/** A rate: the ratio is ours to the earlier queue's. */
function moreOf(name: string, unit: string, pairs: readonly Pair<number>[], target?: number): BenchRow {
  return compared(name, unit, pairs, ({ before, now }) => now / before, target);
}

function compared(
  name: string,
  unit: string,
  pairs: readonly Pair<number>[],
  ratioOf: (pair: Pair<number>) => number,
  target?: number,
): BenchRow {
  const ratio = medianOf(pairs.map(ratioOf));
  return {
    name,
    value: rounded(medianOf(pairs.map(({ now }) => now))),
    unit,
    baseline: rounded(medianOf(pairs.map(({ before }) => before))),
    ratio: rounded(ratio),
    ...(target === undefined ? {} : { target, pass: ratio >= target }),
  };
}

if (import.meta.main) console.table(await run());

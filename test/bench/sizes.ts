// What a service takes as it grows: bytes of every table and index, the log, time of the processor and of the clock for loading and indexing, and what
// questions cost; each size beside the one before, for a component. What grows faster than the components is told by a ratio above 1.
// BENCH_SIZES are the sizes (10000,100000), BENCH_SHAPE the records (full, or small: a title and a date). With BENCH_DATABASE_URL a database that is
// there, filled and indexed, is measured as it is, and BENCH_SIZES says how many components it has.
import { loadRecords } from '#domain/jobs/load-records.ts';
import { packed } from '#migrate/loaded-lines.ts';
import { Database } from '#store/connection/database.ts';
import { Listener } from '#store/connection/listener.ts';
import { sql } from '#store/connection/sql.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { waitForJob } from '#store/queue/reply.ts';
import { spawnImportWorker } from '../support/import-worker.ts';
import { untilIndexed } from '../support/indexer.ts';
import { AnyRow } from '../support/rows.ts';
import { prepareTemplate } from '../support/template.ts';
import type { BenchRow } from './bench.ts';
import { onOwnServer, rounded } from './bench.ts';
import { connectClient } from './processes/client.ts';
import { cpuSecondsOf, startProcess } from './processes/spawn.ts';
import { bytesOfSize } from './sizes/lines.ts';
import type { Asked } from './sizes/questions.ts';
import { askQuestions } from './sizes/questions.ts';
import type { Taken } from './sizes/tables.ts';
import { readLogBytes, readServerCpu, readTaken } from './sizes/tables.ts';

const sizes = (process.env['BENCH_SIZES'] ?? '10000,100000').split(',').map(Number);
const shape = process.env['BENCH_SHAPE'] === 'small' ? 'small' : 'full';
const existing = process.env['BENCH_DATABASE_URL'];
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 20);
const hourMs = 3_600_000;

/** A piece of work: seconds of the clock, of the processor (the worker's, the server's), and bytes of the log. */
type Phase = {
  readonly name: string;
  readonly seconds: number;
  readonly worker: number;
  readonly server: number;
  readonly log: number;
};

/** One size. */
type Measured = {
  readonly components: number;
  readonly phases: readonly Phase[];
  readonly taken: readonly Taken[];
  readonly asked: readonly Asked[];
};

/** Measures each size on a PostgreSQL of its own. Needs 20 KB of disk for each component. */
export async function run(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  let before: Measured | undefined;
  for (const components of sizes) {
    const measured = existing === undefined ? await made(components) : await measure(existing, components, []);
    const own = rowsOf(measured, before);
    // The largest takes the better part of an hour: what was measured is there when it fails.
    console.error(own.map(({ name, value, unit }) => `${name}: ${value} ${unit}`).join('\n'));
    rows.push(...own);
    before = measured;
  }
  return rows;
}

/** Makes, indexes and measures records in a database of its own. */
async function made(components: number): Promise<Measured> {
  return onOwnServer(async ({ url }) => {
    await prepareTemplate(url);
    await using database = new Database({ url, poolSize: 2, statementTimeoutMs: hourMs });
    const phases = [await load(database, components), await index(database)];
    return await measure(url, components, phases);
  });
}

async function load(database: Database, components: number): Promise<Phase> {
  const blob = await writeBlob(database, packed(bytesOfSize(components, shape)));
  await using listener = new Listener({ url: database.settings.url });
  const worker = await spawnImportWorker(database.settings.url);
  try {
    return await phase('load', database, worker.process.pid, async () => {
      const { jobId } = await database.transaction((tx) =>
        enqueueJob(
          tx,
          loadRecords,
          { blobId: blob.id, intoFilled: true },
          { files: [{ blobId: blob.id, role: 'payload' }] },
        ),
      );
      await waitForJob(database, listener, jobId);
    });
  } finally {
    await worker.stop();
  }
}

async function index(database: Database): Promise<Phase> {
  await using worker = await startProcess('apps/worker/main.ts', { DATABASE_URL: database.settings.url });
  return await phase('index', database, worker.child.pid, () => untilIndexed(database, 24 * hourMs, 500));
}

async function phase(
  name: string,
  database: Database,
  worker: number | undefined,
  work: () => Promise<unknown>,
): Promise<Phase> {
  const before = {
    worker: cpuSecondsOf(worker),
    server: await readServerCpu(database),
    log: await readLogBytes(database),
  };
  const started = performance.now();
  await work();
  return {
    name,
    seconds: (performance.now() - started) / 1000,
    worker: cpuSecondsOf(worker) - before.worker,
    server: (await readServerCpu(database)) - before.server,
    log: (await readLogBytes(database)) - before.log,
  };
}

/** Measures a database that is filled and indexed. */
async function measure(url: string, components: number, phases: readonly Phase[]): Promise<Measured> {
  await using database = new Database({ url, poolSize: 2, statementTimeoutMs: hourMs });
  await database.write(sql`CREATE EXTENSION IF NOT EXISTS pg_stat_statements`);
  await database.reader.any(sql.type(AnyRow)`VACUUM (ANALYZE)`);
  const taken = await readTaken(database);
  await using api = await startProcess('apps/api/main.ts', { DATABASE_URL: url });
  const asked = await askQuestions(await connectClient(api.url), database, components, rounds);
  return { components, phases, taken, asked };
}

function rowsOf(measured: Measured, before: Measured | undefined): readonly BenchRow[] {
  const { components, phases, taken, asked } = measured;
  const beside = (name: string, value: number, unit: string, earlier: number | undefined): BenchRow => ({
    name: `${components}: ${name}`,
    value: rounded(value),
    unit,
    ...(earlier === undefined || !(earlier > 0) ? {} : { baseline: rounded(earlier), ratio: value / earlier }),
  });
  const each = (of: Measured | undefined, value: number | undefined): number | undefined =>
    of === undefined || value === undefined ? undefined : value / of.components;
  const rows: BenchRow[] = [];
  for (const now of phases) {
    const earlier = before?.phases.find(({ name }) => name === now.name);
    const add = (what: string, of: 'seconds' | 'worker' | 'server' | 'log', unit: string, factor: number): void => {
      const past = each(before, earlier?.[of]);
      rows.push(
        beside(
          `${now.name}, ${what}, a component`,
          (factor * now[of]) / components,
          unit,
          past === undefined ? undefined : factor * past,
        ),
      );
    };
    add('clock', 'seconds', 'ms', 1000);
    add('processor of the worker', 'worker', 'ms', 1000);
    add('processor of the server', 'server', 'ms', 1000);
    add('log', 'log', 'bytes', 1);
  }
  for (const { table, index: name, bytes, rows: count } of taken) {
    // What is the same at all sizes: lists, settings.
    if (bytes < components) continue;
    const earlier = before?.taken.find((other) => other.table === table && other.index === name);
    const title =
      name === null ? `${table}, ${count} rows, ${Math.round(bytes / 1e6)} MB` : `${name} (index of ${table})`;
    rows.push(beside(`${title}, a component`, bytes / components, 'bytes', each(before, earlier?.bytes)));
  }
  for (const { name, ms, blocks, refused } of asked) {
    if (refused > 0) rows.push({ name: `${components}: ${name}, refused`, value: refused, unit: `of ${rounds + 1}` });
    const earlier = before?.asked.find((other) => sameQuestion(other.name, name));
    rows.push(beside(name, ms, 'ms', earlier?.ms), beside(`${name}, looked at`, blocks, 'blocks', earlier?.blocks));
  }
  return rows;
}

/** The words that are asked for are other ones at another size. */
const sameQuestion = (one: string, other: string): boolean => one.replace(/ \(.*/, '') === other.replace(/ \(.*/, '');

if (import.meta.main) console.table(await run());

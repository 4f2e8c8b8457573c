// How long moving in takes by size: a folder is loaded, read again from that service as from any source, and proved; up to BENCH_SECOND_UP_TO components
// (100000) what was read is loaded into a second one, too, and that is proved against the first. Clock, time of the processor of all that takes part, and the largest memory of each; per record beside the size before.
// BENCH_SIZES are the sizes in components (10000,100000), BENCH_SHAPE the records (full, or small: a title and a date).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Database } from '#store/connection/database.ts';
import { spawnImportWorker } from '../support/import-worker.ts';
import { prepareTemplate } from '../support/template.ts';
import type { BenchRow } from './bench.ts';
import { onOwnServer, rounded } from './bench.ts';
import { makeFolder } from './processes/make-folder.ts';
import { adminPassword, cpuSecondsOf, largestMemoryOf, startProcess } from './processes/spawn.ts';
import { readServerCpu } from './sizes/tables.ts';

const sizes = (process.env['BENCH_SIZES'] ?? '10000,100000').split(',').map(Number);
const shape = process.env['BENCH_SHAPE'] === 'small' ? 'small' : 'full';
const secondUpTo = Number(process.env['BENCH_SECOND_UP_TO'] ?? 100_000);
const cli = fileURLToPath(new URL('../../apps/cli/main.ts', import.meta.url));
const asFastAsItAnswers = ['--requests-a-second', '1000'];
const lookMs = 100;

/** A command over its life: seconds of the clock, of the processor (its own, the services', their databases'), megabytes at most by who has them. */
type Phase = {
  readonly name: string;
  readonly seconds: number;
  readonly processor: number;
  readonly memory: { readonly [program: string]: number };
};

/** A service that takes part: what its processes have used so far. */
type Service = {
  readonly url: string;
  readonly database: Database;
  readonly pids: { readonly [program: string]: number | undefined };
};

/** Takes 15 minutes for the usual sizes on two idle cores. Needs 60 KB of disk for each component. */
export async function run(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  let before: { readonly records: number; readonly phases: readonly Phase[] } | null = null;
  for (const components of sizes) {
    const measured = await measure(components);
    for (const [at, phase] of measured.phases.entries()) {
      const smaller: Phase | undefined = before?.phases[at];
      const perRecord = phase.processor / measured.records;
      const ratio = smaller === undefined || before === null ? null : perRecord / (smaller.processor / before.records);
      const memory = Object.entries(phase.memory).map(([program, megabytes]) => `${program} ${megabytes} MB`);
      rows.push(
        {
          name: `${measured.records} records: ${phase.name} (${memory.join(', ')})`,
          value: rounded(phase.seconds),
          unit: 's',
        },
        {
          name: `the same, of the processor, a record beside the size before`,
          value: rounded(phase.processor),
          unit: 's',
          ...(ratio === null ? {} : { ratio: rounded(ratio) }),
        },
      );
    }
    before = measured;
  }
  return rows;
}

/** Moves records of a size in and on. */
async function measure(components: number): Promise<{ readonly records: number; readonly phases: readonly Phase[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-bench-move-'));
  const [made, read] = [join(folder, 'made'), join(folder, 'read')];
  try {
    const records = await makeFolder(made, components, 'http://127.0.0.1:1', shape);
    const phases: Phase[] = [];
    await withService(async (source) => {
      const take = async (name: string, services: readonly Service[], args: readonly string[]): Promise<void> => {
        const phase = await runPhase(name, services, args);
        console.error(`${records} records: ${JSON.stringify(phase)}`);
        phases.push(phase);
      };
      await take('load, as made', [source], ['migrate', '--from', made, '--url', source.url]);
      await take('read', [source], ['migrate', '--from', source.url, '--into', read, ...asFastAsItAnswers]);
      const verify = ['verify', ...asFastAsItAnswers, '--against'];
      await take('verify against the folder', [source], [...verify, read, '--url', source.url]);
      if (components > secondUpTo) return;
      await withService(async (target) => {
        await take('load, as read', [target], ['migrate', '--from', read, '--url', target.url]);
        // Neither has an index here, so of searches none is compared.
        await take(
          'verify against the source',
          [source, target],
          [...verify, source.url, '--sample', '0', '--url', target.url],
        );
      });
    });
    return { records, phases };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A service on a PostgreSQL of its own: the API, and a worker that loads and does not index. */
async function withService(work: (service: Service) => Promise<void>): Promise<void> {
  await onOwnServer(async ({ url }) => {
    await prepareTemplate(url);
    await using database = new Database({ url, poolSize: 2 });
    await using api = await startProcess('apps/api/main.ts', { DATABASE_URL: url });
    const worker = await spawnImportWorker(url);
    try {
      await work({ url: api.url, database, pids: { API: api.child.pid, worker: worker.process.pid } });
    } finally {
      await worker.stop();
    }
  });
}

/** Runs a command of the command line to its end; fails where it does not end well. */
async function runPhase(name: string, services: readonly Service[], args: readonly string[]): Promise<Phase> {
  const used = async (): Promise<number> => {
    let seconds = 0;
    for (const { database, pids } of services) {
      seconds += await readServerCpu(database);
      for (const pid of Object.values(pids)) seconds += cpuSecondsOf(pid);
    }
    return seconds;
  };
  const before = await used();
  const started = performance.now();
  const child = spawn(process.execPath, [cli, ...args], {
    env: {
      PATH: process.env['PATH'] ?? '',
      MUNIMENT_PASSWORD: adminPassword,
      MUNIMENT_SOURCE_PASSWORD: adminPassword,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told = `${told}${text}`.slice(-4000);
  });
  let own = { seconds: 0, megabytes: 0 };
  const looking = setInterval(() => {
    const [seconds, megabytes] = [cpuSecondsOf(child.pid), Math.round(largestMemoryOf(child.pid))];
    // Once it has ended neither is told; until then both only grow.
    if (Number.isFinite(seconds) && Number.isFinite(megabytes)) own = { seconds, megabytes };
  }, lookMs);
  const [code]: unknown[] = await once(child, 'close');
  clearInterval(looking);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${told}`);
  const memory: { [program: string]: number } = { command: own.megabytes };
  for (const { pids } of services)
    for (const [program, pid] of Object.entries(pids))
      memory[program] = Math.max(memory[program] ?? 0, Math.round(largestMemoryOf(pid)));
  return {
    name,
    seconds: (performance.now() - started) / 1000,
    processor: (await used()) - before + own.seconds,
    memory,
  };
}

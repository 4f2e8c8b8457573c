// How long anything may have to wait in the API process: the delay of its event loop while a batch is uploaded to it and imported by a
// worker process, and while nothing is asked. Processes as in production; BENCH_IMPORT sets the number of records.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { findingAidBytes } from '../support/make/finding-aid.ts';
import type { BenchRow } from './bench.ts';
import { onOwnServer, rounded } from './bench.ts';
import { connectClient } from './processes/client.ts';
import type { Running } from './processes/spawn.ts';
import { startProcess } from './processes/spawn.ts';

const records = Number(process.env['BENCH_IMPORT'] ?? 100_000);
const idleSeconds = 10;
const targetMs = 20;

type Delay = { readonly p50: number; readonly p99: number; readonly longest: number };

/** Measures; about as long as the import takes. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url, folder }) => {
    const environment = { DATABASE_URL: url, MUNIMENT_DATA_DIR: folder };
    await using api = await startProcess('apps/api/main.ts', environment, [
      '--import',
      new URL('processes/loop-probe.ts', import.meta.url).href,
    ]);
    await using _worker = await startProcess('apps/worker/main.ts', environment);
    const client = await connectClient(api.url);
    const repository = await client.post('/repositories', { repo_code: 'loop', name: 'Repository of the benchmark' });
    const repoId = Number(repository['id']);
    // What is compiled and prepared once is not what is asked here.
    await client.importBatch(repoId, findingAidBytes(repoId, 'warm', 1000));
    await delayOf(api);
    await sleep(idleSeconds * 1000);
    const idle = await delayOf(api);
    const started = performance.now();
    await client.importBatch(repoId, findingAidBytes(repoId, 'main', records));
    const seconds = (performance.now() - started) / 1000;
    const importing = await delayOf(api);
    return [
      held(`event loop of the API, p99, while ${records} components are imported`, importing.p99),
      { name: 'the same, longest single delay', value: rounded(importing.longest), unit: 'ms' },
      held('event loop of the API, p99, idle', idle.p99),
      { name: 'time of that import, upload included', value: rounded(seconds), unit: 's' },
    ];
  });
}

const held = (name: string, ms: number): BenchRow => ({
  name,
  value: rounded(ms),
  unit: 'ms',
  target: targetMs,
  pass: ms < targetMs,
});

/** The delays since the last time they were asked for, in milliseconds. */
async function delayOf(process: Running): Promise<Delay> {
  const answer = once(process.child, 'message');
  process.child.send('loop_delay');
  // What processes/loop-probe.ts sends.
  const [delay] = (await answer) as [Delay];
  return delay;
}

if (import.meta.main) console.table(await run());

// Queue depth, index lag and fan-out at a hundred times a load that was measured: what each sort of work costs alone, a minute of them all as Poisson has it, the same
// minute simulated with those costs, and then ten and a hundred times that load on installations that no machine here is. API, worker and PostgreSQL are processes of
// their own. BENCH_SECONDS sets how long the load is (60), BENCH_ROUNDS how often each sort is done alone (15), BENCH_SEED the chance of both.
import { availableParallelism } from 'node:os';
import { Database } from '#store/connection/database.ts';
import type { BenchRow } from './bench.ts';
import { onOwnServer } from './bench.ts';
import { poissonArrivals } from './load-model/arrivals.ts';
import type { Idle, Measured } from './load-model/calibrate.ts';
import { calibrate, measureIdle, untilAtRest } from './load-model/calibrate.ts';
import type { TakenOf } from './load-model/costs.ts';
import { claimSecondsOf, lanesOf, loadNames, sortsOf } from './load-model/costs.ts';
import { measureFreeCores } from './load-model/free-cores.ts';
import { comparedRows, costRows, grownRows } from './load-model/rows.ts';
import { plant } from './load-model/service.ts';
import { simulate } from './load-model/simulate.ts';
import type { Installation } from './load-model/sorts.ts';
import { runTrace } from './load-model/trace.ts';
import { connectClient } from './processes/client.ts';
import { startProcess } from './processes/spawn.ts';

const seconds = Number(process.env['BENCH_SECONDS'] ?? 60);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 15);
const seed = Number(process.env['BENCH_SEED'] ?? 1);
const sampleSeconds = 0.25;
/** Jobs that a worker runs at once as shipped (MUNIMENT_WORKER_CONCURRENCY). */
const slots = 4;

/** Measures and simulates; some four minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url, folder }) => {
    const settings = {
      DATABASE_URL: url,
      MUNIMENT_DATA_DIR: folder,
      MUNIMENT_WORKER_CONCURRENCY: String(slots),
      MUNIMENT_JOB_WAIT_SECONDS: '3600',
    };
    await using api = await startProcess('apps/api/main.ts', settings);
    await using worker = await startProcess('apps/worker/main.ts', settings);
    await using database = new Database({ url, poolSize: 4 });
    return await measure({ database, api, worker });
  });
}

async function measure(measured: Measured): Promise<readonly BenchRow[]> {
  const client = await connectClient(measured.api.url);
  const work = await plant(client);
  await untilAtRest(measured.database);
  await measured.database.withClient((connection) => connection.query('VACUUM (ANALYZE)'));
  const idling = await measureIdle(measured, 5);
  const take = (name: keyof TakenOf) => calibrate(measured, work, name, rounds, idling);
  const taken: TakenOf = {
    note: await take('note'),
    component: await take('component'),
    heading: await take('heading'),
    publication: await take('publication'),
    import: await take('import'),
  };
  const sorts = sortsOf(taken);
  const arrivals = poissonArrivals(sorts, seconds, seed);
  const freeBefore = await measureFreeCores(2);
  const traced = await runTrace(measured, work, loadNames, arrivals, { seconds, sampleSeconds });
  const freeCores = (freeBefore + (await measureFreeCores(2))) / 2;
  const installation = installationOf(taken, idling.idle);
  const simulated = simulate({ sorts, installation, seconds, seed, arrivals, sampleSeconds });
  return [
    ...costRows(taken, idling.idle),
    ...comparedRows(sorts, { arrivals: arrivals.length, freeCores }, traced, simulated),
    ...grownRows(sorts, installation, idling.idle.server, seed),
  ];
}

/** The machine that was measured, as if nobody else were on it: all processes on its cores, of which the idle service has its part. */
const installationOf = (taken: TakenOf, idle: Idle): Installation => ({
  workers: 1,
  slots,
  claimSeconds: claimSecondsOf(taken),
  workerCores: 2,
  databaseCores: availableParallelism() - idle.api - idle.worker - idle.server,
  isOneMachine: true,
  lanes: lanesOf(taken),
});

if (import.meta.main) console.table(await run());

// What the bench prints: costs, measured beside simulated, and what larger loads need.
import type { BenchRow } from '../bench.ts';
import { rounded } from '../bench.ts';
import { demandPerHour, grown } from './arrivals.ts';
import type { Idle, Taken } from './calibrate.ts';
import type { TakenOf } from './costs.ts';
import type { Tried, Trying } from './growth.ts';
import { busiestOf, fullAt, growUntilHeld, tryOut } from './growth.ts';
import type { Simulated } from './simulate.ts';
import type { Installation, Sort } from './sorts.ts';
import type { Summary } from './summary.ts';
import type { Traced } from './trace.ts';

/** What is to hold at any load. */
const limits = { waitSeconds: 2, lagSeconds: 5 };
const grownSeconds = 300;

/** What each sort of work took alone. */
export function costRows(taken: TakenOf, idle: Idle): readonly BenchRow[] {
  const ms = (name: string, seconds: number): BenchRow => ({ name, value: rounded(seconds * 1000), unit: 'ms' });
  const of = ([name, { done, claimSeconds, indexing, records }]: [string, Taken]): readonly BenchRow[] => [
    ms(`${name}, alone: until the reply`, done.wall),
    ...(claimSeconds === 0 ? [] : [ms(`${name}: of that until its job is claimed`, claimSeconds)]),
    ms(
      `${name}: processor of ${claimSeconds === 0 ? 'the API' : 'the worker'}`,
      claimSeconds === 0 ? done.api : done.worker,
    ),
    ms(`${name}: processor of PostgreSQL`, done.server),
    { name: `${name}: records that become pending`, value: rounded(records), unit: 'records' },
    ms(`${name}: from the reply until they are indexed`, indexing.wall),
    ms(`${name}: processor of the worker for that`, indexing.worker),
    ms(`${name}: processor of PostgreSQL for that`, indexing.server),
  ];
  return [
    ...Object.entries(taken).flatMap(of),
    {
      name: 'the idle service: API, worker and PostgreSQL',
      value: rounded(idle.api + idle.worker + idle.server),
      unit: 'cores',
    },
  ];
}

/** The same trace measured (baseline) and simulated (value); the ratio is simulated ÷ measured. */
export function comparedRows(
  sorts: readonly Sort[],
  { arrivals, freeCores }: { readonly arrivals: number; readonly freeCores: number },
  traced: Traced,
  simulated: Simulated,
): readonly BenchRow[] {
  const row = (name: string, unit: string, value: number, baseline: number): BenchRow => ({
    name,
    value: rounded(value),
    unit,
    baseline: rounded(baseline),
    ...(baseline === 0 ? {} : { ratio: rounded(value / baseline) }),
  });
  const summary = (name: string, unit: string, now: Summary, then: Summary): readonly BenchRow[] =>
    (['mean', 'median', 'p95', 'max'] as const).map((which) =>
      row(`${name}, ${which}: simulated, against measured`, unit, now[which], then[which]),
    );
  return [
    { name: 'what came in the trace', value: arrivals, unit: 'pieces of work' },
    ...summary('jobs that wait', 'jobs', simulated.queueDepth, traced.queueDepth),
    ...summary('wait of a job', 's', simulated.waitSeconds, traced.waitSeconds),
    ...summary('pending records', 'records', simulated.pending, traced.pending),
    ...summary('lag of the index', 's', simulated.lagSeconds, traced.lagSeconds),
    ...sorts.map(({ name }, at) =>
      row(
        `${name}, until it has ended, mean: simulated, against measured`,
        's',
        simulated.sorts[at]?.sojournSeconds.mean ?? Number.NaN,
        traced.sojournSeconds[at]?.mean ?? Number.NaN,
      ),
    ),
    row(
      'cores of the machine at work for the service: simulated, against measured',
      'cores',
      simulated.busyDatabaseCores,
      traced.serviceCores,
    ),
    {
      name: 'cores that were to be had beside others, before and after',
      value: rounded(freeCores),
      unit: 'cores',
    },
    {
      name: 'processes that wanted a core meanwhile, of all on the machine',
      value: rounded(traced.machineLoad),
      unit: 'processes',
    },
    row('until all is done and indexed: simulated, against measured', 's', simulated.endedAt, traced.untilDone),
  ];
}

/** Ten and a hundred times the load, on workers of two cores each and a database of its own. */
export function grownRows(
  sorts: readonly Sort[],
  measured: Installation,
  idleServerCores: number,
  seed: number,
): readonly BenchRow[] {
  const small: Installation = { ...measured, isOneMachine: false, workers: 1, workerCores: 2, databaseCores: 2 };
  const full = fullAt(sorts, small).map(([name, times]): BenchRow => ({
    name: `one worker of two cores, two cores of the database: full with so many times the load: ${name}`,
    value: rounded(times),
    unit: '×',
  }));
  const larger = [10, 100].flatMap((times) => {
    const of = (targetTimes: number): Trying => ({
      sorts: grown(sorts, times, targetTimes),
      seconds: grownSeconds,
      seed,
      limits,
      idleDatabaseCores: idleServerCores,
    });
    const first = tryOut(small, of(times));
    const same = growUntilHeld(small, of(1));
    const more = growUntilHeld(small, of(times));
    const demand = demandPerHour(of(times).sorts);
    return [
      {
        name: `${times}×: cores that the work asks for, of workers`,
        value: rounded(demand.worker / 3600),
        unit: 'cores',
      },
      {
        name: `${times}×: cores that the work asks for, of the database`,
        value: rounded(demand.database / 3600),
        unit: 'cores',
      },
      ...told(`${times}×, one worker of two cores, two cores of the database`, first),
      ...leastRows(`${times}×, trees and repositories as they are`, same),
      ...leastRows(`${times}×, ${times} times the trees and repositories`, more),
    ];
  });
  return [...full, ...larger];
}

function told(name: string, { result }: Tried): readonly BenchRow[] {
  const { name: station, share } = busiestOf(result);
  const limited = (what: string, summary: Summary, limit: number): BenchRow => ({
    name: `${name}: ${what}, p95`,
    value: rounded(summary.count === 0 ? 0 : summary.p95),
    unit: 's',
    target: limit,
    pass: !(summary.p95 > limit),
  });
  return [
    { name: `${name}: busiest is ${station}`, value: rounded(share), unit: 'of its time' },
    limited('wait of a job', result.waitSeconds, limits.waitSeconds),
    limited('lag of the index', result.lagSeconds, limits.lagSeconds),
    { name: `${name}: lag of single changes, p95`, value: rounded(result.singleLagSeconds.p95), unit: 's' },
    { name: `${name}: jobs that wait, p95`, value: rounded(result.queueDepth.p95), unit: 'jobs' },
    { name: `${name}: pending records, p95`, value: rounded(result.pending.p95), unit: 'records' },
  ];
}

function leastRows(name: string, { path, least }: ReturnType<typeof growUntilHeld>): readonly BenchRow[] {
  const last = path.at(-1);
  if (least === null)
    return last === undefined ? [] : told(`${name}: held by nothing, tried up to ${sizeOf(last)}`, last);
  return told(`${name}: the least that holds, ${sizeOf(least)}`, least);
}

const sizeOf = ({ installation: { workers, databaseCores } }: Tried): string =>
  `${workers} ${workers === 1 ? 'worker' : 'workers'} and ${databaseCores} cores of the database`;

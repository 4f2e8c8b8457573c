// A simulation of the service under load, event by event: jobs in mailboxes at workers, a database that all share, and the indexer behind them.
// Nothing of it reads a clock or chance: the same seed, or the same arrivals, give the same numbers.
import { seededRandom } from '../../support/random.ts';
import type { Window } from './agenda.ts';
import { createAgenda } from './agenda.ts';
import type { Arrival } from './arrivals.ts';
import { drawn, poissonArrivals } from './arrivals.ts';
import { createIndexLane } from './index-lanes.ts';
import { createJobQueue } from './mailboxes.ts';
import { createProcessor } from './processor.ts';
import type { Fanout, Installation, Sort } from './sorts.ts';
import type { Summary } from './summary.ts';
import { summaryOf } from './summary.ts';

/**
 * What is simulated, over `seconds` of arrivals; then all that came is done to its end. `arrivals`: in place of those of the seed. Of the first
 * `warmUpSeconds` nothing counts. Depth and lag are looked at every `sampleSeconds`.
 */
export type Scenario = {
  readonly sorts: readonly Sort[];
  readonly installation: Installation;
  readonly seconds: number;
  readonly seed: number;
  readonly arrivals?: readonly Arrival[];
  readonly warmUpSeconds?: number;
  readonly sampleSeconds?: number;
};

/** What came of one sort: how many arrived and ended in all; of those that counted the seconds in the queue, and from the arrival to the end. */
type SortResult = {
  readonly name: string;
  readonly arrived: number;
  readonly ended: number;
  readonly waitSeconds: Summary;
  readonly sojournSeconds: Summary;
};

/** Shares of the window from 0 to 1 in which the places or cores of a station were at work, and its loops at work on full batches. The database's is that of the machine where all is on one; `workerCores` and `databaseCores` are 0 where there are cores without end. */
type Utilisation = {
  readonly slots: number;
  readonly workerCores: number;
  readonly databaseCores: number;
  readonly singleLoops: number;
  readonly bulkLoops: number;
};

/**
 * What came of a simulation: jobs that wait, seconds that jobs waited, records that are pending, seconds that the oldest of them has waited, and that of
 * single changes. `busiestMailbox`: that in which a job ran for the largest share of the window. `endedAt`: when all was done.
 */
export type Simulated = {
  readonly queueDepth: Summary;
  readonly waitSeconds: Summary;
  readonly pending: Summary;
  readonly lagSeconds: Summary;
  readonly singleLagSeconds: Summary;
  readonly sorts: readonly SortResult[];
  readonly utilisation: Utilisation;
  readonly busiestMailbox: { readonly name: string; readonly share: number } | null;
  readonly busyDatabaseCores: number;
  readonly recordsIndexed: number;
  readonly recordsLeft: number;
  readonly endedAt: number;
};

type Told = { arrived: number; ended: number; readonly waits: number[]; readonly sojourns: number[] };
type Seen = { readonly [what in 'depth' | 'pending' | 'lag' | 'singleLag']: number[] };

/** Simulates. */
export function simulate(scenario: Scenario): Simulated {
  const { sorts, installation, seconds, seed, warmUpSeconds = 0, sampleSeconds = 0.25 } = scenario;
  const { workers, slots, workerCores, databaseCores, isOneMachine, lanes, claimSeconds } = installation;
  const agenda = createAgenda();
  const window: Window = { from: warmUpSeconds, to: seconds };
  const random = seededRandom(seed);
  const database = createProcessor(agenda, databaseCores, window);
  const worker = isOneMachine ? database : createProcessor(agenda, workers * workerCores, window);
  const api = isOneMachine ? database : createProcessor(agenda, Number.POSITIVE_INFINITY, window);
  const queue = createJobQueue(agenda, workers, slots, window);
  const stations = { worker, database, window };
  const single = createIndexLane(agenda, lanes.single, workers, stations);
  const bulk = createIndexLane(agenda, lanes.bulk, workers, stations);
  const told = sorts.map((): Told => ({ arrived: 0, ended: 0, waits: [], sojourns: [] }));
  let recordsIndexed = 0;
  let endedAt = 0;

  const makePending = (fanout: Fanout, target: number, name: string): void => {
    const records = Math.round(drawn(fanout.records, random));
    const lane = fanout.lane === 'single' ? single : bulk;
    lane.add({
      key: fanout.sets === null ? null : `${name}/${target % fanout.sets}`,
      records,
      workerSeconds: fanout.workerSeconds,
      databaseSeconds: fanout.databaseSeconds,
      indexed: (written) => {
        recordsIndexed += written;
        endedAt = agenda.now;
        if (fanout.afterwards !== undefined) makePending(fanout.afterwards, target, `${name}/afterwards`);
      },
    });
  };

  const arrive = ({ sort: at, target }: Arrival): void => {
    const [sort, result] = [sorts[at], told[at]];
    if (sort === undefined || result === undefined) throw new Error(`no sort ${at}`);
    const arrivedAt = agenda.now;
    const counts = arrivedAt >= window.from;
    result.arrived += 1;
    const cost = {
      held: drawn(sort.cost.heldSeconds, random),
      worker: drawn(sort.cost.workerSeconds, random),
      database: drawn(sort.cost.databaseSeconds, random),
    };
    const run = (ended: () => void): void => {
      if (counts) result.waits.push(agenda.now - arrivedAt);
      const computing = sort.job === null ? api : worker;
      agenda.after(cost.held, () =>
        computing.take(cost.worker, () =>
          database.take(cost.database, () => {
            result.ended += 1;
            endedAt = agenda.now;
            if (counts) result.sojourns.push(agenda.now - arrivedAt);
            sort.pending.forEach((fanout, n) => makePending(fanout, target, `${sort.name}/${n}`));
            ended();
          }),
        ),
      );
    };
    if (sort.job === null) run(() => undefined);
    else
      queue.enqueue({
        mailbox: `${sort.job.mailbox}/${target}`,
        isLong: sort.job.isLong,
        run: (ended) => agenda.after(claimSeconds, () => run(ended)),
      });
  };

  const arrivals = scenario.arrivals ?? poissonArrivals(sorts, seconds, seed);
  // One after another, so that what is to happen is not as long as all that will ever come.
  const follow = (at: number): void => {
    const arrival = arrivals[at];
    if (arrival === undefined) return;
    agenda.after(arrival.at - agenda.now, () => {
      arrive(arrival);
      follow(at + 1);
    });
  };
  follow(0);

  const seen: Seen = { depth: [], pending: [], lag: [], singleLag: [] };
  const look = (): void => {
    if (agenda.now > seconds) return;
    if (agenda.now >= window.from) {
      seen.depth.push(queue.depth);
      seen.pending.push(single.pending + bulk.pending);
      seen.lag.push(Math.max(single.oldestSeconds, bulk.oldestSeconds));
      seen.singleLag.push(single.oldestSeconds);
    }
    agenda.after(sampleSeconds, look);
  };
  agenda.after(sampleSeconds / 2, look);
  agenda.run();

  const share = (busy: number, of: number): number => (Number.isFinite(of) ? busy / of : 0);
  return {
    queueDepth: summaryOf(seen.depth),
    waitSeconds: summaryOf(told.flatMap(({ waits }, at) => (sorts[at]?.job === null ? [] : waits))),
    pending: summaryOf(seen.pending),
    lagSeconds: summaryOf(seen.lag),
    singleLagSeconds: summaryOf(seen.singleLag),
    sorts: told.map(({ arrived, ended, waits, sojourns }, at) => ({
      name: sorts[at]?.name ?? '',
      arrived,
      ended,
      waitSeconds: summaryOf(waits),
      sojournSeconds: summaryOf(sojourns),
    })),
    utilisation: {
      slots: share(queue.busySlots(), workers * slots),
      workerCores: share(worker.busyCores(), worker.cores),
      databaseCores: share(database.busyCores(), database.cores),
      singleLoops: share(single.fullLoops(), workers * lanes.single.loops),
      bulkLoops: share(bulk.fullLoops(), workers * lanes.bulk.loops),
    },
    busiestMailbox: queue.busiestMailbox(),
    busyDatabaseCores: database.busyCores(),
    recordsIndexed,
    recordsLeft: single.pending + bulk.pending,
    endedAt,
  };
}

// What an installation needs for a load: the smallest that holds two limits, found by giving more of what is short.
import { simulate } from './simulate.ts';
import type { Simulated } from './simulate.ts';
import type { Installation, Sort } from './sorts.ts';
import { demandPerHour, meanOf } from './arrivals.ts';

/** What is to hold, in seconds: the wait of jobs and the lag of the index, each at its 95th percentile. */
type Limits = { readonly waitSeconds: number; readonly lagSeconds: number };

/** What is tried: how long and with which seed, and what an idle worker takes of the database's cores. */
export type Trying = {
  readonly sorts: readonly Sort[];
  readonly seconds: number;
  readonly seed: number;
  readonly limits: Limits;
  readonly idleDatabaseCores: number;
};

/** An installation that was tried. */
export type Tried = { readonly installation: Installation; readonly result: Simulated; readonly holds: boolean };

/** Tries one installation. */
export function tryOut(installation: Installation, trying: Trying): Tried {
  const { sorts, seconds, seed, limits, idleDatabaseCores } = trying;
  const databaseCores = Math.max(0.1, installation.databaseCores - installation.workers * idleDatabaseCores);
  const result = simulate({
    sorts,
    installation: { ...installation, databaseCores },
    seconds,
    seed,
    warmUpSeconds: seconds / 10,
    sampleSeconds: 0.5,
  });
  const isWithin = (value: number, limit: number): boolean => !(value > limit);
  return {
    installation,
    result,
    holds: isWithin(result.waitSeconds.p95, limits.waitSeconds) && isWithin(result.lagSeconds.p95, limits.lagSeconds),
  };
}

/** The station with the least to spare, and the share of its time that it was at work (loops: on full batches). */
export function busiestOf({ utilisation, busiestMailbox }: Simulated): {
  readonly name: string;
  readonly share: number;
} {
  const stations: readonly (readonly [string, number])[] = [
    [`the mailbox ${busiestMailbox?.name ?? ''}`, busiestMailbox?.share ?? 0],
    ['the cores of the database', utilisation.databaseCores],
    ['the cores of the workers', utilisation.workerCores],
    ['places for jobs', utilisation.slots],
    ['the loops over single changes', utilisation.singleLoops],
    ['the loops over bulk', utilisation.bulkLoops],
  ];
  const [name, share] = stations.reduce((most, each) => (each[1] > most[1] ? each : most));
  return { name, share };
}

/** With how many times the load each station of an installation has no time left, the first to be so first; every record that becomes pending counted, whether it is so already or not. */
export function fullAt(sorts: readonly Sort[], installation: Installation): readonly (readonly [string, number])[] {
  const { workers, slots, workerCores, databaseCores } = installation;
  const { worker, database } = demandPerHour(sorts);
  const jobs = sorts.flatMap(({ name, perHour, targets, job, cost }) =>
    job === null
      ? []
      : [
          {
            name,
            targets,
            seconds: perHour * (meanOf(cost.heldSeconds) + meanOf(cost.workerSeconds) + meanOf(cost.databaseSeconds)),
          },
        ],
  );
  const stations: readonly (readonly [string, number])[] = [
    ['the cores of the database', (3600 * databaseCores) / database],
    ['the cores of the workers', (3600 * workers * workerCores) / worker],
    ['places for jobs', (3600 * workers * slots) / jobs.reduce((sum, { seconds }) => sum + seconds, 0)],
    ...jobs.map(({ name, targets, seconds }) => [`each mailbox of ${name}`, (3600 * targets) / seconds] as const),
  ];
  return stations.toSorted(([, a], [, b]) => a - b);
}

const most = { workers: 256, databaseCores: 1024 };

/**
 * Gives more workers or cores of the database, whichever has less to spare, until the limits hold; then takes away what is not needed. Gives what was tried on the
 * way up, and the least that holds; null where a mailbox is what is short, or nothing helps.
 */
export function growUntilHeld(
  from: Installation,
  trying: Trying,
): { readonly path: readonly Tried[]; readonly least: Tried | null } {
  const path: Tried[] = [];
  let next = from;
  for (;;) {
    const tried = tryOut(next, trying);
    path.push(tried);
    if (tried.holds) break;
    const { slots, workerCores, singleLoops, bulkLoops, databaseCores } = tried.result.utilisation;
    const ofWorkers = Math.max(slots, workerCores, singleLoops, bulkLoops);
    // With as much to spare as this, nothing but the order in a mailbox makes anybody wait.
    const isMailbox = Math.max(ofWorkers, databaseCores) < 0.7;
    if (isMailbox || next.workers >= most.workers || next.databaseCores >= most.databaseCores)
      return { path, least: null };
    // Loops are full because cores are: they count where these have something to spare.
    const isDatabase = databaseCores > Math.max(0.8, slots, workerCores);
    next = more(next, isDatabase ? 'databaseCores' : 'workers');
  }
  let least = path.at(-1) ?? null;
  // One less of each in turn, as long as it holds.
  for (const what of ['databaseCores', 'workers', 'databaseCores'] as const) {
    for (let smaller = lessOf(least, what); smaller !== null; smaller = lessOf(least, what)) {
      const tried = tryOut(smaller, trying);
      if (!tried.holds) break;
      least = tried;
    }
  }
  return { path, least };
}

type Grown = 'workers' | 'databaseCores';

const more = (installation: Installation, what: Grown): Installation => ({
  ...installation,
  [what]: Math.ceil(installation[what] * 1.5),
});

function lessOf(tried: Tried | null, what: Grown): Installation | null {
  if (tried === null || tried.installation[what] <= 1) return null;
  return { ...tried.installation, [what]: tried.installation[what] - 1 };
}

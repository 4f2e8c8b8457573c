// What comes when: amounts that vary, and arrivals by chance that can be repeated.
import { seededRandom } from '../../support/random.ts';
import type { Amount, Fanout, Sort } from './sorts.ts';

/** One amount; `random` gives numbers from 0 to 1. */
export function drawn(amount: Amount, random: () => number): number {
  if (typeof amount === 'number') return amount;
  if ('exponential' in amount) return -Math.log(1 - random()) * amount.exponential;
  return amount.oneOf[Math.floor(random() * amount.oneOf.length)] ?? 0;
}

/** Something that comes: `at` in seconds from the beginning, the place of its sort in their list, and which of the targets of that sort it concerns, from 0. */
export type Arrival = { readonly at: number; readonly sort: number; readonly target: number };

/** Arrivals of all sorts over some seconds, in the order of their times: each sort by itself as Poisson has it, which follows from the seed. */
export function poissonArrivals(sorts: readonly Sort[], seconds: number, seed: number): readonly Arrival[] {
  return sorts
    .flatMap(({ perHour, targets }, sort) => {
      // Each sort has a chance of its own, so that another rate of one leaves the others where they were.
      const random = seededRandom(seed * 1009 + sort);
      const arrivals: Arrival[] = [];
      const pause = (): number => drawn({ exponential: 3600 / perHour }, random);
      for (let at = pause(); at < seconds; at += pause())
        arrivals.push({
          at,
          sort,
          target: Number.isFinite(targets) ? Math.floor(random() * targets) : arrivals.length,
        });
      return arrivals;
    })
    .sort((a, b) => a.at - b.at);
}

/** The same sorts, so many times as often, on so many times as many targets. */
export function grown(sorts: readonly Sort[], times: number, targetTimes: number): readonly Sort[] {
  const more = ({ afterwards, ...fanout }: Fanout): Fanout => ({
    ...fanout,
    sets: fanout.sets === null ? null : fanout.sets * targetTimes,
    ...(afterwards === undefined ? {} : { afterwards: more(afterwards) }),
  });
  return sorts.map((sort) => ({
    ...sort,
    perHour: sort.perHour * times,
    targets: sort.targets * targetTimes,
    pending: sort.pending.map(more),
  }));
}

/** Seconds of cores that an hour of all sorts asks for, of workers (the API among them) and of the database, without what batches cost by themselves. */
export function demandPerHour(sorts: readonly Sort[]): { readonly worker: number; readonly database: number } {
  const sum = (of: (sort: Sort) => number): number => sorts.reduce((total, sort) => total + sort.perHour * of(sort), 0);
  const ofFanout = (fanout: Fanout, which: 'workerSeconds' | 'databaseSeconds'): number =>
    meanOf(fanout.records) * fanout[which] + (fanout.afterwards === undefined ? 0 : ofFanout(fanout.afterwards, which));
  const of = (which: 'workerSeconds' | 'databaseSeconds') => (sort: Sort) =>
    meanOf(sort.cost[which]) + sort.pending.reduce((total, fanout) => total + ofFanout(fanout, which), 0);
  return { worker: sum(of('workerSeconds')), database: sum(of('databaseSeconds')) };
}

/** What an amount is on average. */
export function meanOf(amount: Amount): number {
  if (typeof amount === 'number') return amount;
  if ('exponential' in amount) return amount.exponential;
  return amount.oneOf.reduce((sum, each) => sum + each, 0) / amount.oneOf.length;
}

// The simulation against what queueing theory says of stations that have a formula: whoever changes it wrongly is told by numbers that nobody here chose.
import { describe, expect, test } from 'vitest';
import { isLong } from '#test/support/long.ts';
import type { Simulated } from '../../../bench/load-model/simulate.ts';
import { simulate } from '../../../bench/load-model/simulate.ts';
import type { Amount, Cost, Installation, Sort } from '../../../bench/load-model/sorts.ts';

const lane = { loops: 1, batch: 100, heldSeconds: 0, workerSeconds: 0, databaseSeconds: 0 };
const installation: Installation = {
  workers: 1,
  slots: 1,
  claimSeconds: 0,
  workerCores: Number.POSITIVE_INFINITY,
  databaseCores: Number.POSITIVE_INFINITY,
  isOneMachine: false,
  lanes: { single: lane, bulk: lane },
};
const nothing: Cost = { heldSeconds: 0, workerSeconds: 0, databaseSeconds: 0 };
const job: Sort = {
  name: 'job',
  perHour: 3600,
  targets: Number.POSITIVE_INFINITY,
  job: { mailbox: 'own', isLong: false },
  cost: nothing,
  pending: [],
};

/** So many arrivals a second, each of which takes a second of what is given, on so many places or cores. */
function ofOneSort(
  perSecond: number,
  sort: Partial<Sort>,
  changed: Partial<Installation> = {},
  seconds = 60_000,
): Simulated {
  return simulate({
    sorts: [{ ...job, ...sort, perHour: perSecond * 3600 }],
    installation: { ...installation, ...changed },
    seconds,
    seed: 7,
    warmUpSeconds: 1000,
    sampleSeconds: 1,
  });
}

/** The probability that who comes has to wait at `servers` that are asked for `load` of them (Erlang C). */
function erlangC(servers: number, load: number): number {
  let [term, sum] = [1, 1];
  for (let n = 1; n < servers; n++) {
    term *= load / n;
    sum += term;
  }
  const last = ((term * load) / servers) * (servers / (servers - load));
  return last / (sum + last);
}

/** Within so many hundredths of what is expected. */
function expectNear(value: number, expected: number, hundredths = 6): void {
  expect(Math.abs(value / expected - 1) * 100, `${value} against ${expected}`).toBeLessThan(hundredths);
}

const varied: Amount = { exponential: 1 };

// At half of what can be done little waits, so a fault shows less: that load is for long runs.
const loads = isLong ? [0.5, 0.8] : [0.8];

describe('queueing theory', () => {
  test.each(loads)('M/M/1: one place, times that vary, at %d of what it can do', (load) => {
    const { waitSeconds, queueDepth, utilisation } = ofOneSort(load, { cost: { ...nothing, heldSeconds: varied } });
    expectNear(waitSeconds.mean, load / (1 - load), 8);
    expectNear(queueDepth.mean, load ** 2 / (1 - load), 8);
    expectNear(utilisation.slots, load, 3);
    // Who waits at all waits exponentially: the percentile follows from the mean.
    expectNear(waitSeconds.p95, Math.log(load / 0.05) / (1 - load), 8);
  });

  test.each(loads)('M/D/1: one place, the same time for each, at %d of what it can do', (load) => {
    const { waitSeconds, queueDepth } = ofOneSort(load, { cost: { ...nothing, heldSeconds: 1 } });
    expectNear(waitSeconds.mean, load / (2 * (1 - load)), 6);
    expectNear(queueDepth.mean, load ** 2 / (2 * (1 - load)), 6);
  });

  test('M/M/c: places of several workers serve one queue (Erlang C)', () => {
    const { waitSeconds, utilisation } = ofOneSort(
      3.4,
      { cost: { ...nothing, heldSeconds: varied } },
      { workers: 2, slots: 2 },
    );
    expectNear(waitSeconds.mean, erlangC(4, 3.4) / (4 - 3.4), 8);
    expectNear(utilisation.slots, 0.85, 3);
  });

  test.each<[string, Amount]>([
    ['M/M/1-PS', varied],
    ['M/D/1-PS', 1],
  ])('%s: a core that all share, whatever the times vary', (_, databaseSeconds) => {
    const { sorts, utilisation } = ofOneSort(
      0.7,
      { job: null, cost: { ...nothing, databaseSeconds } },
      { databaseCores: 1 },
    );
    expectNear(sorts[0]?.sojournSeconds.mean ?? Number.NaN, 1 / (1 - 0.7), 6);
    expectNear(utilisation.databaseCores, 0.7, 3);
  });

  test('several cores that all share: nobody has more than one', () => {
    const { sorts } = ofOneSort(
      2.4,
      { job: null, cost: { ...nothing, databaseSeconds: varied } },
      { databaseCores: 3 },
    );
    // As many are there as at as many places with one queue.
    expectNear(sorts[0]?.sojournSeconds.mean ?? Number.NaN, 1 + erlangC(3, 2.4) / (3 - 2.4), 6);
  });

  test('places that are enough leave the mailbox: M/M/1, whatever the places', () => {
    const { waitSeconds, busiestMailbox, utilisation } = ofOneSort(
      0.6,
      { targets: 1, cost: { ...nothing, heldSeconds: varied } },
      { workers: 2, slots: 4 },
    );
    expectNear(waitSeconds.mean, 0.6 / 0.4, 6);
    expectNear(busiestMailbox?.share ?? Number.NaN, 0.6, 3);
    expectNear(utilisation.slots, 0.6 / 8, 3);
  });

  test('what waits is what comes times how long it waits (Little), with several sorts', () => {
    const { queueDepth, waitSeconds } = simulate({
      sorts: [
        { ...job, name: 'short', perHour: 3600 * 0.4, cost: { ...nothing, heldSeconds: { oneOf: [0.1, 0.5, 2] } } },
        { ...job, name: 'long', perHour: 3600 * 0.1, targets: 3, cost: { ...nothing, databaseSeconds: varied } },
      ],
      installation: { ...installation, databaseCores: 1 },
      seconds: 100_000,
      seed: 3,
      sampleSeconds: 0.5,
    });
    expectNear(queueDepth.mean, (waitSeconds.mean * waitSeconds.count) / 100_000, 3);
  });
});

describe('a whole installation', () => {
  const pending = { lane: 'bulk', workerSeconds: 0.001, databaseSeconds: 0.002, sets: null } as const;
  const sorts: readonly Sort[] = [
    {
      ...job,
      name: 'save',
      perHour: 7200,
      job: null,
      cost: { ...nothing, databaseSeconds: 0.02 },
      pending: [{ ...pending, lane: 'single', records: 1, afterwards: { ...pending, records: 30 } }],
    },
    {
      ...job,
      name: 'import',
      perHour: 360,
      targets: 2,
      cost: { ...nothing, workerSeconds: { exponential: 2 } },
      pending: [{ ...pending, records: 200 }],
    },
  ];
  const scenario = {
    sorts,
    installation: { ...installation, workerCores: 2, databaseCores: 2 },
    seconds: 600,
    seed: 11,
  };

  test('ends all that comes, and indexes all of it once', () => {
    const result = simulate(scenario);
    const [saves, imports] = result.sorts.map(({ arrived }) => arrived);
    expect(result.sorts.map(({ ended }) => ended)).toEqual([saves, imports]);
    expect(imports).toBeGreaterThan(30);
    expect(result.recordsLeft).toBe(0);
    expect(result.recordsIndexed).toBe((saves ?? 0) * 31 + (imports ?? 0) * 200);
    expect(result.endedAt).toBeGreaterThan(590);
  });

  test('ends all of it, too, where far more comes than can be done', () => {
    const result = simulate({
      ...scenario,
      seconds: 60,
      sorts: sorts.map((sort) => ({ ...sort, perHour: sort.perHour * 50 })),
    });
    expect(result.sorts.every(({ arrived, ended }) => arrived === ended && arrived > 100)).toBe(true);
    expect(result.recordsLeft).toBe(0);
    expect(result.endedAt).toBeGreaterThan(120);
    expect(result.utilisation.slots).toBeGreaterThan(0.95);
  });

  test('is the same for the same seed, and another for another', () => {
    expect(simulate(scenario)).toEqual(simulate(scenario));
    expect(simulate({ ...scenario, seed: 12 }).waitSeconds).not.toEqual(simulate(scenario).waitSeconds);
  });

  test('shares one machine among all, or gives workers and database what is theirs', () => {
    const [apart, together] = [false, true].map((isOneMachine) =>
      simulate({ ...scenario, installation: { ...scenario.installation, isOneMachine } }),
    );
    const { workerCores = 0, databaseCores = 0 } = apart?.utilisation ?? {};
    // Of the same two cores both ask for their part.
    expectNear(together?.utilisation.databaseCores ?? Number.NaN, workerCores + databaseCores, 2);
  });
});

test('takes arrivals that are given: what is in one mailbox goes in order, mailboxes beside each other', () => {
  const arrivals = [0, 0, 1, 1, 1].map((target) => ({ at: 5, sort: 0, target }));
  const { sorts } = simulate({
    sorts: [{ ...job, cost: { ...nothing, heldSeconds: 2 } }],
    installation: { ...installation, slots: 4 },
    seconds: 20,
    seed: 1,
    arrivals,
  });
  expect(sorts[0]?.waitSeconds).toEqual({ count: 5, mean: 8 / 5, median: 2, p95: 4, max: 4 });
});

test('records that several targets share are indexed once while they are pending', () => {
  const fanout = { lane: 'single', workerSeconds: 0, databaseSeconds: 0, records: 10 } as const;
  const indexedOf = (sets: number | null): number =>
    simulate({
      sorts: [{ ...job, job: null, pending: [{ ...fanout, sets }] }],
      installation: { ...installation, lanes: { single: { ...lane, heldSeconds: 5 }, bulk: lane } },
      seconds: 20,
      seed: 1,
      arrivals: [0, 1, 2, 3, 4, 5].map((target) => ({ at: 1, sort: 0, target })),
    }).recordsIndexed;
  expect(indexedOf(null)).toBe(60);
  expect(indexedOf(6)).toBe(60);
  // The first is being indexed when the others come.
  expect(indexedOf(2)).toBe(30);
  expect(indexedOf(1)).toBe(20);
});

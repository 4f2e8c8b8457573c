// Arrivals by chance: as many, as spread, and the same for the same seed.
import { expect, test } from 'vitest';
import { demandPerHour, drawn, grown, poissonArrivals } from '../../../bench/load-model/arrivals.ts';
import { seededRandom } from '../../../support/random.ts';
import type { Sort } from '../../../bench/load-model/sorts.ts';

const sort: Sort = {
  name: 'save',
  perHour: 3600,
  targets: 5,
  job: null,
  cost: { heldSeconds: 9, workerSeconds: { oneOf: [1, 2] }, databaseSeconds: { exponential: 0.5 } },
  pending: [
    {
      lane: 'single',
      records: 2,
      workerSeconds: 0.1,
      databaseSeconds: 0.2,
      sets: 5,
      afterwards: { lane: 'bulk', records: 10, workerSeconds: 0.01, databaseSeconds: 0.02, sets: 5 },
    },
  ],
};

test('arrivals are Poisson: counts of seconds vary as much as their mean, and follow from the seed', () => {
  const arrivals = poissonArrivals([sort, { ...sort, perHour: 7200 }], 20_000, 5);
  expect(poissonArrivals([sort], 100, 5)).toEqual(poissonArrivals([sort], 100, 5));
  expect(poissonArrivals([sort], 100, 5)).not.toEqual(poissonArrivals([sort], 100, 6));
  expect(arrivals.every(({ at }, n) => at >= (arrivals[n - 1]?.at ?? 0) && at < 20_000)).toBe(true);
  const counts = Array.from({ length: 20_000 }, () => 0);
  for (const { at } of arrivals) counts[Math.floor(at)] = (counts[Math.floor(at)] ?? 0) + 1;
  const mean = arrivals.length / 20_000;
  expect(Math.abs(mean / 3 - 1)).toBeLessThan(0.03);
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length;
  expect(Math.abs(variance / mean - 1)).toBeLessThan(0.05);
});

test('targets are each as likely; without a number of them each is another', () => {
  const counts = [0, 0, 0, 0, 0];
  for (const { target } of poissonArrivals([sort], 10_000, 2)) counts[target] = (counts[target] ?? 0) + 1;
  expect(counts.every((count) => Math.abs(count / 2000 - 1) < 0.1)).toBe(true);
  const each = poissonArrivals([{ ...sort, targets: Number.POSITIVE_INFINITY }], 100, 2);
  expect(each.map(({ target }) => target)).toEqual(each.map((_, n) => n));
});

test('another rate of one sort leaves the arrivals of others where they were', () => {
  const of = (perHour: number): readonly number[] =>
    poissonArrivals([{ ...sort, perHour }, sort], 100, 3).flatMap(({ at, sort: which }) => (which === 1 ? [at] : []));
  expect(of(10)).toEqual(of(9000));
});

test('amounts are as they say on average', () => {
  const random = seededRandom(1);
  const mean = (amount: Parameters<typeof drawn>[0]): number =>
    Array.from({ length: 40_000 }, () => drawn(amount, random)).reduce((sum, value) => sum + value, 0) / 40_000;
  expect(mean(3)).toBe(3);
  expect(Math.abs(mean({ exponential: 3 }) / 3 - 1)).toBeLessThan(0.03);
  expect(Math.abs(mean({ oneOf: [1, 2, 6] }) / 3 - 1)).toBeLessThan(0.03);
});

test('what an hour asks for is the work with all that it makes pending, and grows with the rate', () => {
  expect(demandPerHour([sort])).toEqual({ worker: 3600 * (1.5 + 0.2 + 0.1), database: 3600 * (0.5 + 0.4 + 0.2) });
  const [ten] = grown([sort], 10, 2);
  expect([ten?.perHour, ten?.targets]).toEqual([36_000, 10]);
  expect([ten?.pending[0]?.sets, ten?.pending[0]?.afterwards?.sets]).toEqual([10, 10]);
});

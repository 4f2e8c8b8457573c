// What a load needs: which station is full first, and the least installation that holds.
import { expect, test } from 'vitest';
import { busiestOf, fullAt, growUntilHeld } from '../../../bench/load-model/growth.ts';
import type { Installation, Sort } from '../../../bench/load-model/sorts.ts';

const lane = { loops: 3, batch: 100, heldSeconds: 0, workerSeconds: 0, databaseSeconds: 0 };
const installation: Installation = {
  workers: 1,
  slots: 2,
  claimSeconds: 0,
  workerCores: 2,
  databaseCores: 2,
  isOneMachine: false,
  lanes: { single: lane, bulk: lane },
};
/** One a second, each of which takes half a second of a worker and two of the database. */
const sort: Sort = {
  name: 'job',
  perHour: 3600,
  targets: 5,
  job: { mailbox: 'tree', isLong: false },
  cost: { heldSeconds: 0, workerSeconds: 0.5, databaseSeconds: 2 },
  pending: [{ lane: 'bulk', records: 10, workerSeconds: 0.05, databaseSeconds: 0.1, sets: null }],
};
const trying = {
  sorts: [sort],
  seconds: 600,
  seed: 1,
  limits: { waitSeconds: 2, lagSeconds: 5 },
  idleDatabaseCores: 0,
};

test('stations are full in the order of what is asked of them', () => {
  expect(fullAt([sort], installation)).toEqual([
    ['the cores of the database', 2 / 3],
    ['places for jobs', 2 / 2.5],
    ['the cores of the workers', 2],
    ['each mailbox of job', 5 / 2.5],
  ]);
});

test('gives more of what is short until the limits hold, and takes away what is not needed', () => {
  const { path, least } = growUntilHeld(installation, { ...trying, sorts: [{ ...sort, targets: 500 }] });
  expect(path[0]?.holds).toBe(false);
  expect(least?.holds).toBe(true);
  // Three cores of the database are asked for and two and a half places: a little more has to be there.
  expect(least?.installation.databaseCores).toBeGreaterThan(3);
  expect(least?.installation.databaseCores).toBeLessThan(8);
  expect(least?.installation.workers).toBeGreaterThan(1);
  expect(least?.installation.workers).toBeLessThan(5);
});

test('says so where nothing but the order in a mailbox is short', () => {
  const { path, least } = growUntilHeld(installation, { ...trying, sorts: [{ ...sort, targets: 1 }] });
  expect(least).toBeNull();
  const last = path.at(-1);
  expect(last === undefined ? null : busiestOf(last.result).name).toBe('the mailbox tree/0');
});

// The lanes of the simulated index by themselves: batches, what is pending already, and who goes beside whom.
import { expect, test } from 'vitest';
import type { Agenda } from '../../../bench/load-model/agenda.ts';
import { createAgenda } from '../../../bench/load-model/agenda.ts';
import type { IndexLane } from '../../../bench/load-model/index-lanes.ts';
import { createIndexLane } from '../../../bench/load-model/index-lanes.ts';
import { createProcessor } from '../../../bench/load-model/processor.ts';

const window = { from: 0, to: 10 };

/** Lanes on one core of a database; each batch takes a second besides its records. */
function lanesOf(agenda: Agenda, batches: readonly { readonly batch: number; readonly loops: number }[]): IndexLane[] {
  const stations = {
    worker: createProcessor(agenda, Number.POSITIVE_INFINITY, window),
    database: createProcessor(agenda, 1, window),
    window,
  };
  return batches.map((each) =>
    createIndexLane(agenda, { ...each, heldSeconds: 1, workerSeconds: 0, databaseSeconds: 0 }, 1, stations),
  );
}

/** Adds records, and notes when they were indexed and how many they were. */
function add(
  lane: IndexLane,
  agenda: Agenda,
  done: string[],
  records: number,
  options: { key?: string; each?: number } = {},
): void {
  const { key = null, each = 0 } = options;
  lane.add({
    key,
    records,
    workerSeconds: 0,
    databaseSeconds: each,
    indexed: (written) => done.push(`${written} at ${agenda.now}`),
  });
}

test('takes batches of its size, oldest first, and ages until they are committed', () => {
  const agenda = createAgenda();
  const done: string[] = [];
  const [lane] = lanesOf(agenda, [{ batch: 100, loops: 1 }]);
  if (lane === undefined) throw new Error('no lane');
  add(lane, agenda, done, 150);
  add(lane, agenda, done, 40);
  add(lane, agenda, done, 20);
  const seen: string[] = [];
  for (const at of [0.5, 1.5, 2.5, 3.5]) agenda.after(at, () => seen.push(`${lane.pending}, ${lane.oldestSeconds} s`));
  agenda.run();
  expect(done).toEqual(['150 at 2', '40 at 2', '20 at 3']);
  expect(seen).toEqual(['210, 0.5 s', '110, 1.5 s', '10, 2.5 s', '0, 0 s']);
  // The third batch is not full.
  expect(lane.fullLoops()).toBeCloseTo(0.2);
});

test('several loops take batches at once', () => {
  const agenda = createAgenda();
  const done: string[] = [];
  const [lane] = lanesOf(agenda, [{ batch: 100, loops: 3 }]);
  if (lane === undefined) throw new Error('no lane');
  for (const records of [100, 100, 100, 100]) add(lane, agenda, done, records);
  agenda.run();
  expect(done).toEqual(['100 at 1', '100 at 1', '100 at 1', '100 at 2']);
});

test('what is pending becomes pending no second time, what is being indexed does', () => {
  const agenda = createAgenda();
  const done: string[] = [];
  const [lane] = lanesOf(agenda, [{ batch: 100, loops: 1 }]);
  if (lane === undefined) throw new Error('no lane');
  add(lane, agenda, done, 100, { key: 'a' });
  // The first is taken at once, so that the second is new; the third finds it waiting.
  add(lane, agenda, done, 100, { key: 'a' });
  add(lane, agenda, done, 100, { key: 'a' });
  add(lane, agenda, done, 130, { key: 'a' });
  expect(lane.pending).toBe(230);
  agenda.run();
  expect(done).toEqual(['100 at 1', '100 at 2', '30 at 3']);
});

test('single changes do not stand behind bulk, but share the processor with it', () => {
  const agenda = createAgenda();
  const done: string[] = [];
  const [single, bulk] = lanesOf(agenda, [
    { batch: 100, loops: 1 },
    { batch: 1000, loops: 3 },
  ]);
  if (single === undefined || bulk === undefined) throw new Error('no lanes');
  add(bulk, agenda, done, 3000, { each: 0.001 });
  add(single, agenda, done, 1, { each: 0.5 });
  agenda.run();
  // Three batches of a second and half a second of the one core: four share it until the half is done, then three.
  expect(done).toEqual(['1 at 3', '3000 at 4.5']);
});

test('thousands of portions are forgotten as they are indexed, in order', () => {
  const agenda = createAgenda();
  const done: string[] = [];
  const [lane] = lanesOf(agenda, [{ batch: 10, loops: 2 }]);
  if (lane === undefined) throw new Error('no lane');
  for (let n = 0; n < 5000; n++) add(lane, agenda, done, (n % 3) + 1);
  agenda.run();
  expect(done.map((line) => Number(line.split(' ')[0]))).toEqual(Array.from({ length: 5000 }, (_, n) => (n % 3) + 1));
  expect(lane.pending).toBe(0);
});

// The figures of the last hour.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { holding } from '#test/support/held-table.ts';
import type { RecordStore } from '#test/support/records.ts';
import { openRecordStore } from '#test/support/records.ts';
import { RecentFigures } from '../../../apps/api/recent-figures.ts';

let store: RecordStore;
beforeAll(async () => {
  store = await openRecordStore();
});
afterAll(() => store[Symbol.asyncDispose]());

const neverFails = (error: unknown): never => {
  throw error;
};

it('are a sample of what came since the one before, and the last one of now', async () => {
  using figures = new RecentFigures(store.database, neverFails, { everyMs: 50, most: 3 });
  figures.begin();
  const fine = figures.series('GET', '/', 200);
  const broken = figures.series('GET', '/', 500);
  for (const seconds of [0.1, 0.3]) fine.observe(seconds);
  broken.observe(0.8);
  await expect.poll(async () => (await figures.samples()).length).toBe(4);
  const samples = await figures.samples();
  expect(samples.map(({ at }) => at)).toEqual(samples.map(({ at }) => at).toSorted());
  expect(samples.at(-1)).toEqual({
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    requests: 0,
    failed: 0,
    event_loop_ms: expect.any(Number),
    memory_mib: expect.any(Number),
    processor_percent: expect.any(Number),
    connections: expect.any(Number),
    connections_awaited: 0,
    jobs_queued: 0,
    jobs_running: 0,
    jobs_waiting_seconds: 0,
    index_records: expect.any(Number),
    index_waiting_seconds: expect.any(Number),
    disk_free_mib: expect.any(Number),
  });
});

it('keep how long a route took in each minute, and where nobody asked for it', async () => {
  using figures = new RecentFigures(store.database, neverFails, { everyMs: 50 });
  const route = figures.series('GET', '/now-and-then', 200);
  for (const seconds of [0.1, 0.3]) route.observe(seconds);
  figures.begin();
  const minutes = (): readonly (number | null)[] => figures.slowest(1)[0]?.minutes_ms ?? [];
  await expect.poll(minutes).toContain(200);
  await expect.poll(minutes).toContain(null);
  expect(minutes().filter((each) => each !== null)).toEqual([200]);
});

it('keep each minute of a route in its place, the last ones of as many as are kept', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    using figures = new RecentFigures(store.database, neverFails, { everyMs: 60_000, most: 3 });
    const [found, lost] = [figures.series('GET', '/', 200), figures.series('GET', '/', 404)];
    figures.begin();
    for (const [seconds, minutes] of [
      [[0.1, 0.3], [200]],
      [[], [200, null]],
      [[0.5], [200, null, 300]],
      [[1.24], [null, 300, 670]],
    ] as const) {
      for (const each of seconds) found.observe(each);
      if (seconds.length === 1) lost.observe(0.1);
      vi.advanceTimersByTime(60_000);
      await expect.poll(() => figures.slowest(1)[0]?.minutes_ms).toEqual(minutes);
    }
  } finally {
    vi.useRealTimers();
  }
});

it('count requests and those that failed until a sample is kept', async () => {
  using figures = new RecentFigures(store.database, neverFails);
  figures.series('GET', '/', 200).observe(0.1);
  figures.series('GET', '/', 503).observe(0.1);
  expect((await figures.samples()).map(({ requests, failed }) => [requests, failed])).toEqual([[2, 1]]);
});

it('count what failed while the database did not answer', async () => {
  using figures = new RecentFigures(store.database, neverFails, { everyMs: 50 });
  const broken = figures.series('GET', '/', 503);
  figures.begin();
  await holding(store.database, { table: 'job', against: 'all' }, async (isMet) => {
    await isMet();
    broken.observe(0.1);
  });
  // The sample that was held up is kept, and another one behind it.
  await expect.poll(async () => (await figures.samples()).length).toBeGreaterThan(2);
  expect((await figures.samples()).reduce((sum, { failed }) => sum + failed, 0)).toBe(1);
});

it('name the routes that were slowest on the average, whatever their status', () => {
  using figures = new RecentFigures(store.database, neverFails);
  const slow = figures.series('POST', '/slow', 200);
  figures.series('POST', '/never', 200);
  figures.series('GET', '/quick', 200).observe(0.001);
  figures.series('GET', null, 200).observe(9);
  slow.observe(0.2);
  slow.observe(0.4);
  figures.series('POST', '/slow', 404).observe(0.9);
  expect(figures.slowest(10)).toEqual([
    { method: 'POST', route: '/slow', requests: 3, mean_ms: 500, longest_ms: 900, minutes_ms: [] },
    { method: 'GET', route: '/quick', requests: 1, mean_ms: 1, longest_ms: 1, minutes_ms: [] },
  ]);
  expect(figures.slowest(1)).toHaveLength(1);
});

it('say what is not known where the database does not answer', async () => {
  const onError = vi.fn<(error: unknown) => void>();
  const closed = await openRecordStore();
  using figures = new RecentFigures(closed.database, onError);
  await closed[Symbol.asyncDispose]();
  expect(await figures.samples()).toMatchObject([{ jobs_queued: null, index_records: null, requests: 0 }]);
  expect(onError).toHaveBeenCalledOnce();
});

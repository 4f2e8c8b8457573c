// How many connections a worker opens: what is set, and never fewer than its jobs may wait for.
import { expect, test } from 'vitest';
import { connectionsOfWorker } from '#domain/configuration/connections.ts';

test.each([
  [2, 4, 10],
  [10, 4, 10],
  [10, 16, 22],
  [30, 16, 30],
])('a pool of %i for %i jobs is one of %i', (pool, jobs, opened) => {
  expect(connectionsOfWorker({ MUNIMENT_POOL_SIZE: pool, MUNIMENT_WORKER_CONCURRENCY: jobs })).toBe(opened);
});

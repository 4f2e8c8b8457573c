// A worker while PostgreSQL is not there: it waits and tries again, and does not spin.
import { afterEach, expect, it } from 'vitest';
import { Database } from '#store/connection/database.ts';
import { Listener } from '#store/connection/listener.ts';
import { anonymous } from '#domain/access/caller.ts';
import { startWorker } from '../../apps/worker/running/worker.ts';
import { openPresence } from '#store/queue/presence.ts';
import { noThreads } from '../support/worker.ts';

const nowhere = 'postgresql://muniment@127.0.0.1:1/muniment';
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

it('tells a presence that cannot be opened once, by its exception alone', async () => {
  let lost = 0;
  await expect(
    openPresence(nowhere, () => {
      lost += 1;
    }),
  ).rejects.toThrow();
  await new Promise((resolve) => setImmediate(resolve));
  expect(lost).toBe(0);
});

it('tries again with pauses', async () => {
  const database = new Database({ url: nowhere, poolSize: 2 });
  const listener = new Listener({ url: nowhere });
  const failures: string[] = [];
  // The listener connects at its first subscription and would wait for the database: this worker is told by its own poll.
  const quiet = Object.assign(Object.create(listener), { subscribe: async () => () => undefined });
  const worker = await startWorker({
    database,
    listener: quiet,
    directUrl: nowhere,
    handlers: [],
    threads: noThreads,
    concurrency: 1,
    readCaller: async () => anonymous,
    log: (event) => {
      failures.push(event);
    },
    pollMs: 100,
    recoverMs: 100,
  });
  ends.push(
    () => worker.stop(),
    () => database[Symbol.asyncDispose](),
    () => listener[Symbol.asyncDispose](),
  );
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(failures.filter((event) => event === 'worker_claim_failed').length).toBeLessThanOrEqual(12);
  expect(failures).not.toContain('worker_presence_lost');
});

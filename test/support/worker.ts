// A worker for tests: in the test's own process, or as a child process that can be killed.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { anonymous } from '#domain/access/caller.ts';
import { Database } from '#store/connection/database.ts';
import { Listener } from '#store/connection/listener.ts';
import type { JobHandler } from '../../apps/worker/handler.ts';
import type { Worker, WorkerSettings } from '../../apps/worker/running/worker.ts';
import { startWorker } from '../../apps/worker/running/worker.ts';
import type { Threads } from '../../apps/worker/threads/pool.ts';
import { testProgram } from './test-programs.ts';
import { testHandlers } from './worker-jobs.ts';

/** Threads for handlers that use none: any task is refused. */
export const noThreads: Threads = {
  run: async () => {
    throw new Error('this test has no threads');
  },
  load: { waiting: 0, threads: 0 },
  close: async () => undefined,
};

/** A database with its listener; `await using` closes both. */
export type Connected = {
  readonly database: Database;
  readonly listener: Listener;
  readonly url: string;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Opens what API and worker processes have. */
export function connect(url: string, poolSize = 10): Connected {
  const database = new Database({ url, poolSize });
  const listener = new Listener({ url });
  return {
    database,
    listener,
    url,
    [Symbol.asyncDispose]: async () => {
      await listener[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Starts a worker in this process with the test jobs; `events` collects what it logs. */
export async function startTestWorker(
  { database, listener, url }: Connected,
  options: Partial<WorkerSettings> & {
    readonly handlers?: readonly JobHandler[];
    readonly events?: { event: string; fields: object }[];
  } = {},
): Promise<Worker> {
  const { events, ...settings } = options;
  return startWorker({
    database,
    listener,
    directUrl: url,
    handlers: testHandlers,
    threads: noThreads,
    concurrency: 4,
    readCaller: async (_reader, owner) => ({ ...anonymous, username: owner }),
    log: (event, fields) => void events?.push({ event, fields }),
    ...settings,
  });
}

/** Starts a worker as a process of its own and waits until it is at work. */
export async function spawnWorker(url: string, concurrency = 4): Promise<ChildProcess> {
  const child = spawn(process.execPath, [testProgram('worker')], {
    env: { ...process.env, TEST_DATABASE_URL: url, TEST_CONCURRENCY: String(concurrency) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', () => reject(new Error('the worker process ended')));
  });
  return child;
}

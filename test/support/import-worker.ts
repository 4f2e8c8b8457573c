// A worker with the import jobs and real threads as a process of its own, for tests that kill it and benchmarks that measure it.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { heapOptions } from '../../apps/worker/running/heap.ts';
import { testProgram } from './test-programs.ts';

/** A running worker process. */
export type ImportWorker = {
  readonly process: ChildProcess;
  /** Ends it cleanly; the largest memory it had, in bytes (RSS). */
  stop(): Promise<number>;
};

/** Starts the process and waits until it is at work. `nodeOptions` come before the program, such as --cpu-prof; `environment` are further variables. */
export async function spawnImportWorker(
  url: string,
  threads = 2,
  {
    nodeOptions = [],
    environment = {},
  }: { readonly nodeOptions?: readonly string[]; readonly environment?: { readonly [name: string]: string } } = {},
): Promise<ImportWorker> {
  const child = spawn(process.execPath, [...heapOptions, ...nodeOptions, testProgram('import-worker')], {
    env: { ...process.env, ...environment, TEST_DATABASE_URL: url, TEST_THREADS: String(threads) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => void lines.push(text));
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', () => reject(new Error('the worker process ended')));
  });
  return {
    process: child,
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      return Number(/rss (\d+)/.exec(lines.join(''))?.[1] ?? Number.NaN);
    },
  };
}

// Starts the processes that benchmarks measure: the API and the worker as in production, a bare server, a client that loads them.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A running process that serves HTTP under `url` ('' for a worker). */
export type Running = AsyncDisposable & {
  readonly url: string;
  readonly child: ChildProcess;
  /** Processor time used since the start, in seconds; NaN on systems without /proc. */
  cpuSeconds(): number;
};

/** The password of the administrator in benchmarks. */
export const adminPassword = 'bench';

const root = new URL('../../../', import.meta.url);
const program = (path: string): string => fileURLToPath(new URL(path, root));

/**
 * Starts a program and waits for the line of its log that says it is ready. The log goes to a file, as under a supervisor, so that nobody
 * pays for reading it.
 */
export async function startProcess(
  path: string,
  environment: { readonly [name: string]: string },
  nodeOptions: readonly string[] = [],
): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-bench-log-'));
  const file = join(folder, 'log');
  const log = openSync(file, 'w');
  const child = spawn(process.execPath, [...nodeOptions, program(path)], {
    env: {
      ...process.env,
      PORT: '0',
      MUNIMENT_ADMIN_PASSWORD: adminPassword,
      MUNIMENT_LOGIN_RATE_LIMIT: '0',
      ...environment,
    },
    stdio: ['ignore', log, 'inherit', 'ipc'],
  });
  closeSync(log);
  child.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const url = await readyUrl(file, () => child.exitCode !== null || child.signalCode !== null);
  return {
    url,
    child,
    cpuSeconds: () => cpuSecondsOf(child.pid),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      // Workers with a channel to a parent are told by message, servers by signal.
      if (url === '') child.send('stop');
      else child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

async function readyUrl(file: string, hasEnded: () => boolean): Promise<string> {
  for (;;) {
    const text = hasEnded() ? null : readFileSync(file, 'utf8');
    if (text === null) throw new Error('the process ended before it was ready');
    const ready = /^.*"event":"(?:api|worker)_ready".*$/m.exec(text)?.[0];
    if (ready !== undefined) return /"url":"([^"]*)"/.exec(ready)?.[1] ?? '';
    await sleep(50);
  }
}

/** Processor time that a process has used since its start, in seconds; NaN on systems without /proc. */
export function cpuSecondsOf(pid: number | undefined): number {
  try {
    // After the name in parentheses come the fields from the third on; user and system time are the 14th and 15th, in 1/100 s.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

/** The most memory that a process had so far, in MiB (RSS); NaN on systems without /proc. */
export function largestMemoryOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** What a client with 16 connections got in one spell: replies a second, latency in milliseconds, replies that were no 2xx. */
export type Load = {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  readonly total: number;
};

/** Asks the paths of a server in turn over 16 connections for some seconds, from a process of its own. */
export async function load(
  url: string,
  paths: readonly string[],
  seconds: number,
  headers: { readonly [name: string]: string } = {},
): Promise<Load> {
  const options = { url, connections: 16, duration: seconds, headers, requests: paths.map((path) => ({ path })) };
  const child = spawn(process.execPath, [program('test/bench/processes/load.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // Not as an argument: a thousand paths are too long for one.
  child.stdin.end(JSON.stringify(options));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await once(child, 'close');
  const result: Load = JSON.parse(text);
  if (result.failed > 0) throw new Error(`${result.failed} of ${result.total} requests to ${url} failed`);
  return result;
}

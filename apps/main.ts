// `npm start`: everything on one machine. Embedded PostgreSQL (unless DATABASE_URL is set), migrations, reference data, the API in
// this process, and a worker process beside it that is started again where it dies.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { pino } from 'pino';
import { readConfig } from '#domain/config.ts';
import type { Config } from '#domain/config.ts';
import { startApi } from './api/start.ts';
import { openForService } from './open.ts';

const config = readConfigOrEnd();
const log = pino({ level: config.LOG_LEVEL });

/** The worker process, kept alive until `stop`. */
function keepWorker(environment: NodeJS.ProcessEnv): { stop(): Promise<void> } {
  let child: ChildProcess | undefined;
  let isStopping = false;
  let pauseMs = 500;
  const start = (): void => {
    const startedAt = Date.now();
    child = fork(new URL('worker/main.ts', import.meta.url), { env: environment, detached: false });
    child.on('exit', (code, signal) => {
      if (isStopping) return;
      log.error({ event: 'worker_died', code, signal }, 'the worker ended and is started again');
      pauseMs = Date.now() - startedAt > 60_000 ? 500 : Math.min(30_000, pauseMs * 2);
      setTimeout(() => { if (!isStopping) start(); }, pauseMs);
    });
  };
  start();
  return {
    stop: async () => {
      isStopping = true;
      const ending = child;
      if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => { ending.once('exit', () => resolve()); });
      ending.send('stop', () => undefined);
      const timer = setTimeout(() => ending.kill('SIGKILL'), 20_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

function readConfigOrEnd(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

try {
  const store = await openForService(config, log, 'api');
  const api = await startApi({ config, database: store.database, listener: store.listener, log });
  const worker = keepWorker({ ...process.env, DATABASE_URL: store.url, ...(store.directUrl === store.url ? {} : { DATABASE_DIRECT_URL: store.directUrl }) });
  const base = api.url.replace('[::1]', 'localhost');
  process.stdout.write(`\nMuniment is ready.\n  Address        ${base}\n  Documentation  ${base}/docs\n  Administrator  user admin, password ${store.passwordPlace}\n\n`);
  let isStopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    log.info({ event: 'stopping', signal });
    await api[Symbol.asyncDispose]();
    await worker.stop();
    await store[Symbol.asyncDispose]();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));
} catch (error) {
  log.fatal({ event: 'start_failed', err: error });
  process.stderr.write(`\nMuniment could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

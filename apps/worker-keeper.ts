// Keeps a worker process running beside the API of `npm start`: started again where it dies, told to end before the database does.
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Logger } from 'pino';
import { heapOptions } from './worker/running/heap.ts';

const shortestPauseMs = 500;
const longestPauseMs = 30_000;
/** A worker lets its jobs go on for ten seconds and then gives them back; longer it does not need. */
const patienceMs = 20_000;

/** The worker process of this machine. Dispose to end it: it gives back what it cannot finish. */
export class WorkerKeeper implements AsyncDisposable {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #log: Logger;
  #child: ChildProcess | undefined;
  #isStopping = false;
  #pauseMs = shortestPauseMs;

  constructor(environment: NodeJS.ProcessEnv, log: Logger) {
    this.#environment = environment;
    this.#log = log;
  }

  /** Starts the process; from now on it is started again after each death, at once at first, then after growing pauses. */
  start(): void {
    const startedAt = Date.now();
    const child = fork(new URL('worker/main.ts', import.meta.url), {
      env: this.#environment,
      execArgv: [...heapOptions, ...process.execArgv],
    });
    this.#child = child;
    let isOver = false;
    const over = (why: object): void => {
      if (isOver || this.#isStopping) return;
      isOver = true;
      if (Date.now() - startedAt > 60_000) this.#pauseMs = shortestPauseMs;
      this.#log.error(
        { event: 'worker_died', ...why, again_ms: this.#pauseMs },
        'the worker ended and is started again',
      );
      setTimeout(() => {
        if (!this.#isStopping) this.start();
      }, this.#pauseMs);
      this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2);
    };
    child.on('exit', (code, signal) => over({ code, signal }));
    // No process could be made, or its channel broke.
    child.on('error', (error) => over({ err: error }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isStopping = true;
    const child = this.#child;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
    });
    // Where the channel is closed already the worker has noticed and ends by itself.
    if (child.connected) child.send('stop', () => undefined);
    const timer = setTimeout(() => {
      this.#log.warn(
        { event: 'worker_cut', seconds: patienceMs / 1000 },
        'the worker did not end in time; what it did is done again at the next start',
      );
      child.kill('SIGKILL');
    }, patienceMs);
    await ended;
    clearTimeout(timer);
  }
}

// The thread pool of a worker process: CPU work (parsing, validation, XML, calculation) off the event loop. Threads do no SQL.
// Send bytes, a thousand records or a megabyte at a time, and keep no more than two tasks a thread in flight.
import type { MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { Failure, fail } from '#domain/errors.ts';
import { inChildSpan } from '#store/observing/tracing.ts';
import { heapLimitMb } from '../running/heap.ts';
import type { TaskCall, TaskReply, TaskTable } from './task.ts';
import type { Tasks } from './tasks.ts';

/** How a task is run: buffers and ports that the thread takes over, and the signal that ends it (its thread is ended with it). */
type RunOptions = { readonly transfer?: readonly (ArrayBuffer | MessagePort)[]; readonly signal?: AbortSignal };

/** The threads of a process. */
export type Threads<Table extends TaskTable = Tasks> = {
  /** The result of the named task. Throws the Failure that it threw, and an AbortError where the signal ended it. */
  run<Name extends keyof Table & string>(
    name: Name,
    payload: Parameters<Table[Name]>[0],
    options?: RunOptions,
  ): Promise<Awaited<ReturnType<Table[Name]>>>;
  /** Tasks waiting and running; for metrics. */
  readonly load: { readonly waiting: number; readonly threads: number };
  /** Ends the threads after the tasks in flight. */
  close(): Promise<void>;
};

/** A thread that ran out of memory is ended with its task, and another takes its place; what was asked of it is too large. Other errors stay. */
function memoryFailure(error: unknown, heapMb: number): unknown {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory
    ? fail('too_large', `What was given needs more than the ${heapMb} MB of memory that one task may use`, {}, error)
    : error;
}

/** Starts the threads and waits until each is up. For tests: `entry` names another entry file, `heapMb` another limit of what a task may use (megabytes). */
export async function startThreads<Table extends TaskTable = Tasks>(
  count: number,
  entry: URL = new URL('entry.ts', import.meta.url),
  heapMb = heapLimitMb,
): Promise<Threads<Table>> {
  const pool = new Piscina<TaskCall, TaskReply>({
    filename: entry.href,
    minThreads: count,
    maxThreads: count,
    idleTimeout: 600_000,
    resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: heapMb },
  });
  await Promise.all(Array.from({ length: count }, async () => pool.run({ name: 'warm', payload: null })));
  return {
    run: async (name, payload, options = {}) => {
      const { transfer = [], signal } = options;
      // Until it is done: waiting for a free thread is part of it.
      const reply = await inChildSpan({ name: `thread ${name}`, kind: 'internal' }, () =>
        pool.run({ name, payload }, { transferList: [...transfer], ...(signal === undefined ? {} : { signal }) }),
      ).catch((error: unknown) => {
        throw memoryFailure(error, heapMb);
      });
      if ('failure' in reply) throw new Failure(reply.failure.code, reply.failure.error, reply.failure.extra);
      // The thread ran the function of this name out of the same table. (`never`: the compiler cannot see through Awaited of a generic.)
      return reply.value as never;
    },
    get load() {
      return { waiting: pool.queueSize, threads: pool.threads.length };
    },
    close: async () => pool.close(),
  };
}

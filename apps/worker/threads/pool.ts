// The thread pool of a worker process: CPU work (parsing, validation, XML, calculation) off the event loop. Threads do no SQL.
// Send bytes, a thousand records or a megabyte at a time, and keep no more than two tasks a thread in flight.
import type { MessagePort } from 'node:worker_threads';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { Failure, fail } from '#domain/errors.ts';
import { inChildSpan } from '#store/observing/tracing.ts';
import { heapLimitMb } from '../running/heap.ts';
import type { TaskCall, TaskReply, TaskTable } from './task.ts';
import type { Tasks } from './tasks.ts';

/**
 * How a task is run: buffers and ports that the thread takes over, the signal that ends it (its thread is ended with it), and how long it may take. That
 * counts from when a thread begins with it: others may have the threads for minutes, such as a finding aid that is printed.
 */
type RunOptions = {
  readonly transfer?: readonly (ArrayBuffer | MessagePort)[];
  readonly signal?: AbortSignal;
  readonly limitMs?: number;
};

/** A task was ended, with its thread, since it took longer than it may. */
export class TookTooLong extends Error {}

/** The threads of a process. */
export type Threads<Table extends TaskTable = Tasks> = {
  /** The result of the named task. Throws the Failure that it threw, an AbortError where the signal ended it, and TookTooLong. */
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

/** Has a task be ended some time after it has begun, which its thread tells through `port`. */
function limitFromBegin(limitMs: number): {
  readonly port: MessagePort;
  readonly signal: AbortSignal;
  readonly end: () => void;
} {
  const { port1, port2: port } = new MessageChannel();
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  port1.once('message', () => {
    timer = setTimeout(() => controller.abort(), limitMs);
  });
  const end = (): void => {
    clearTimeout(timer);
    port1.close();
  };
  return { port, signal: controller.signal, end };
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
      const { transfer = [], signal, limitMs } = options;
      const limit = limitMs === undefined ? null : limitFromBegin(limitMs);
      const call: TaskCall = limit === null ? { name, payload } : { name, payload, begun: limit.port };
      const ports = limit === null ? [] : [limit.port];
      const ending =
        limit === null ? signal : signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
      // Until it is done: waiting for a free thread is part of it.
      const reply = await inChildSpan({ name: `thread ${name}`, kind: 'internal' }, () =>
        pool.run(call, {
          transferList: [...transfer, ...ports],
          ...(ending === undefined ? {} : { signal: ending }),
        }),
      )
        .catch((error: unknown) => {
          if (limit?.signal.aborted === true && signal?.aborted !== true) throw new TookTooLong(name);
          throw memoryFailure(error, heapMb);
        })
        .finally(limit?.end);
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

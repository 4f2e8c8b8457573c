// What a function must be to run in a thread, and the thread's side of the call: plain data in, plain data out, failures kept whole.
import type { MessagePort } from 'node:worker_threads';
import { transferableSymbol, valueSymbol } from 'piscina';
import type { ErrorCode } from '#domain/errors.ts';
import { Failure } from '#domain/errors.ts';
import type { Json } from '#domain/json.ts';

/** Marks buffers of the result that are handed over and not copied. */
export type Move = (...buffers: readonly ArrayBuffer[]) => void;

/** A pure function that may run in a thread: what it takes and gives is copied (structured clone), but for buffers that are moved. */
// The table's functions have payloads of their own; `never` lets each of them in, and threads.run checks the call.
type ThreadTask = (payload: never, move: Move) => unknown;

/** Functions by name. */
export type TaskTable = { readonly [name: string]: ThreadTask };

/** What crosses into a thread. `begun`: where the thread tells that it begins. */
export type TaskCall = { readonly name: string; readonly payload: unknown; readonly begun?: MessagePort };

/** What comes back: an Error loses its class on the way, so a Failure crosses as its parts. */
export type TaskReply =
  | { readonly value: unknown }
  | {
      readonly failure: {
        readonly code: ErrorCode;
        readonly error: Json;
        readonly extra: { readonly [key: string]: Json };
      };
    };

/** The function that a thread's entry file exports as default. */
export function serveTasks(tasks: TaskTable): (call: TaskCall) => Promise<TaskReply> {
  return async ({ name, payload, begun }) => {
    begun?.postMessage(true);
    begun?.close();
    const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
    if (task === undefined) throw new Error(`there is no thread task ${name}`);
    const moved: ArrayBuffer[] = [];
    try {
      // threads.run took the payload with the type of this very function.
      const value = await task(payload as never, (...buffers) => void moved.push(...buffers));
      const reply = { value };
      // Piscina's protocol for results with moved buffers adds two symbols; the main thread gets the value alone.
      return moved.length === 0
        ? reply
        : Object.assign({ value }, { [transferableSymbol]: moved, [valueSymbol]: reply });
    } catch (error) {
      if (error instanceof Failure) return { failure: { code: error.code, error: error.error, extra: error.extra } };
      throw error;
    }
  };
}

// The main thread's side of a file that goes through a thread: feeds it in and takes out what is made of it, at the pace of whoever reads that.
import type { MessagePort } from 'node:worker_threads';
import { MessageChannel } from 'node:worker_threads';
import type { FromThread, ToThread } from '../threads/exchange.ts';

/** Yields what the task makes of the file, piece by piece; returns its result, throws what it throws. `start` runs the task with its port. */
export async function* throughThread<Result>(
  file: AsyncIterable<Uint8Array>,
  start: (port: MessagePort) => Promise<Result>,
): AsyncGenerator<Uint8Array, Result, void> {
  const { port1: port, port2 } = new MessageChannel();
  const messages: FromThread[] = [];
  let wake: () => void = () => undefined;
  let isOver = false;
  port.on('message', (message: FromThread) => {
    messages.push(message);
    wake();
  });
  const outcome = start(port2)
    .then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    )
    .finally(() => {
      isOver = true;
      wake();
    });
  const chunks = file[Symbol.asyncIterator]();
  try {
    for (;;) {
      const message = messages.shift();
      if (message === undefined) {
        if (isOver) break;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      if ('made' in message) {
        yield message.made;
        port.postMessage({ taken: true } satisfies ToThread);
      } else {
        const step = await chunks.next();
        // A piece of a larger buffer is sent as a copy of itself alone.
        port.postMessage({ chunk: step.done === true ? null : step.value.slice() } satisfies ToThread);
      }
    }
  } finally {
    port.close();
    await chunks.return?.();
  }
  const end = await outcome;
  if ('error' in end) throw end.error;
  return end.result;
}

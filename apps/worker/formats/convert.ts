// The main thread's side of a conversion: feeds a file into a thread and takes records out of it, at the pace of whoever reads them.
import { MessageChannel } from 'node:worker_threads';
import type { ImportReport } from '#domain/formats/import-types.ts';
import type { ConvertAbout, FromThread, ToThread } from '../threads/format-tasks.ts';
import type { Threads } from '../threads/pool.ts';

/** Yields the records of one file as pieces of JSON text, joined by commas; returns the reader's report. Throws what the reader throws. */
export async function* convert(threads: Threads, file: AsyncIterable<Uint8Array>, about: ConvertAbout, signal: AbortSignal): AsyncGenerator<Uint8Array, ImportReport, void> {
  const { port1: port, port2 } = new MessageChannel();
  const messages: FromThread[] = [];
  let wake: () => void = () => undefined;
  let isOver = false;
  port.on('message', (message: FromThread) => {
    messages.push(message);
    wake();
  });
  const outcome = threads.run('convertFile', { port: port2, about }, { signal, transfer: [port2] })
    .then((report) => ({ report }), (error: unknown) => ({ error }))
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
      if ('text' in message) {
        yield message.text;
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
  return end.report;
}

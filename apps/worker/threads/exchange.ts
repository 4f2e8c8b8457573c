// The thread's side of a file that goes through a thread: takes its pieces from the main thread and hands back what it makes of them.
// Both ways one piece is under way at a time, so neither side ever holds the file. The other side is apps/worker/formats/through-thread.ts.
import type { MessagePort } from 'node:worker_threads';
import { once } from 'node:events';

/** What the thread says: it wants the next piece of the file, or has made a piece and waits until it is taken. */
export type FromThread = { readonly wants: true } | { readonly made: Uint8Array };
/** What the main thread answers: a piece of the file (null: it is over), or that what was made is taken. */
export type ToThread = { readonly chunk: Uint8Array | null } | { readonly taken: true };

/** The pieces of the file in order, and the way back for what is made of them. */
export type Exchange = { chunks(): AsyncGenerator<Uint8Array>; give(made: Uint8Array): Promise<void> };

/** Opens the exchange on the port of a task. Where the main thread closes its end, the next step throws. */
export function openExchange(port: MessagePort): Exchange {
  // Where the main thread goes away in the middle, nobody would ever answer.
  const closed = new AbortController();
  port.once('close', () => closed.abort());
  const ask = async (message: FromThread): Promise<ToThread> => {
    const answer = once(port, 'message', { signal: closed.signal });
    port.postMessage(message);
    const [reply] = await answer;
    // The other side is throughThread() and sends nothing else.
    return reply as ToThread;
  };
  return {
    async *chunks() {
      for (;;) {
        const reply = await ask({ wants: true });
        if (!('chunk' in reply) || reply.chunk === null) return;
        yield reply.chunk;
      }
    },
    give: async (made) => void (await ask({ made })),
  };
}

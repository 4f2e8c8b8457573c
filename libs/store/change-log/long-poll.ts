// Waiting for news in the feed without holding a connection: a parked request costs a timer and a place in a list (contract 7.3).
import type { Listener } from '../connection/listener.ts';
import { createWaker } from '../connection/listener.ts';
import { feedChannel } from './followers.ts';

/** How long to wait, until which signal, and how often to look without being told. */
export type Patience = { readonly waitMs: number; readonly signal: AbortSignal; readonly pollMs?: number };

// A batch import publishes every few milliseconds; who waits looks five times a second at most.
const leastPauseMs = 200;

/**
 * Calls `look` at once and after each news of the feed until it finds something, and gives that; an empty list where the time is over
 * or the signal aborted. NOTIFY wakes; a lost one costs `pollMs`.
 */
export async function waitForFeed<T>(
  listener: Listener,
  look: () => Promise<readonly T[]>,
  { waitMs, signal, pollMs = 5000 }: Patience,
): Promise<readonly T[]> {
  const bell = createWaker();
  const unsubscribe = await listener.subscribe(feedChannel, bell.wake);
  const endsAt = performance.now() + waitMs;
  try {
    for (;;) {
      const found = await look();
      const leftMs = endsAt - performance.now();
      if (found.length > 0 || leftMs <= 0 || signal.aborted) return found;
      await bell.wait(Math.min(pollMs, leftMs), signal);
      if (!signal.aborted)
        await createWaker().wait(Math.min(leastPauseMs, Math.max(0, endsAt - performance.now())), signal);
    }
  } finally {
    unsubscribe();
  }
}

// Waking the sequencer after commits that appended to the change log.

/** The channel that tells the sequencer of commits. */
export const changeChannel = 'muniment_change';

/**
 * Makes the function that wakes the sequencer after commits that appended (Database calls it where tx.changed() was called). `notify` sends
 * the NOTIFY: at most one in 20 ms, on a connection of its own, for inside the writers' transactions it would halve their throughput. A lost
 * one costs the sequencer's polling interval.
 */
export function sequencerWaker(notify: () => Promise<unknown>): () => void {
  let quietUntil = 0;
  let isWaiting = false;
  const send = (): void => {
    isWaiting = false;
    quietUntil = performance.now() + 20;
    // Not reachable now: the sequencer's poll finds the changes.
    notify().catch(() => undefined);
  };
  return () => {
    if (isWaiting) return;
    const waitMs = quietUntil - performance.now();
    if (waitMs <= 0) return send();
    isWaiting = true;
    setTimeout(send, waitMs).unref();
  };
}

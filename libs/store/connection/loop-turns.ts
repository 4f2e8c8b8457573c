// Work on the event loop that answers everybody, cut where it has taken a while.

// So long may others wait for one that works through much: what is answered in a few milliseconds is still answered soon.
const longestMs = 25;

/** The turns of one piece of work: where one is due, `next` lets others have theirs. */
export class LoopTurns {
  #since = performance.now();

  /** Whether this turn has taken long enough. */
  isDue(): boolean {
    return performance.now() - this.#since > longestMs;
  }

  /** Goes on when others have had their turn. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}

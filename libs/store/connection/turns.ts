// How many of something run at once: whoever comes when all turns are taken waits, the first to come first, and may give up waiting.

/** How many of so many connections transactions that write may have at once: all but a fifth, which is for reads, and one at least is; the only one, where there is one. */
export const writersAmong = (poolSize: number): number =>
  poolSize - Math.min(poolSize - 1, Math.max(1, Math.floor(poolSize / 5)));

/** Turns of one process. `waiting` is how many wait for one now. */
export class Turns {
  #free: number;
  #mayStand: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
    this.#mayStand = Math.floor(count / 4);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Waits for a turn and gives the function that ends it, to be called once. Throws the signal's reason where that comes first. */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    return () => this.#end();
  }

  /** Lets who has a turn keep it for longer, as a quarter of them may at once. Gives the function that ends that, to be called once; null where so many do. */
  stand(): (() => void) | null {
    if (this.#mayStand === 0) return null;
    this.#mayStand -= 1;
    return () => {
      this.#mayStand += 1;
    };
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => {
      this.#waiting.delete(resolve);
      reject(signal?.reason);
    };
    this.#waiting.add(resolve);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #end(): void {
    // Handed on and not given back, or somebody who comes in between would be first.
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}

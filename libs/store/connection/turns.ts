// How many of something run at once: whoever comes when all turns are taken waits, the first to come first, and may give up waiting.

/** Turns of one process. `waiting` is how many wait for one now. */
export class Turns {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
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

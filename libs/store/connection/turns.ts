// How many of something run at once: whoever comes when all turns are taken waits, the first to come first.

/** Turns of one process. `waiting` is how many wait for one now. */
export class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Waits for a turn and gives the function that ends it, to be called once. */
  async take(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => this.#end();
  }

  #end(): void {
    // Handed on and not given back, or somebody who comes in between would be first.
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

// How politely a source is asked: so many requests at once, so many a second, and none while it asks to be left alone.
import { pause } from '#client/retries.ts';

/** Limits of asking: requests under way at once, and begun in a second. */
export type Politeness = { readonly atOnce: number; readonly aSecond: number };

/** Lets requests through within the limits, in the order they came. */
export class RequestLimit {
  readonly #politeness: Politeness;
  readonly #signal: AbortSignal;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  /** When the next request may begin, on the clock of performance.now(). */
  #next = 0;

  constructor(politeness: Politeness, signal: AbortSignal) {
    this.#politeness = politeness;
    this.#signal = signal;
  }

  /** Runs one request when its turn has come. */
  async pass<T>(request: () => Promise<T>): Promise<T> {
    if (this.#underWay >= this.#politeness.atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#underWay++;
    try {
      await this.#turn();
      return await request();
    } finally {
      // Whoever waits takes the place over.
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay--;
      else next();
    }
  }

  /** No request begins for so many milliseconds: the source has asked for it. */
  holdFor(ms: number): void {
    this.#next = Math.max(this.#next, performance.now() + ms);
  }

  async #turn(): Promise<void> {
    for (let wait = this.#next - performance.now(); wait > 0; wait = this.#next - performance.now())
      await pause(wait, this.#signal);
    this.#next = performance.now() + 1000 / this.#politeness.aSecond;
  }
}

/** Runs tasks, at most so many at once, and gives their results in the order of the tasks. Tasks are taken when there is room for them. */
export async function* inOrder<T>(tasks: Iterable<() => Promise<T>>, atOnce: number): AsyncGenerator<T> {
  const running: Promise<T>[] = [];
  for (const task of tasks) {
    const started = task();
    // Its failure is met when its turn comes; until then it is no unhandled one.
    started.catch(() => undefined);
    running.push(started);
    if (running.length < atOnce) continue;
    const first = running.shift();
    if (first !== undefined) yield await first;
  }
  for (const rest of running) yield await rest;
}

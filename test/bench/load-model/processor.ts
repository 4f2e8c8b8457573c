// Cores that all who want them share alike (processor sharing), as processes do under an operating system.
import type { Agenda, Window } from './agenda.ts';
import { createHeap, createMeter } from './agenda.ts';

/** Some cores. */
export type Processor = {
  readonly cores: number;
  /** Works off so many seconds of one core, beside all that is at work; then calls `done`. */
  take(seconds: number, done: () => void): void;
  /** Cores at work, the mean over the window. */
  busyCores(): number;
};

// What is left of work by rounding, in seconds.
const rest = 1e-9;

/** Makes idle cores. Nobody has more than one of them at a time; `cores` may be a fraction, or Infinity, where nobody ever shares. */
export function createProcessor(agenda: Agenda, cores: number, window: Window): Processor {
  // What each one that was there from the beginning would have got: who comes now is done when this has grown by what he wants. So all
  // that are at work are in the order of their ends, however often their number changes meanwhile.
  let [served, since, plan] = [0, 0, 0];
  const working = createHeap<{ readonly end: number; readonly done: () => void }>();
  const busy = createMeter(agenda, window);
  const speed = (): number => Math.min(1, cores / working.size);
  const pass = (): void => {
    if (working.size > 0) served += (agenda.now - since) * speed();
    since = agenda.now;
  };
  const planNext = (): void => {
    busy.add(Math.min(cores, working.size) - busy.level);
    const own = ++plan;
    const next = working.first();
    if (next === undefined) return;
    agenda.after(Math.max(0, next.end - served) / speed(), () => {
      // Somebody came or went meanwhile: it was planned anew.
      if (own !== plan) return;
      pass();
      const ended = [working.pop()];
      for (let other = working.first(); other !== undefined && other.end <= served + rest; other = working.first())
        ended.push(working.pop());
      planNext();
      for (const each of ended) each?.done();
    });
  };
  return {
    cores,
    take: (seconds, done) => {
      if (seconds <= 0) {
        done();
        return;
      }
      pass();
      working.push(served + seconds, { end: served + seconds, done });
      planNext();
    },
    busyCores: () => busy.mean(),
  };
}

// How fast a phase of a job goes, and how long it takes yet.
import type { Progress } from './job.ts';

/** How far a job is, with its pace since the phase began: `per_second` of what is counted, and whole `seconds_left`; null where that cannot be told. */
export type PacedProgress = Progress & { readonly per_second: number | null; readonly seconds_left: number | null };

// Before that a pace says little.
const soonestMs = 1000;

/** Gives each step its pace. `now` is a clock in milliseconds that never goes back. */
export function createPacer(now: () => number): (step: Progress) => PacedProgress {
  let begun: { readonly label: string; readonly done: number; readonly at: number } | undefined;
  return (step) => {
    const at = now();
    if (begun === undefined || begun.label !== step.label || step.done < begun.done)
      begun = { label: step.label, done: step.done, at };
    const elapsedMs = at - begun.at;
    const perSecond = elapsedMs < soonestMs ? null : ((step.done - begun.done) / elapsedMs) * 1000;
    const isCounting = perSecond !== null && perSecond > 0 && step.total !== null;
    return {
      ...step,
      per_second: perSecond === null ? null : Math.round(perSecond * 10) / 10,
      seconds_left: isCounting ? Math.ceil(Math.max(0, (step.total ?? 0) - step.done) / perSecond) : null,
    };
  };
}

/**
 * How many things a file seems to hold of which `done` stood in its first `read` bytes of `size`; never fewer than those, and exact at its
 * end. Null where that cannot be told yet.
 */
export function expectedTotal(done: number, read: number, size: number): number | null {
  if (done === 0 || read === 0) return null;
  return read >= size ? done : Math.max(done, Math.round((done / read) * size));
}

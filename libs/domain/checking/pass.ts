// One pass over one body: where the pass stands, and what it has found so far.
// The walkers (walk.ts, scalars.ts, refs.ts) write into it; prepare.ts reads it at the end.
import type { Link, NewEnumerationValue, PrepareContext } from './context.ts';

/** The state of a pass. `path` is changed in place as the walkers go down and up. */
export type Pass = {
  readonly context: PrepareContext;
  readonly path: (string | number)[];
  readonly errors: Map<string, string[]>;
  /** Errors of checks that come after the plain ones and the rules; they count where `errors` is empty. */
  readonly lateErrors: Map<string, string[]>;
  readonly warnings: Map<string, string[]>;
  /** Warnings of properties that no schema has. */
  readonly unknown: Map<string, string[]>;
  readonly links: Link[];
  readonly newValues: NewEnumerationValue[];
  /** How many notes are around the object being walked, itself included: more than one makes it a sub-note. */
  noteDepth: number;
};

/** A pass that has found nothing yet. */
export function newPass(context: PrepareContext): Pass {
  return {
    context,
    path: [],
    errors: new Map(),
    lateErrors: new Map(),
    warnings: new Map(),
    unknown: new Map(),
    links: [],
    newValues: [],
    noteDepth: 0,
  };
}

/** The slash path of where the pass stands, with a further step. */
export function pathHere(pass: Pass, step?: string): string {
  if (step === undefined) return pass.path.join('/');
  return pass.path.length === 0 ? step : `${pass.path.join('/')}/${step}`;
}

/**
 * Notes an error below where the pass stands. One message survives per path (contract 1.5); codes of `coded_errors` add up. Throws
 * TooManyProblems for one more than `mostProblems`.
 */
export function reportError(pass: Pass, step: string | undefined, message: string): void {
  note(pass, pass.errors, step, message);
}

/** Notes an error of a later check below where the pass stands. */
export function reportLateError(pass: Pass, step: string | undefined, message: string): void {
  note(pass, pass.lateErrors, step, message);
}

/** Notes a warning below where the pass stands. */
export function reportWarning(pass: Pass, step: string | undefined, message: string): void {
  note(pass, pass.warnings, step, message);
}

/** Notes a property that no schema has below where the pass stands. */
export function reportUnknown(pass: Pass, step: string, message: string): void {
  note(pass, pass.unknown, step, message);
}

/** How many problems are told of one body: nobody reads more, and a hostile body must not be answered with megabytes. */
export const mostProblems = 1000;

/** Ends a pass that has found all the problems that are told: what a body costs must not grow with its faults. */
export class TooManyProblems extends Error {}

function note(pass: Pass, found: Map<string, string[]>, step: string | undefined, message: string): void {
  if (found.size >= mostProblems) {
    // Plain errors alone: while there are others, one that is plain may still come and be the one to tell.
    if (found === pass.errors) throw new TooManyProblems();
    return;
  }
  if (step !== 'coded_errors') found.set(pathHere(pass, step), [message]);
  else found.set(step, [...new Set([...(found.get(step) ?? []), message])]);
}

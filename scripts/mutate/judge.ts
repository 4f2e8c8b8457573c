// The verdict on a mutant: whether a test fails with it that passes without it.
import type { Mutant } from './mutants.ts';
import { mutatedText } from './mutants.ts';
import type { Outcome } from './trial.ts';
import { runTests } from './trial.ts';
import type { Workshop } from './workshop.ts';

/** What became of a mutant. `by` is the test that found it, for killed ones. */
export type Verdict = {
  readonly kind: 'killed' | 'survived' | 'timeout' | 'invalid';
  readonly ran: readonly string[];
  readonly by: string | null;
};

/** Gives mutants to tests, one at a time. */
export class Judge {
  /** Test files that fail on the tree as it is; they say nothing about mutants. */
  readonly unfit = new Set<string>();
  readonly #fit = new Set<string>();
  readonly #workshop: Workshop;
  readonly #limits: Parameters<typeof runTests>[2];

  constructor(workshop: Workshop, limits: Parameters<typeof runTests>[2]) {
    this.#workshop = workshop;
    this.#limits = limits;
  }

  /** Makes the change, runs the tests, and takes the change back. */
  async judge(mutant: Mutant, text: string, tests: readonly string[]): Promise<Verdict> {
    try {
      this.#workshop.write(mutant.path, mutatedText(text, mutant));
      if (!this.#workshop.typeChecks()) return { kind: 'invalid', ran: [], by: null };
      for (;;) {
        const fit = tests.filter((test) => !this.unfit.has(test));
        if (fit.length === 0) return { kind: 'survived', ran: [], by: null };
        this.#workshop.write(mutant.path, mutatedText(text, mutant));
        const outcome = await runTests(this.#workshop, fit, this.#limits);
        if (outcome.kind === 'passed') return { kind: 'survived', ran: outcome.ran, by: null };
        this.#workshop.write(mutant.path, text);
        // Without a file not even the set-up worked; then any test shows whether it does on the tree as it is.
        if (await this.#passesUnchanged(outcome.file ?? fit[0] ?? '', outcome.file === null)) return found(outcome);
      }
    } finally {
      this.#workshop.write(mutant.path, text);
    }
  }

  async #passesUnchanged(test: string, isSetUp: boolean): Promise<boolean> {
    if (this.#fit.has(test) && !isSetUp) return true;
    const { kind, ...rest } = await runTests(this.#workshop, [test], this.#limits);
    if (kind !== 'passed' && 'file' in rest && rest.file === null) throw new Error(`no test runs: ${rest.failure}`);
    (kind === 'passed' ? this.#fit : this.unfit).add(test);
    return kind === 'passed';
  }
}

function found(outcome: Exclude<Outcome, { kind: 'passed' }>): Verdict {
  const where = outcome.file ?? 'the set-up of the tests';
  const kind = outcome.kind === 'silent' ? 'timeout' : 'killed';
  return { kind, ran: outcome.ran, by: `${where}: ${outcome.failure.split('\n')[0]}` };
}

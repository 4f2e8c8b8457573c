// The verdict on a mutant: whether a test fails with it that passes without it.
import type { Mutant } from './mutants.ts';
import { mutatedText } from './mutants.ts';
import type { Means, Outcome } from './trial.ts';
import { runTests } from './trial.ts';
import type { Workshop } from './workshop.ts';

/** What became of a mutant. `by` is the test that found it, for killed ones. */
export type Verdict = {
  readonly kind: 'killed' | 'survived' | 'timeout';
  readonly ran: readonly string[];
  readonly by: string | null;
};

/** Gives mutants to tests, one at a time. */
export class Judge {
  /** Test files that fail on the tree as it is; they say nothing about mutants. */
  readonly unfit = new Set<string>();
  readonly #fit = new Set<string>();
  readonly #workshop: Workshop;
  readonly #means: Means;
  readonly #isSetUp: (path: string) => boolean;

  /** `isSetUp` says which files have a part in the template of `means`, so that a mutant of one gets a template of its own. */
  constructor(workshop: Workshop, means: Means, isSetUp: (path: string) => boolean) {
    this.#workshop = workshop;
    this.#means = means;
    this.#isSetUp = isSetUp;
  }

  /** Makes the change, runs the tests, and takes the change back. */
  async judge(mutant: Mutant, text: string, tests: readonly string[]): Promise<Verdict> {
    const means = this.#isSetUp(mutant.path) ? { ...this.#means, template: null } : this.#means;
    try {
      for (;;) {
        const fit = tests.filter((test) => !this.unfit.has(test));
        if (fit.length === 0) return { kind: 'survived', ran: [], by: null };
        this.#workshop.write(mutant.path, mutatedText(text, mutant));
        const outcome = await runTests(this.#workshop, fit, means);
        // A test that passes with a change would without it.
        for (const test of outcome.ran) if (outcome.kind === 'passed' || test !== outcome.file) this.#fit.add(test);
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
    const { kind, ...rest } = await runTests(this.#workshop, [test], { ...this.#means, budgetMs: 0 });
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

// The options of `npm run mutate`.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

/** What a run is asked for. */
export type Options = {
  readonly count: number;
  readonly seed: number;
  readonly only: string | null;
  /** The test files of which is to be recorded what they reach, instead of trying mutants; null for mutants. */
  readonly cover: string | null;
  readonly mutants: readonly string[];
  readonly files: number;
  readonly budgetMs: number;
  /** How many mutants are tried at once. */
  readonly lanes: number;
  /** Null where none is to be written. */
  readonly report: string | null;
};

/** The options in words. */
export const usage = `npm run mutate -- [options]
  --count N      how many mutants that type-check (200)
  --seed N       which ones (1)
  --only GLOB    of these files alone, for example 'libs/**/search/*.ts'
  --cover GLOB   no mutants: run the tests of 'test/**', say, and keep which lines each reaches, by which later runs choose tests
  --mutants IDS  these alone, as a report names them, with commas between
  --files N      run at most so many test files on each that run the service, twice as many pure ones (8)
  --budget N     begin no further test after so many seconds, counted as of an idle machine (30)
  --lanes N      try so many at once (one for each processor)
  --report FILE  where the report goes (test/mutation/results/<date>-seed<seed>.md; with --only or --mutants nowhere)
`;

/** The options of a command line; null where they cannot be understood. `today` is a date as 2026-01-31. */
export function readOptions(args: readonly string[], today: string): Options | null {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      count: text,
      seed: text,
      only: text,
      cover: text,
      mutants: text,
      files: text,
      budget: text,
      lanes: text,
      report: text,
    },
  });
  const number = (given: string | undefined, usual: number): number => (given === undefined ? usual : Number(given));
  const seed = number(values.seed, 1);
  const mutants = values.mutants?.split(',').filter((id) => id !== '') ?? [];
  const count = mutants.length > 0 ? mutants.length : number(values.count, 200);
  const files = number(values.files, 8);
  const budgetMs = number(values.budget, 30) * 1000;
  const lanes = Math.min(number(values.lanes, availableParallelism()), Math.max(1, count));
  if (![seed, count, files, budgetMs, lanes].every((value) => Number.isInteger(value) && value >= 0)) return null;
  if (lanes === 0) return null;
  const isWhole = values.only === undefined && mutants.length === 0;
  const usualReport = isWhole ? `test/mutation/results/${today}-seed${seed}.md` : null;
  return {
    count,
    seed,
    only: values.only ?? null,
    cover: values.cover ?? null,
    mutants,
    files,
    budgetMs,
    lanes,
    report: values.report ?? usualReport,
  };
}

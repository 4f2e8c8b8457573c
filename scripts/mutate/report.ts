// The report of a run in Markdown: how many mutants were found, and each that was not, with the tests that it came through.
import type { Verdict } from './judge.ts';
import type { Mutant } from './mutants.ts';

/** A mutant that type-checks, and what became of it. */
export type Result = { readonly mutant: Mutant; readonly verdict: Verdict; readonly seconds: number };

/** What a report says besides results. */
export type Circumstances = {
  readonly title: string;
  readonly command: string;
  readonly drawn: number;
  /** How many mutants that type-check were asked for. */
  readonly asked: number;
  readonly places: number;
  readonly unfit: readonly string[];
};

/** The whole report. */
export function writeReport(results: readonly Result[], about: Circumstances): string {
  const survivors = results.filter(({ verdict }) => verdict.kind === 'survived');
  const timeouts = results.filter(({ verdict }) => verdict.kind === 'timeout');
  const again = survivors.map(({ mutant }) => mutant.id).join(',');
  const lines = [
    `# ${about.title}`,
    '',
    `${countsOf(results)} ${about.drawn - results.length} of the ${about.drawn} drawn did not type-check and do not count; the tree has ${about.places} places to change. A mutant takes ${mean(results)} s.`,
    ...(results.length < about.asked && about.drawn < about.places
      ? ['', `Not all: the run was ended after ${results.length} of ${about.asked}.`]
      : []),
    '',
    `To repeat, on the same tree: \`${about.command}\`.`,
    ...(survivors.length === 0
      ? []
      : [`The survivors alone, with more tests: \`npm run mutate -- --mutants ${again} --files 60 --budget 600\`.`]),
    ...(about.unfit.length === 0 ? [] : ['', `Left out, since they fail without a mutant: ${about.unfit.join(', ')}.`]),
    '',
    ...byOperator(results),
    ...section('Survivors', ['where', 'change', 'was', 'is', 'tests run'], survivors, ({ verdict }) =>
      verdict.ran.length === 0 ? 'none reaches it' : verdict.ran.map(shortened).join(', '),
    ),
    ...section('Timeouts', ['where', 'change', 'was', 'is', 'silent in'], timeouts, ({ verdict }) => verdict.by ?? ''),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** "Killed 7 of 10 …", for people. */
export function countsOf(results: readonly Result[]): string {
  const count = (kind: Verdict['kind']): number => results.filter(({ verdict }) => verdict.kind === kind).length;
  return `Killed ${count('killed')} of ${results.length}; ${count('survived')} survived, ${count('timeout')} timed out.`;
}

function mean(results: readonly Result[]): string {
  const sum = results.reduce((total, { seconds }) => total + seconds, 0);
  return (results.length === 0 ? 0 : sum / results.length).toFixed(1);
}

function byOperator(results: readonly Result[]): readonly string[] {
  const groups = Object.entries(Object.groupBy(results, ({ mutant }) => mutant.operator));
  const rows = groups.toSorted().map(([operator, group = []]) => {
    const survived = group.filter(({ verdict }) => verdict.kind === 'survived').length;
    return `| ${operator} | ${group.length} | ${survived} |`;
  });
  return ['| change | mutants | survived |', '|---|---|---|', ...rows, ''];
}

function section(
  title: string,
  heads: readonly string[],
  results: readonly Result[],
  last: (result: Result) => string,
): readonly string[] {
  if (results.length === 0) return [];
  const rows = results.map((result) => {
    const { path, line, operator, before, after, id } = result.mutant;
    return `| ${path}:${line} (${id}) | ${operator} | ${code(before)} | ${code(after)} | ${cell(last(result))} |`;
  });
  return [`## ${title}`, '', `| ${heads.join(' | ')} |`, `|${'---|'.repeat(heads.length)}`, ...rows, ''];
}

/** Tests are found by the path below `test`. */
function shortened(test: string): string {
  return test.replace(/^test\//, '').replace(/\.test\.ts$/, '');
}

function code(text: string): string {
  return text === '' ? '(nothing)' : `\`\` ${cell(text)} \`\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

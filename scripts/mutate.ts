// `npm run mutate -- --count 200 --seed 1`: changes the product in small ways, one at a time in a copy of the tree, and says which
// changes no test notices. The tests are those nearest to the changed file (mutate/select-tests.ts), not all of them.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeTemplate, startCluster } from '#test/support/cluster.ts';
import type { Checked } from './mutate/batches.ts';
import { checkedInBatches } from './mutate/batches.ts';
import { distancesTo, findImporters, makesTemplate } from './mutate/imports.ts';
import { coverageFolder, readCoverage } from './mutate/line-coverage/folder.ts';
import { recordCoverage } from './mutate/line-coverage/run.ts';
import { Judge } from './mutate/judge.ts';
import type { Mutant } from './mutate/mutants.ts';
import { drawOrder, isMutable, mutantsOf, mutatedText } from './mutate/mutants.ts';
import { readOptions, usage } from './mutate/options.ts';
import type { Result } from './mutate/report.ts';
import { countsOf, writeReport } from './mutate/report.ts';
import { testSelection } from './mutate/select-tests.ts';
import { findUses } from './mutate/uses.ts';
import { Workshop } from './mutate/workshop.ts';

/** How many mutants are type-checked at once; one in eight or so does not. */
const mostChecked = 24;
const args = process.argv.slice(2);
const today = new Date().toISOString().slice(0, 10);
const options = args.includes('--help') ? null : readOptions(args, today);
if (options === null) {
  process.stderr.write(usage);
  process.exit(2);
}

const root = join(import.meta.dirname, '..');
const pathsOf = (glob: string): readonly string[] =>
  globSync(glob, { cwd: root }).map((path) => path.replaceAll('\\', '/'));
const files = new Map(
  pathsOf('{libs,apps,test,scripts}/**/*.ts')
    .toSorted()
    .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
);
const tests = [...files.keys()].filter((path) => path.endsWith('.test.ts'));
// Our own file, in which `imports` has names of files only.
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  imports: { [alias: string]: string };
};
const importers = findImporters(files, manifest.imports);
if (options.cover !== null) {
  const product = new Map([...files].filter(([path]) => /^(?:libs|apps)\//.test(path)));
  const reached = new Set(pathsOf(options.cover));
  await recordCoverage(
    root,
    product,
    tests.filter((test) => reached.has(test)),
  );
  process.exit();
}
const coverage = readCoverage(coverageFolder(root));
const select = testSelection(importers, findUses(files, manifest.imports), files, tests, coverage);

// Browsers get the console compiled (apps/console/built): a change of what no test imports would reach no test at all.
const isCompiledAlone = (path: string): boolean =>
  path.startsWith('apps/console/') && !tests.some((test) => distancesTo(path, importers).has(test));
const places = [...files].flatMap(([path, text]) =>
  isMutable(path, text) && !isCompiledAlone(path) ? mutantsOf(path, text) : [],
);
const only = options.only === null ? null : new Set(pathsOf(options.only));
const wanted = places.filter(
  ({ id, path }) => (only?.has(path) ?? true) && (options.mutants.length === 0 || options.mutants.includes(id)),
);

// One is for the compiler alone: the others hold a mutant while the next ones are type-checked.
using workshops = new DisposableStack();
const compiler = workshops.use(new Workshop(root));
const lanes = Array.from({ length: options.lanes }, () => workshops.use(new Workshop(root)));
const cluster = await startCluster();
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isStopped = true;
    workshops.dispose();
    void cluster.stop().finally(() => process.exit(130));
  });
const template = 'muniment_mutate_template';
const means = { databaseUrl: cluster.url, template, budgetMs: options.budgetMs };
const judges = lanes.map((workshop) => new Judge(workshop, means, (path) => makesTemplate(path, importers)));
const results: Result[] = [];
let drawn = 0;
let begun = 0;

try {
  await makeTemplate(cluster.url, template);
  // The lanes draw from one row: who is done takes the next.
  const row = checkedInBatches(drawOrder(wanted, options.seed), mostChecked, faultyAmong);
  await Promise.all(judges.map(async (judge) => judgeFrom(row, judge)));
} finally {
  if (!isStopped) await cluster.stop();
}
process.stdout.write(`${countsOf(results)}\n`);

async function judgeFrom(row: Iterator<Checked<Mutant>, void>, judge: Judge): Promise<void> {
  while (begun < (options?.count ?? 0) && !isStopped) {
    const { value } = row.next();
    if (value === undefined) return;
    drawn += 1;
    if (!value.isSound) {
      tell(value.mutant, 'does not type-check');
      continue;
    }
    begun += 1;
    await judgeOne(judge, value.mutant);
  }
}

/** The files of a batch that do not type-check with its changes. */
function faultyAmong(batch: readonly Mutant[]): readonly string[] {
  return compiler.unsoundAmong(new Map(batch.map((mutant) => [mutant.path, mutatedText(textOf(mutant.path), mutant)])));
}

async function judgeOne(judge: Judge, mutant: Mutant): Promise<void> {
  const started = performance.now();
  const verdict = await judge.judge(
    mutant,
    textOf(mutant.path),
    select(mutant.path, mutant.edit.start, options?.files ?? 0),
  );
  // What is heard while everything is taken down is no verdict.
  if (isStopped) return;
  const seconds = (performance.now() - started) / 1000;
  results.push({ mutant, verdict, seconds });
  tell(mutant, `${verdict.kind} (${seconds.toFixed(1)} s)${verdict.by === null ? '' : ` by ${verdict.by}`}`);
  writeDown();
}

function textOf(path: string): string {
  return files.get(path) ?? '';
}

function tell({ path, line, operator, before, after, id }: Mutant, verdict: string): void {
  process.stdout.write(`${results.length}. ${path}:${line} ${operator} ${id}: ${verdict}\n   ${before}\n   ${after}\n`);
}

/** After each mutant, so that a run that is cut off leaves what it found. */
function writeDown(): void {
  if (options?.report == null) return;
  const command = `npm run mutate -- ${args.map((arg) => (/[*{}, ]/.test(arg) ? `'${arg}'` : arg)).join(' ')}`.trim();
  const title = `Mutation testing, ${today}, seed ${options.seed}`;
  const about = {
    title,
    command,
    drawn,
    asked: options.count,
    places: wanted.length,
    unfit: [...new Set(judges.flatMap(({ unfit }) => [...unfit]))],
  };
  const path = resolve(root, options.report);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, writeReport(results, about));
}

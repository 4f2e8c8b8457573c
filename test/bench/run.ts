// `npm run bench [names…] [--date=YYYY-MM-DD]`: runs benchmark modules of this folder, prints their numbers, and writes them to
// results/<date>.md. Each module runs on a PostgreSQL of its own. Numbers of modules that did not run now are kept in the file.
// With `--small` each runs at a size that tells nothing but whether it runs to its end: nothing is written, and what fails is named at the end.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { loadBinaries } from '#store/embedded/binaries.ts';
import type { BenchRow } from './bench.ts';
import { smallest } from './smallest.ts';

const folder = new URL('.', import.meta.url);
const notModules = ['bench.ts', 'components.ts', 'run.ts', 'planted.ts', 'read-data.ts', 'smallest.ts'];
const known = readdirSync(folder)
  .filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.d.ts') && !name.startsWith('.') && !notModules.includes(name),
  )
  .map((name) => name.slice(0, -'.ts'.length))
  .sort();

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    small: { type: 'boolean', default: false },
  },
});
const wanted = positionals.length === 0 ? known : positionals;
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0 || !/^\d{4}-\d{2}-\d{2}$/.test(values.date)) {
  process.stderr.write(
    `Usage: npm run bench [names…] [-- --date=YYYY-MM-DD | --small]\nBenchmarks: ${known.join(', ')}\n`,
  );
  process.exit(2);
}

const file = new URL(`results/${values.date}.md`, folder);
if (values.small) await tryAll();
else await measureAll();

/** Runs the modules, and writes what they measured. */
async function measureAll(): Promise<void> {
  for (const name of wanted) {
    const rows = await runModule(name);
    process.stdout.write(`${tableOf(rows)}\n`);
    // After each, so that a later one that fails takes nothing away.
    await save(
      name,
      `${tableOf(rows)}\n\nRun at ${new Date().toISOString().slice(0, 16)}Z${commit()}. Again: \`npm run bench ${name}\`.`,
    );
  }
}

/** Runs the modules at their smallest; ends with 1 where one fails. Sizes that are set already stay. */
async function tryAll(): Promise<void> {
  const failed: string[] = [];
  for (const [name, value] of Object.entries(smallest)) process.env[name] ??= value;
  for (const name of wanted) {
    try {
      const rows = await runModule(name);
      process.stdout.write(`${rows.length} rows\n`);
      if (rows.length === 0) failed.push(name);
    } catch (error) {
      console.error(error);
      failed.push(name);
    }
  }
  process.stdout.write(`\n${wanted.length - failed.length} of ${wanted.length} run. ${failed.join(', ')}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

async function runModule(name: string): Promise<readonly BenchRow[]> {
  process.stdout.write(`\n${name}\n`);
  const { run }: { run(): Promise<readonly BenchRow[]> } = await import(new URL(`${name}.ts`, folder).href);
  return run();
}

function tableOf(rows: readonly BenchRow[]): string {
  const cell = (value: number | undefined): string =>
    value === undefined ? '' : String(Math.round(value * 1000) / 1000);
  const lines = rows.map(
    (row) =>
      `| ${row.name} | ${cell(row.value)} ${row.unit} | ${cell(row.baseline)} | ${cell(row.ratio)} | ${cell(row.target)} | ${row.pass === undefined ? '' : row.pass ? 'met' : '**missed**'} |`,
  );
  return ['| measured | value | baseline | ratio | target | |', '|---|---|---|---|---|---|', ...lines].join('\n');
}

/** Writes the section of one module into the file of the day, and keeps the others. */
async function save(name: string, section: string): Promise<void> {
  const kept = existsSync(file) ? sectionsOf(readFileSync(file, 'utf8')) : new Map<string, string>();
  kept.set(name, section);
  const sections = [...kept].sort(([a], [b]) => (a < b ? -1 : 1)).map(([title, text]) => `## ${title}\n\n${text}\n`);
  mkdirSync(new URL('results/', folder), { recursive: true });
  writeFileSync(file, `# Benchmarks, ${values.date}\n\n${await machine()}\n\n${sections.join('\n')}`);
}

function sectionsOf(text: string): Map<string, string> {
  return new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((part) => {
        const end = part.indexOf('\n');
        return [part.slice(0, end).trim(), part.slice(end).trim()];
      }),
  );
}

async function machine(): Promise<string> {
  const [processor] = cpus();
  const { version } = await loadBinaries();
  return (
    `${cpus().length} cores (${processor?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB of memory, Node ${process.versions.node}, PostgreSQL ${version} with its usual durability (fsync on).\n` +
    'A target is held against the ratio where there is one, else against the value. All of them again: `npm run bench`.'
  );
}

function commit(): string {
  try {
    return `, commit ${execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()}`;
  } catch {
    return '';
  }
}

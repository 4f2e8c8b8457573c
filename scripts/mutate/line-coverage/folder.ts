// Where it is kept which lines each test reaches: a file for each test, to which the process of the test and its threads append, and the digests of the
// files of the product as they were then.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lines } from './record.ts';

/** The folder of a tree at `root`. */
export const coverageFolder = (root: string): string => join(root, 'node_modules', '.cache', 'mutate-coverage');

const fileOf = (folder: string, test: string): string => join(folder, `${encodeURIComponent(test)}.ndjson`);
const currentOf = (folder: string): string => join(folder, `current-${process.pid}`);
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
const digestsOf = (folder: string): string => join(folder, 'digests.json');

/** Makes the folder ready for a run of these tests: what was known of them goes, and so does everything where files (texts by path) have changed since. */
export function prepareFolder(folder: string, files: ReadonlyMap<string, string>, tests: readonly string[]): void {
  const digests = JSON.stringify(Object.fromEntries([...files].map(([path, text]) => [path, digestOf(text)])));
  const isSame = existsSync(digestsOf(folder)) && readFileSync(digestsOf(folder), 'utf8') === digests;
  if (!isSame) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const test of tests) rmSync(fileOf(folder, test), { force: true });
  writeFileSync(digestsOf(folder), digests);
}

/** Says which test this process runs from now on, its threads included. */
export function setCurrent(folder: string, test: string): void {
  writeFileSync(currentOf(folder), test);
}

/** Adds lines to those of the test that the process runs; nothing while it runs none. */
export function appendLines(folder: string, lines: Lines): void {
  if (Object.keys(lines).length === 0 || !existsSync(currentOf(folder))) return;
  appendFileSync(fileOf(folder, readFileSync(currentOf(folder), 'utf8')), `${JSON.stringify(lines)}\n`);
}

/** Which tests reach a line. */
export type Coverage = {
  /** The tests of which it is known what they reach. */
  readonly recorded: ReadonlySet<string>;
  /** Those of them that run this line of a file with this text; none where none does, or the file was another one then. */
  readonly reaching: (path: string, text: string, line: number) => ReadonlySet<string>;
};

/** Reads the folder; a tree of which nothing was recorded has no tests there. */
export function readCoverage(folder: string): Coverage {
  const byPath = new Map<string, Map<string, Set<number>>>();
  const recorded = new Set<string>();
  for (const name of globSync('*.ndjson', { cwd: folder })) {
    const test = decodeURIComponent(name.slice(0, -'.ndjson'.length));
    recorded.add(test);
    for (const row of readFileSync(join(folder, name), 'utf8').trim().split('\n')) {
      // Our own file (appendLines).
      for (const [path, lines] of Object.entries(JSON.parse(row) as Lines)) {
        const tests = byPath.get(path) ?? new Map<string, Set<number>>();
        const reached = tests.get(test) ?? new Set();
        for (const line of lines) reached.add(line);
        byPath.set(path, tests.set(test, reached));
      }
    }
  }
  const digests: { readonly [path: string]: string } =
    recorded.size === 0 ? {} : JSON.parse(readFileSync(digestsOf(folder), 'utf8'));
  const reaching: Coverage['reaching'] = (path, text, line) =>
    digests[path] === digestOf(text)
      ? new Set([...(byPath.get(path) ?? [])].flatMap(([test, lines]) => (lines.has(line) ? [test] : [])))
      : new Set();
  return { recorded, reaching };
}

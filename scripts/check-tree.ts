// Checks the rules of the tree and fails with a list of what breaks them. Of rules that came later than the tree, a list says
// what is forgiven (check-tree/exceptions.json); it may only shrink: `--shrink` takes off it what is mended.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exceptions } from './check-tree/exceptions.ts';
import { compareExceptions, countPaths, shrinkExceptions } from './check-tree/exceptions.ts';
import { kindNamesOf, namedKinds } from './check-tree/kind-names.ts';
import {
  fileName,
  importDirection,
  kindName,
  longFiles,
  purity,
  queriesInLoops,
  statedRows,
  unsaidKinds,
  unusedPackages,
  withoutTest,
} from './check-tree/rules.ts';
import { readTree } from './check-tree/tree.ts';

const root = join(import.meta.dirname, '..');
const listPath = join(root, 'scripts/check-tree/exceptions.json');
const files = readTree(root);
// Our own files; npm keeps the shape of the one, --shrink that of the other.
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly dependencies?: object;
  readonly devDependencies?: object;
};
const listed = JSON.parse(readFileSync(listPath, 'utf8')) as Exceptions;
const declared = [...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.devDependencies ?? {})];

const perFile = [importDirection, purity, fileName, kindName, statedRows];
const problems = [
  ...files.flatMap((file) => perFile.flatMap((rule) => rule(file))),
  ...unusedPackages(files, declared),
];

const generated = spawnSync(process.execPath, [join(root, 'scripts/generate.ts'), '--check'], { encoding: 'utf8' });
if (generated.status !== 0) problems.push(generated.stderr.trim());

const kindNames = kindNamesOf(files);
const found: Exceptions = {
  'longer than 300 lines (tests: 400)': countPaths(longFiles(files)),
  'without a test': countPaths(withoutTest(files)),
  'queries awaited in a for loop': countPaths(files.flatMap(queriesInLoops)),
  'records of kinds that a statement does not say': countPaths(files.flatMap(unsaidKinds)),
  'kinds named in generic code': countPaths(files.flatMap((file) => namedKinds(file, kindNames))),
};
if (process.argv.includes('--shrink'))
  writeFileSync(listPath, `${JSON.stringify(shrinkExceptions(found, listed), null, 2)}\n`);
else problems.push(...compareExceptions(found, listed));

if (problems.length === 0) {
  process.stdout.write(`${files.length} files keep the rules of the tree.\n`);
} else {
  process.stderr.write(`${problems.join('\n')}\n${problems.length} problems.\n`);
  process.exitCode = 1;
}

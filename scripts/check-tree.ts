// Checks the rules of the tree and fails with a list of what breaks them. Warnings are counted and do not fail;
// `--verbose` lists them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importDirection, kindName, purity, queriesInLoops, sizeAndName, unusedPackages, withoutTest } from './check-tree/rules.ts';
import { readTree } from './check-tree/tree.ts';

const root = join(import.meta.dirname, '..');
const files = readTree(root);
// Our own file; npm keeps its shape.
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly dependencies?: object; readonly devDependencies?: object };
const declared = [...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.devDependencies ?? {})];

const perFile = [importDirection, purity, sizeAndName, kindName];
const problems = [...files.flatMap((file) => perFile.flatMap((rule) => rule(file))), ...unusedPackages(files, declared)];

const generated = spawnSync(process.execPath, [join(root, 'scripts/generate.ts'), '--check'], { encoding: 'utf8' });
if (generated.status !== 0) problems.push(generated.stderr.trim());

const warnings: readonly (readonly [what: string, where: readonly string[]])[] = [
  ['files without a test of their name', withoutTest(files)],
  ['queries awaited in a for loop', files.flatMap(queriesInLoops)],
];

for (const [what, where] of warnings) {
  if (where.length === 0) continue;
  process.stdout.write(`warning: ${where.length} ${what}\n`);
  if (process.argv.includes('--verbose')) process.stdout.write(where.map((path) => `  ${path}\n`).join(''));
}
if (problems.length === 0) {
  process.stdout.write(`${files.length} files keep the rules of the tree.\n`);
} else {
  process.stderr.write(`${problems.join('\n')}\n${problems.length} problems.\n`);
  process.exitCode = 1;
}

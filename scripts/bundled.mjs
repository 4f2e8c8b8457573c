// What is run for a program: its bundle (scripts/bundle.ts), where that was made of the very files that are there now; else the program's own file.
// Plain JavaScript on purpose, as start.mjs, which asks.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';

/**
 * Where the bundles of a project are: where only whoever installed may write, as compiled code. `name`: those of the service's programs, or of others
 * (test/support/test-programs.ts).
 */
export const bundleFolder = (root, name = 'bundle') => join(root, 'node_modules/.cache', name);

/**
 * The bundles of a project by the paths of their programs, from its root; none where a file that they were made of has changed since or is gone, and
 * where the packages are those of another project, whose data these bundles would read. `needed`: none either where that program is not among them,
 * for which no file is read then.
 */
export function bundlesOf(root, needed = null, folder = bundleFolder(root)) {
  try {
    const { bundles, sources, digest } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    const isAsked = needed === null || Object.hasOwn(bundles, needed);
    return isAsked && hasOwnPackages(root) && digestOf(root, sources) === digest ? bundles : {};
  } catch {
    return {};
  }
}

/** Whether the packages of a project are in its own folder, and no link leads to them. */
export const hasOwnPackages = (root) =>
  realpathSync(join(root, 'node_modules')) === join(realpathSync(root), 'node_modules');

/** The path of what is to be run for a program, which may be named through a link. */
export function runnable(root, program, folder = bundleFolder(root)) {
  const path = resolve(program);
  const place = relative(realpathSync(root), existsSync(path) ? realpathSync(path) : path)
    .split(sep)
    .join('/');
  const bundles = bundlesOf(root, place, folder);
  return Object.hasOwn(bundles, place) ? join(folder, bundles[place]) : program;
}

/** A digest of files of a project (paths from its root): of their names and of what is in them, since times do not survive every way of copying. */
export function digestOf(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex');
}

// Which earlier states an upgrade is tried from, and their programs in folders of their own: as they were committed, with the packages of their
// own lock file.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '#test/support/service.ts';

/** An earlier state: what it is called, and its commit. */
export type Earlier = { readonly ref: string; readonly commit: string };

/** Its program, installed; dispose to remove it. */
export type Installed = Disposable & { readonly root: string };

const git = (...args: readonly string[]): string =>
  execFileSync('git', [...args], { cwd: projectRoot, encoding: 'utf8', maxBuffer: 1 << 30 }).trim();

const Landed = z.strictObject({ landed: z.array(z.string()) });

/** The states that were named, or the last two releases, or, where nothing was released yet, what landed.json says. Throws where one is none. */
export function earlierStates(named: readonly string[]): readonly Earlier[] {
  const tags = git('tag', '--list', 'v*', '--sort=-version:refname').split('\n').filter(isRelease).slice(0, 2);
  const recorded = (): readonly string[] =>
    Landed.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'landed.json'), 'utf8'))).landed;
  const refs = named.length > 0 ? named : tags.length > 0 ? tags : recorded();
  return refs.map((ref) => ({ ref, commit: git('rev-parse', '--verify', '--short', `${ref}^{commit}`) }));
}

/** Whether a tag is that of a release, and not of a candidate for one (docs/decisions/0048). */
export const isRelease = (tag: string): boolean => /^v\d+\.\d+\.\d+$/.test(tag);

/** Checks a state out and installs it; some minutes. `kept`: a folder in which it is left for the next run, which finds it there. */
export function install({ commit }: Earlier, kept?: string): Installed {
  const root = kept === undefined ? mkdtempSync(join(tmpdir(), `muniment-${commit}-`)) : join(resolve(kept), commit);
  const installed = {
    root,
    [Symbol.dispose]: () => {
      if (kept === undefined) rmSync(root, { recursive: true, force: true });
    },
  };
  // What npm writes last.
  if (existsSync(join(root, 'node_modules/.package-lock.json'))) return installed;
  mkdirSync(root, { recursive: true });
  // The embedded server runs as another user where this one is root.
  chmodSync(root, 0o755);
  const files = execFileSync('git', ['archive', '--format=tar', commit], { cwd: projectRoot, maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', root], { input: files });
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: root, stdio: 'inherit' });
  return installed;
}

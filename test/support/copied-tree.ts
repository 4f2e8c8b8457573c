// A copy of the project's tree in a folder of its own, with what somebody adds laid over it: what a newcomer has who follows CONTRIBUTING.
// Files of an addition stand below their folder as they would in the tree: <additions>/libs/domain/jobs/list-titles.ts.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './service.ts';

/** How a program of the copy ended. */
type Ended = { readonly status: number | null; readonly output: string };

/** The copy; dispose to remove it. */
export type CopiedTree = Disposable & {
  readonly root: string;
  /** `npm run generate` in it, with further options. */
  generate(...options: readonly string[]): Ended;
  /** `npm run check:types` in it: additions are checked here, since in their own folder their imports lead nowhere. */
  checkTypes(): Ended;
};

// Scripts use what tests share.
const folders = ['apps', 'db', 'libs', 'scripts', 'test/support'];
const files = ['package.json', 'tsconfig.json'];

/** Copies the tree, and lays the folders over it one after the other. Installed packages are those of the project. */
export function copyTree(...additions: readonly string[]): CopiedTree {
  const root = mkdtempSync(join(tmpdir(), 'muniment-tree-'));
  for (const path of [...folders, ...files]) cpSync(join(projectRoot, path), join(root, path), { recursive: true });
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  for (const folder of additions) cpSync(folder, root, { recursive: true });
  const run = (...program: readonly string[]): Ended => {
    const { status, stdout, stderr } = spawnSync(process.execPath, program, { cwd: root, encoding: 'utf8' });
    return { status, output: stdout + stderr };
  };
  return {
    root,
    generate: (...options) => run('scripts/generate.ts', ...options),
    checkTypes: () => run('node_modules/typescript/bin/tsc', '-p', '.'),
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

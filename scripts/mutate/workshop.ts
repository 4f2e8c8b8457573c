// The place where files are changed: a copy of the tree in a temporary folder, with the packages of the original. The work tree itself
// is never written to.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stopServer } from '#store/embedded/postmaster.ts';
import type { Fault } from './faults.ts';
import { accused, faultsIn } from './faults.ts';

const left = /^(?:node_modules|data|tmp|coverage|\.git.*)$/;

/** A copy of the tree to change files in, one at a time. */
export class Workshop implements Disposable {
  /** The copy. */
  readonly tree: string;
  /** What the tests take for the folder of temporary files. */
  readonly scratch: string;
  /** Where Node keeps what it compiled, from one run of tests to the next. */
  readonly compileCache: string;
  readonly #folder: string;

  /** Copies the tree at the root. */
  constructor(root: string) {
    this.#folder = mkdtempSync(join(tmpdir(), 'muniment-mutate-'));
    this.tree = join(this.#folder, 'tree');
    // Short, since sockets are made in it.
    this.scratch = join(this.#folder, 't');
    this.compileCache = join(this.#folder, 'cache');
    for (const folder of [this.tree, this.scratch]) mkdirSync(folder);
    // Where we are root, PostgreSQL is another user and must get in.
    for (const folder of [this.#folder, this.scratch]) chmodSync(folder, 0o755);
    for (const name of readdirSync(root).filter((entry) => !left.test(entry)))
      cpSync(join(root, name), join(this.tree, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(this.tree, 'node_modules'));
    if (this.#faults().length > 0) throw new Error('the tree does not type-check as it is');
  }

  /** Writes a file of the copy. */
  write(path: string, text: string): void {
    writeFileSync(join(this.tree, path), text);
  }

  /** Those of the changed files (texts by path) that do not type-check, or because of which others do not. */
  unsoundAmong(changes: ReadonlyMap<string, string>): readonly string[] {
    const before = [...changes.keys()].map((path) => [path, readFileSync(join(this.tree, path), 'utf8')] as const);
    for (const [path, text] of changes) this.write(path, text);
    const faults = this.#faults();
    for (const [path, text] of before) this.write(path, text);
    return accused(faults, [...changes.keys()], (left) =>
      this.unsoundAmong(new Map([...changes].filter(([path]) => left.includes(path)))),
    );
  }

  /** Ends the database servers that tests left running, and removes what else they left. */
  async tidy(): Promise<void> {
    const servers = globSync('**/postmaster.pid', { cwd: this.scratch }).map((file) =>
      join(this.scratch, dirname(file)),
    );
    await Promise.all(servers.map((folder) => stopServer(folder, 5_000)));
    for (const name of readdirSync(this.scratch)) rmSync(join(this.scratch, name), { recursive: true, force: true });
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Types only: a variable that the change leaves unused is no fault. */
  #faults(): readonly Fault[] {
    const unused = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false', '--pretty', 'false'];
    const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
    const { status, error, stdout } = spawnSync(process.execPath, [tsc, '-p', '.', ...unused], {
      cwd: this.tree,
      encoding: 'utf8',
    });
    const faults = faultsIn(stdout);
    if (error !== undefined || status === null || (status === 0) !== (faults.length === 0))
      throw new Error('the compiler did not run', { cause: error ?? stdout });
    return faults;
  }
}

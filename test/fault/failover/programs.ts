// Programs of a Debian 13 in a folder (make-root.sh), run as its user postgres. Each has a mount of /proc of its own, which is gone with it.
import type { ChildProcess } from 'node:child_process';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Why nothing can be run; null where it can. */
export function cannotRun(): string | null {
  const root = process.env['MUNIMENT_PATRONI_ROOT'];
  if (root === undefined)
    return 'MUNIMENT_PATRONI_ROOT names no folder with Patroni (test/fault/failover/make-root.sh makes one)';
  if (!existsSync(join(root, 'usr/bin/patroni'))) return `there is no Patroni in ${root}`;
  if (process.geteuid?.() !== 0) return 'only root may change into another root folder';
  return null;
}

/** A folder inside the other Debian, which its programs write to. Dispose to remove it. */
export class Room implements Disposable {
  readonly #root: string;
  /** The folder, as programs in there see it. */
  readonly path: string;

  constructor() {
    this.#root = process.env['MUNIMENT_PATRONI_ROOT'] ?? '';
    mkdirSync(join(this.#root, 'var/tmp'), { recursive: true });
    const folder = mkdtempSync(join(this.#root, 'var/tmp/muniment-failover-'));
    this.path = folder.slice(join(this.#root, '/').length - 1);
    this.#inside(['chown', 'postgres:', this.path], 'root');
  }

  /** A place in the folder, as this process sees it. */
  outside(name: string): string {
    return join(this.#root, this.path, name);
  }

  /** Starts a program. Its pid is that of the program itself. */
  start(command: readonly string[]): Program {
    return new Program(spawn('unshare', this.#way(command, 'postgres'), { stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  /** Runs a program to its end; gives what it wrote, and fails where it fails. */
  async run(command: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)('unshare', this.#way(command, 'postgres'));
    return stdout;
  }

  #inside(command: readonly string[], user: string): void {
    execFileSync('unshare', this.#way(command, user));
  }

  #way(command: readonly string[], user: string): string[] {
    const script =
      'mount -t proc proc "$1/proc"; root=$1 user=$2; shift 2; exec chroot --userspec="$user" "$root" "$@"';
    return ['--mount', '--propagation', 'private', 'sh', '-euc', script, 'inside', this.#root, user, ...command];
  }

  [Symbol.dispose](): void {
    rmSync(join(this.#root, this.path), { recursive: true, force: true });
  }
}

/** A program that runs, and what it wrote. */
export class Program {
  readonly #child: ChildProcess;
  #output = '';

  constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text;
      });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  get output(): string {
    return this.#output;
  }

  get isOver(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Ends it, by a signal, and waits for that. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.isOver) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    await ended;
  }
}

/** The number that a file begins with, such as postmaster.pid; null where there is none. */
export function pidIn(file: string): number | null {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10);
  } catch {
    return null;
  }
}

// Under which user the embedded PostgreSQL runs. PostgreSQL refuses uid 0, so a root Node must hand it to another user, and
// that user must be able to reach both the programs and the data. Each road below was proved; the order goes from plain to odd.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';

/** A numeric user and group of the operating system. */
export type Identity = { readonly uid: number; readonly gid: number };

/** How to run the programs: `[...prefix, program, ...args]` with the spawn option `identity`, on files that `owner` owns. */
export type Account = {
  readonly road: 'self' | 'other_user' | 'user_namespace' | 'copied_programs';
  readonly prefix: readonly string[];
  /** The uid and gid to spawn with; absent: our own. */
  readonly identity: Identity | undefined;
  /** Who must own the data; absent: leave ownership alone. */
  readonly owner: Identity | undefined;
  readonly binaries: Binaries;
  /** Whether the account can reach the folder it was chosen for; false only on the road `copied_programs`. */
  readonly reachesHome: boolean;
};

const nobody: Identity = { uid: 65534, gid: 65534 };
const namespacePrefix = ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`];

/**
 * Chooses the account for a cluster in `clusterDir` inside `home` (which exists). Ordinary users run it as themselves. Root uses
 * the owner of the cluster, else `postgres`, else `nobody`; where that user cannot reach the files, a user namespace in which
 * root's files belong to nobody; where namespaces are forbidden, programs copied to `stateFolder`.
 */
export function chooseAccount(options: {
  readonly home: string;
  readonly clusterDir: string;
  readonly binaries: Binaries;
  readonly stateFolder: string;
  readonly mayUnshare?: boolean;
}): Account {
  const { home, clusterDir, binaries } = options;
  if (process.geteuid?.() !== 0) {
    return { road: 'self', prefix: [], identity: undefined, owner: undefined, binaries, reachesHome: true };
  }
  const identity = ownerOf(clusterDir) ?? findUser('postgres') ?? nobody;
  const reachesHome = canEnter(home, identity);
  const direct = { prefix: [], identity, owner: identity } as const;
  if (reachesHome && canRun(binaries.postgres, identity))
    return { road: 'other_user', ...direct, binaries, reachesHome };

  const unshared =
    options.mayUnshare !== false &&
    spawnSync('unshare', [...namespacePrefix.slice(1), binaries.postgres, '--version'], { cwd: '/' }).status === 0;
  if (unshared) {
    // Outside the namespace the process is root, so the files stay root's and folders closed to others do not matter.
    return {
      road: 'user_namespace',
      prefix: namespacePrefix,
      identity: undefined,
      owner: { uid: 0, gid: 0 },
      binaries,
      reachesHome: true,
    };
  }
  const copied = copyPrograms(binaries, options.stateFolder);
  if (!canRun(copied.postgres, identity)) {
    throw new Error(
      `PostgreSQL does not run as root, and user ${identity.uid} can run its programs neither from ${binaries.native} nor from ${copied.native}. Start Muniment as an ordinary user, or set DATABASE_URL.`,
    );
  }
  return { road: 'copied_programs', ...direct, binaries: copied, reachesHome };
}

/** Gives everything under `path`, and last `path` itself, to `owner`; the order lets an interrupted run be noticed and repeated. */
export function giveTo(path: string, owner: Identity): void {
  const found = lstatSync(path);
  if (found.isDirectory()) for (const name of readdirSync(path)) giveTo(join(path, name), owner);
  if (found.isSymbolicLink()) return;
  if (found.uid !== owner.uid || found.gid !== owner.gid) chownSync(path, owner.uid, owner.gid);
}

/** Whether the identity can enter the folder, which needs the right to traverse each of its parents too. */
export function canEnter(folder: string, identity: Identity): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...identity, cwd: '/' }).status === 0;
}

function canRun(program: string, identity: Identity): boolean {
  return spawnSync(program, ['--version'], { ...identity, cwd: '/' }).status === 0;
}

function ownerOf(path: string): Identity | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid };
}

function findUser(name: string): Identity | undefined {
  if (!existsSync('/etc/passwd')) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined || Number(uid) === 0) return undefined;
  return { uid: Number(uid), gid: Number(gid) };
}

function copyPrograms(binaries: Binaries, stateFolder: string): Binaries {
  const native = join(stateFolder, `postgresql-${binaries.version}`);
  if (!existsSync(native)) {
    makeOpenFolder(stateFolder);
    const partial = `${native}.new-${process.pid}`;
    rmSync(partial, { recursive: true, force: true });
    cpSync(binaries.native, partial, { recursive: true, verbatimSymlinks: true });
    chmodSync(partial, 0o755);
    renameSync(partial, native);
  }
  return { ...binaries, native, initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/** Makes a folder that every user may enter, whatever the umask. */
export function makeOpenFolder(path: string): void {
  if (existsSync(path)) return;
  mkdirSync(path, { recursive: true });
  chmodSync(path, 0o755);
}

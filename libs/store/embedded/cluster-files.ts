// The files of the embedded cluster: where they are, how they come into being (whole or not at all), and whether this version of
// PostgreSQL can read them.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { giveTo, makeOpenFolder } from './account.ts';
import type { Account } from './account.ts';
import { processState } from './postmaster.ts';
import { initdbArguments } from './settings.ts';

/** The environment of both programs: none of ours, which holds secrets and PG* variables that would change their meaning. */
export const programEnvironment = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' } as const;

/** The cluster's directory: `<dataDir>/pg`, or what that symbolic link (made by `placeInStateFolder`) points to. */
export function findClusterDir(dataDir: string): string {
  const path = join(dataDir, 'pg');
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : path;
}

/**
 * Where root's data folder is closed to the server's user, and namespaces are forbidden: a new cluster goes to `stateFolder`, and a
 * symbolic link in the data folder remembers it. A cluster with data is not moved behind the operator's back: throws.
 */
export function placeInStateFolder(dataDir: string, stateFolder: string): string {
  if (existsSync(join(dataDir, 'pg'))) {
    throw new Error(
      `The database in ${dataDir} cannot be reached by the user PostgreSQL runs as. Move the data directory out of folders that only root may enter, or start Muniment as an ordinary user.`,
    );
  }
  const home = join(stateFolder, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));
  makeOpenFolder(stateFolder);
  makeOpenFolder(home);
  symlinkSync(join(home, 'pg'), join(dataDir, 'pg'));
  return join(home, 'pg');
}

/**
 * Makes a new cluster unless one is there; returns whether it did. It is made beside its place and renamed, so that a run cut
 * off in the middle leaves nothing that looks like a database.
 */
export function initialiseCluster(clusterDir: string, account: Account, isDurable: boolean): boolean {
  removeRemains(clusterDir);
  if (existsSync(join(clusterDir, 'PG_VERSION'))) return false;
  const partial = `${clusterDir}.new-${process.pid}`;
  mkdirSync(partial, { mode: 0o700 });
  if (account.owner) chownSync(partial, account.owner.uid, account.owner.gid);
  const [program, ...args] = [...account.prefix, account.binaries.initdb, ...initdbArguments(partial, isDurable)];
  const run = spawnSync(program ?? account.binaries.initdb, args, {
    ...account.identity,
    cwd: '/',
    env: programEnvironment,
    encoding: 'utf8',
  });
  if (run.status !== 0) {
    rmSync(partial, { recursive: true, force: true });
    throw new Error(`initdb failed: ${run.error?.message ?? `${run.stderr}${run.stdout}`.trim()}`);
  }
  try {
    renameSync(partial, clusterDir);
    return true;
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (existsSync(join(clusterDir, 'PG_VERSION'))) return false; // Another process made one meanwhile.
    throw error;
  }
}

/** Hands an existing cluster to the account where it belongs to another user. Only for a cluster on which no server runs. */
export function handOver(clusterDir: string, account: Account): void {
  if (account.owner && statSync(clusterDir).uid !== account.owner.uid) giveTo(clusterDir, account.owner);
}

/** Refuses a cluster that another major version of PostgreSQL wrote. */
export function checkVersion(clusterDir: string, version: string): void {
  const written = readFileSync(join(clusterDir, 'PG_VERSION'), 'utf8').trim();
  const major = version.split('.')[0];
  if (written === major) return;
  throw new Error(
    `The database in ${clusterDir} was written by PostgreSQL ${written}, and this version of Muniment brings PostgreSQL ${version}, which cannot read it. ` +
      'Start the previous version of Muniment, export everything with its command line, then start this version on an empty data directory and import; ' +
      `or serve the directory with a PostgreSQL ${written} of your own and set DATABASE_URL.`,
  );
}

/**
 * The folder of the Unix socket, 0700 and the server's: `run` beside the cluster, or a new one under the temporary folder where
 * that path is too long (sun_path holds 107 bytes on Linux and 103 on macOS).
 */
export function makeSocketDir(clusterDir: string, account: Account): string {
  const near = join(dirname(clusterDir), 'run');
  const fits = Buffer.byteLength(join(near, '.s.PGSQL.5432')) <= 103;
  if (fits) mkdirSync(near, { recursive: true, mode: 0o700 });
  const dir = fits ? near : mkdtempSync(join(tmpdir(), temporarySocketPrefix));
  if (account.owner) chownSync(dir, account.owner.uid, account.owner.gid);
  return dir;
}

/** Removes a socket folder that `makeSocketDir` made under the temporary folder, and no other. */
export function removeSocketDir(socketDir: string): void {
  if (socketDir.startsWith(join(tmpdir(), temporarySocketPrefix))) rmSync(socketDir, { recursive: true, force: true });
}

const temporarySocketPrefix = 'muniment-socket-';

/** Removes half-made clusters of processes that are gone. */
function removeRemains(clusterDir: string): void {
  const home = dirname(clusterDir);
  for (const name of readdirSync(home)) {
    const pid = /^pg\.new-(\d+)$/.exec(name)?.[1];
    if (pid === undefined) continue;
    if (Number(pid) === process.pid || processState(Number(pid)) !== 'running')
      rmSync(join(home, name), { recursive: true, force: true });
  }
}

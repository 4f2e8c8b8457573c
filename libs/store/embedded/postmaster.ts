// What can be learned about a PostgreSQL server from its data directory and the process table: is one running here, where does
// it listen, is its lock file stale; and how to stop it. Needs no connection and no memory of who started it.
import { readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The parts of `postmaster.pid` that we use. */
export type Postmaster = { readonly pid: number; readonly port: number; readonly socketDir: string };

/** Reads `postmaster.pid`; undefined where there is none, or where it is too young to name a socket directory. */
export function readPostmaster(clusterDir: string): Postmaster | undefined {
  const lines = readText(lockFile(clusterDir))?.split('\n');
  // Lines: pid, data directory, start time, port, socket directory, listen addresses, shared memory key, status.
  const [pid, , , port, socketDir] = lines ?? [];
  if (pid === undefined || port === undefined || !socketDir) return undefined;
  return { pid: Number(pid), port: Number(port), socketDir };
}

/** The path of the file that PostgreSQL holds while a server runs on the directory. */
export function lockFile(clusterDir: string): string {
  return join(clusterDir, 'postmaster.pid');
}

/** The path of the second lock file, which guards the socket. */
export function socketLockFile(socketDir: string): string {
  return join(socketDir, '.s.PGSQL.5432.lock');
}

/** The state of a process. A zombie is dead: only its parent has not asked for the exit code. */
export function processState(pid: number): 'running' | 'zombie' | 'gone' {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EPERM') return 'running';
    return 'gone';
  }
  return procFields(pid)?.[0] === 'Z' ? 'zombie' : 'running';
}

/** A mark that tells a process from a later one with the same pid; empty where the system has no /proc. */
export function processBirth(pid: number): string {
  return procFields(pid)?.[19] ?? '';
}

/**
 * Whether `pid` runs and is a server on this directory. A recorded pid may since belong to any other process (always so in a
 * restarted container), so the working directory is compared, which for PostgreSQL is its data directory.
 */
export function isServerOf(pid: number, clusterDir: string): boolean {
  if (processState(pid) !== 'running') return false;
  const workingDir = readWorkingDir(pid);
  return workingDir === undefined || workingDir === clusterDir;
}

/**
 * Removes the lock files of directory and socket where the recorded process is a zombie or somebody else, once no process works
 * in the directory any more. PostgreSQL itself removes them where the process is gone, and refuses to start in these two cases.
 * Returns whether it removed any.
 */
export function removeStaleLocks(clusterDir: string, socketDir: string): boolean {
  const stale = [lockFile(clusterDir), socketLockFile(socketDir)].filter((path) => {
    const recorded = Number(readText(path)?.split('\n')[0] || Number.NaN);
    return Number.isInteger(recorded) && processState(recorded) !== 'gone' && !isServerOf(recorded, clusterDir);
  });
  if (stale.length === 0) return false;
  const pids = listProcesses();
  if (pids === undefined || pids.some((pid) => readWorkingDir(pid) === clusterDir)) return false;
  for (const path of stale) rmSync(path, { force: true });
  return true;
}

/**
 * Stops the server on the directory, if one runs: fast shutdown (open transactions are rolled back, everything is written),
 * and where that does not end within `patienceMs`, immediate shutdown, which loses nothing committed either.
 */
export async function stopServer(clusterDir: string, patienceMs = 60_000): Promise<'stopped' | 'not_running'> {
  const pid = readPostmaster(clusterDir)?.pid;
  if (pid === undefined || !isServerOf(pid, clusterDir)) return 'not_running';
  process.kill(pid, 'SIGINT');
  if (await ends(pid, patienceMs)) return 'stopped';
  process.kill(pid, 'SIGQUIT');
  if (await ends(pid, 10_000)) return 'stopped';
  throw new Error(`PostgreSQL (process ${pid}) did not stop.`);
}

async function ends(pid: number, patienceMs: number): Promise<boolean> {
  const deadline = performance.now() + patienceMs;
  while (processState(pid) === 'running') {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/** The fields of /proc/<pid>/stat from the state on; the name before it is in brackets and may hold anything. */
function procFields(pid: number): string[] | undefined {
  const text = readText(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function listProcesses(): number[] | undefined {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return undefined; // No /proc (macOS): PostgreSQL's own check of the lock file has to do.
  }
}

function readWorkingDir(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined; // Gone, a zombie, another user's, or no /proc.
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (
      error instanceof Error &&
      'code' in error &&
      (error.code === 'ENOENT' || error.code === 'ESRCH' || error.code === 'ENOTDIR')
    )
      return undefined;
    throw error;
  }
}

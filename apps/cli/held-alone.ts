// What one run of the command line at a time may work on, such as a folder that is imported: two that read the same state would both do what is left.
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { processBirth, processState } from '#store/embedded/postmaster.ts';
import { CliFailure } from './failure.ts';

/** A run may be seen between making the file and writing into it. */
const beginningMs = 10_000;
/** How often a run gives its file the time: of one on another machine, or in another container, nothing else is known from here. */
const signMs = 10_000;
const silentMs = 6 * signMs;

/**
 * Holds `file`, which stands for `what`, until it is disposed; fails where another run has it that lives. What a killed run left is taken over: at once where it was one of
 * this machine, else when it gave no sign for a minute.
 */
export function holdAlone(file: string, what: string): Disposable {
  const own = `${process.pid} ${processBirth(process.pid)} ${hostname()}\n`;
  while (!isMade(file, own)) {
    const holder = read(file);
    if (holder === null) continue;
    const [pid = '', , host = ''] = holder.trim().split(' ');
    if (isAlive(file, holder))
      throw new CliFailure(
        `${what} is worked on by another run (process ${pid || 'unknown'}${host === '' || host === hostname() ? '' : ` of ${host}`}): wait for its end, or a minute where it was killed.`,
      );
    // Looked at once more: whoever found the same remains may have taken them over since.
    if (read(file) === holder) rmSync(file, { force: true });
  }
  const signs = setInterval(() => sign(file), signMs).unref();
  return {
    [Symbol.dispose]: () => {
      clearInterval(signs);
      if (read(file) === own) rmSync(file, { force: true });
    },
  };
}

function sign(file: string): void {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    // Removed by somebody who knows better: nothing to hold any more.
  }
}

function isMade(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function isAlive(file: string, holder: string): boolean {
  const [pid = '', birth = '', host = ''] = holder.trimEnd().split(' ');
  const silence = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (host === '') return silence < beginningMs;
  if (host !== hostname()) return silence < silentMs;
  return processState(Number(pid)) === 'running' && processBirth(Number(pid)) === birth;
}

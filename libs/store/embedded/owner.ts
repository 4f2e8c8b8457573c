// Which Muniment process is responsible for the embedded server: the one that stops it when it ends. Kept as a small file in the
// data folder, so that a second process that only adopted the server does not take it away from the first.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processBirth, processState } from './postmaster.ts';

/**
 * Takes responsibility unless another living process has it; returns whether we have it now. A command, which has it for the time of its work, loses it to
 * a service that begins meanwhile.
 */
export function claimServer(dataDir: string, isCommand: boolean): boolean {
  const holder = readHolder(dataDir);
  if (
    holder !== undefined &&
    holder.pid !== process.pid &&
    processState(holder.pid) === 'running' &&
    processBirth(holder.pid) === holder.birth &&
    (isCommand || !holder.isCommand)
  )
    return false;
  writeFileSync(ownerFile(dataDir), `${process.pid} ${processBirth(process.pid)}${isCommand ? ' command' : ''}\n`);
  return true;
}

/** Gives responsibility back. */
export function releaseServer(dataDir: string): void {
  rmSync(ownerFile(dataDir), { force: true });
}

function ownerFile(dataDir: string): string {
  return join(dataDir, 'owner.pid');
}

type Holder = { readonly pid: number; readonly birth: string; readonly isCommand: boolean };

function readHolder(dataDir: string): Holder | undefined {
  try {
    const [pid, birth = '', role] = readFileSync(ownerFile(dataDir), 'utf8').trim().split(' ');
    return pid ? { pid: Number(pid), birth, isCommand: role === 'command' } : undefined;
  } catch {
    return undefined; // No file: nobody is responsible.
  }
}

// Which Muniment process is responsible for the embedded server: the one that stops it when it ends. Kept as a small file in the
// data folder, so that a second process that only adopted the server does not take it away from the first.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processBirth, processState } from './postmaster.ts';

/** Takes responsibility unless another living process has it; returns whether we have it now. */
export function claimServer(dataDir: string): boolean {
  const holder = readHolder(dataDir);
  if (
    holder !== undefined &&
    holder.pid !== process.pid &&
    processState(holder.pid) === 'running' &&
    processBirth(holder.pid) === holder.birth
  )
    return false;
  writeFileSync(ownerFile(dataDir), `${process.pid} ${processBirth(process.pid)}\n`);
  return true;
}

/** Gives responsibility back. */
export function releaseServer(dataDir: string): void {
  rmSync(ownerFile(dataDir), { force: true });
}

function ownerFile(dataDir: string): string {
  return join(dataDir, 'owner.pid');
}

function readHolder(dataDir: string): { readonly pid: number; readonly birth: string } | undefined {
  try {
    const [pid, birth] = readFileSync(ownerFile(dataDir), 'utf8').trim().split(' ');
    return pid ? { pid: Number(pid), birth: birth ?? '' } : undefined;
  } catch {
    return undefined; // No file: nobody is responsible.
  }
}

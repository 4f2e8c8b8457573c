// How much a worker's own work gives way to what else the machine does: people who wait for the API and its database, where all are on one machine.
import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * Has the system prefer other processes to all threads of this one: `nice` from 0 (as it is) to 19. What is that far behind already stays. Throws where the system refuses.
 * The database's processes that work for a worker keep their priority: they may hold locks that people wait for.
 */
export function giveWay(nice: number): void {
  if (nice <= getPriority()) return;
  for (const id of threadsOfProcess()) {
    try {
      setPriority(id, nice);
    } catch (error) {
      // A thread that has ended since.
      if (!(error instanceof Error && 'info' in error && isGone(error.info))) throw error;
    }
  }
}

const isGone = (info: unknown): boolean =>
  typeof info === 'object' && info !== null && 'code' in info && info.code === 'ESRCH';

/** On Linux each thread has a priority of its own, and new ones that of the thread that makes them; elsewhere the process has one (0: this one). */
function threadsOfProcess(): readonly number[] {
  return process.platform === 'linux' ? readdirSync('/proc/self/task').map(Number) : [0];
}

// Where tests put their clusters and files: nothing of it outlives the run, and a database for each file is a thousand files to make and to remove.
import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';

const folder = '/dev/shm';
/** A whole run holds some 3 GB at its widest. */
const needed = 8 * 2 ** 30;

/** A folder that is kept in memory, where the machine has one with room for a run (8 GiB free in it and in memory); null where it has none. */
export function memoryFolder(): string | null {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    const available = Number(/^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] ?? 0) * 1024;
    return Math.min(bavail * bsize, available) >= needed ? folder : null;
  } catch {
    return null;
  }
}

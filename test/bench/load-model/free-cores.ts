// How much of a machine is to be had beside whatever else is at work there.
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Computes without a pause, on a core of its own where it gets one; prints the share of the time in which it had one. */
const spin = (ms: number): string => `
  const [from, before] = [performance.now(), process.cpuUsage()];
  while (performance.now() - from < ${ms});
  const { user, system } = process.cpuUsage(before);
  console.log((user + system) / 1000 / (performance.now() - from));`;

/** Cores that as many processes get together as there are cores, if all of them want to compute for so many seconds. */
export async function measureFreeCores(seconds: number): Promise<number> {
  const shares = await Promise.all(
    Array.from({ length: availableParallelism() }, () => run(process.execPath, ['-e', spin(seconds * 1000)])),
  );
  return shares.reduce((sum, { stdout }) => sum + Number(stdout), 0);
}

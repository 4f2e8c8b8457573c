// The measured load: arrivals of a trace, each begun at its time whatever is still under way, while depth and lag are looked at.
import { setTimeout as sleep } from 'node:timers/promises';
import { loadavg } from 'node:os';
import { readQueueDepth } from '#store/queue/depth.ts';
import { readIndexLag } from '#store/search/lag.ts';
import type { Arrival } from './arrivals.ts';
import type { Measured } from './calibrate.ts';
import { readLastJob, readSpent, readWaits, untilAtRest } from './calibrate.ts';
import type { Work, WorkName } from './service.ts';
import type { Summary } from './summary.ts';
import { summaryOf } from './summary.ts';

/** What was measured, as `Simulated` has it; `serviceCores`: those that API, worker and server took on average; `machineLoad`: processes that wanted a core in the last minute of it, whoever they belong to. `untilDone`: seconds from the beginning until all was done and indexed. */
export type Traced = {
  readonly queueDepth: Summary;
  readonly waitSeconds: Summary;
  readonly pending: Summary;
  readonly lagSeconds: Summary;
  readonly sojournSeconds: readonly Summary[];
  readonly serviceCores: number;
  readonly machineLoad: number;
  readonly untilDone: number;
};

/** Does what arrives, with the sorts by their places in `names`, looking every `sampleSeconds` for `seconds`. */
export async function runTrace(
  measured: Measured,
  work: Work,
  names: readonly WorkName[],
  arrivals: readonly Arrival[],
  { seconds, sampleSeconds }: { readonly seconds: number; readonly sampleSeconds: number },
): Promise<Traced> {
  const { database } = measured;
  const lastJob = await readLastJob(database);
  const spent = await readSpent(measured);
  const begun = performance.now();
  const elapsed = (): number => (performance.now() - begun) / 1000;
  const sojourns: number[][] = names.map(() => []);
  const seen: { readonly depth: number[]; readonly pending: number[]; readonly lag: number[] } = {
    depth: [],
    pending: [],
    lag: [],
  };
  const look = async (): Promise<void> => {
    for (let n = 0; ; n++) {
      const at = (n + 0.5) * sampleSeconds;
      if (at > seconds) return;
      await sleep(Math.max(0, at - elapsed()) * 1000);
      const [queue, lag] = await Promise.all([readQueueDepth(database.reader), readIndexLag(database)]);
      seen.depth.push(queue.queued);
      seen.pending.push(lag.records);
      seen.lag.push(lag.waitingSeconds);
    }
  };
  const begin = async ({ at, sort, target }: Arrival): Promise<void> => {
    await sleep(Math.max(0, at - elapsed()) * 1000);
    const name = names[sort];
    if (name === undefined) throw new Error(`no sort ${sort}`);
    const from = elapsed();
    await work[name](target);
    sojourns[sort]?.push(elapsed() - from);
  };
  const looking = look();
  const working = Promise.all(arrivals.map(begin));
  await looking;
  const wall = elapsed();
  const after = await readSpent(measured);
  const [machineLoad = Number.NaN] = loadavg();
  await working;
  await untilAtRest(database);
  const untilDone = elapsed();
  const serviceCores = (after.api - spent.api + after.worker - spent.worker + after.server - spent.server) / wall;
  return {
    queueDepth: summaryOf(seen.depth),
    waitSeconds: summaryOf(await readWaits(database, lastJob)),
    pending: summaryOf(seen.pending),
    lagSeconds: summaryOf(seen.lag),
    sojournSeconds: sojourns.map(summaryOf),
    serviceCores,
    machineLoad,
    untilDone,
  };
}

// What work costs this process in time of the processor, whatever else the machine does: for tests that compare one piece of work with another.

/** Runs work some times, one after another; gives the least microseconds of the processor that a run took. */
export async function cpuCost(work: () => unknown, runs = 1): Promise<number> {
  const costs: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    costs.push(user + system);
  }
  return Math.min(...costs);
}

// How long the event loop of this process is held by one piece of work at the longest, in time of its thread's processor: what other
// processes of the machine do does not count.

/** Runs work; gives its value, and the most milliseconds of the processor that passed between two turns of the event loop meanwhile. */
export async function longestSlice<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  let longest = 0;
  let isOver = false;
  let before = process.threadCpuUsage();
  const turn = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, user + system);
    before = process.threadCpuUsage();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const value = await work();
  isOver = true;
  return { value, ms: longest / 1000 };
}

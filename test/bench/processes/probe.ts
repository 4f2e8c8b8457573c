// How soon one address of a service answers, as seen from another process.
import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Times of replies since the last look, in milliseconds; requests that failed, or were answered by another status than 200. */
export type Times = {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  readonly count: number;
  readonly failed: number;
};

/** Begins to ask an address, a hundred times a second. `take` gives the times since it was last called. */
export async function probe(
  url: string,
  path: string,
  session = '',
): Promise<{ take(): Promise<Times>; stop(): Promise<void> }> {
  const child = fork(new URL('prober.ts', import.meta.url), [`${url}${path}`, session]);
  await once(child, 'message');
  return {
    take: async () => {
      child.send('take');
      // What prober.ts sends.
      const [times] = (await once(child, 'message')) as [Times];
      return times;
    },
    stop: async () => {
      child.send('stop');
      await once(child, 'exit');
    },
  };
}

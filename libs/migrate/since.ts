// From which second on what has changed in a source is not in a folder that was read from it.
import type { Manifest } from './folder.ts';
import { deleteFeed } from './reading.ts';

// The clocks of this machine and of the source need not agree to the second.
const clockSeconds = 60;

/** The second (epoch) that surely lies before a time of this machine's clock, on that of the source. */
export const secondBefore = (time: string): number => Math.max(0, Math.floor(Date.parse(time) / 1000) - clockSeconds);

/** The second from which on changes of any list are not in a folder: what changed while it was read may be in it as it was before. */
export function sinceFolder({ started, behind = {} }: Manifest): number {
  const lists = Object.entries(behind).filter(([list]) => list !== deleteFeed);
  return Math.min(...[started, ...lists.map(([, time]) => time)].map(secondBefore));
}

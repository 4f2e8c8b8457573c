// Work that reads a list before it takes its tree, and is begun anew where others change the list in between (decision 0037).
import { isChangedMeanwhile } from '#store/trees/reorder.ts';
import type { JobContext } from '../handler.ts';

/** Where the list was changed so often but once, the last time the tree is held meanwhile. */
const mostTries = 3;

/** Runs `work`, a transaction, until nobody has changed the list meanwhile; the last time it is told to take the tree first. `toldAs`: what its log says is done with them then. */
export async function untilUnchanged<T>(
  context: Pick<JobContext, 'log'>,
  toldAs: string,
  work: (isHeld: boolean) => Promise<T>,
): Promise<T> {
  for (let tries = 1; tries < mostTries; tries += 1) {
    try {
      return await work(false);
    } catch (error) {
      if (!isChangedMeanwhile(error)) throw error;
      context.log(`The children were changed meanwhile: nothing of this is stored, and ${toldAs}.`);
    }
  }
  return work(true);
}

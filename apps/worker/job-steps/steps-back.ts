// The way back of merges and deletions that were begun in steps and did not end (docs/decisions/0046).
import type { Transaction } from '#store/connection/database.ts';
import { begunMerges, readBegun } from '#store/merges/begun.ts';
import { leadBackBlock } from '#store/merges/lead-back.ts';
import { linkBackBlock } from '#store/records/deleting/link-back.ts';
import { begunDeletions, readBegunDeletion } from '#store/records/deleting/unlink-first.ts';
import type { JobContext } from '../handler.ts';
import { untilNoneIsLeft } from './in-steps.ts';

/** What steps need of the context of their job. */
export type StepsContext = Pick<JobContext, 'jobId' | 'database' | 'transaction' | 'progress'>;

/** Leads the holders of a merge back, or of what an undo of one has left; nothing where it is not, or no longer, under way. `atEnd` is done with the last of them. */
export async function leadHoldersBack(
  context: StepsContext,
  mergeId: number,
  atEnd?: (tx: Transaction) => Promise<void>,
): Promise<void> {
  const begun = await readBegun(context.database.reader, mergeId);
  if (begun === null) return;
  await untilNoneIsLeft(context, async (tx) => {
    const left = await leadBackBlock(tx, mergeId, begun, begun.actor);
    if (left === 0) await atEnd?.(tx);
    return left;
  });
}

/** Gives the holders of a record their refs back; nothing where its deletion is not, or no longer, under way. */
export async function linkHoldersBack(context: StepsContext, deletionId: number): Promise<void> {
  const begun = await readBegunDeletion(context.database.reader, deletionId);
  if (begun === null) return;
  await untilNoneIsLeft(context, (tx) => linkBackBlock(tx, deletionId, begun, begun.actor));
}

/**
 * The same for all merges and deletions but this job, of global records (null) or of those of a repository: what stands in the same mailbox (`holdersMailbox`) has ended, and has not led back what it had led if it is still under way.
 */
export async function undoOthersSteps(context: StepsContext, repoId: number | null): Promise<void> {
  const { reader } = context.database;
  for (const id of await begunMerges(reader, repoId)) if (id !== context.jobId) await leadHoldersBack(context, id);
  for (const id of await begunDeletions(reader, repoId)) if (id !== context.jobId) await linkHoldersBack(context, id);
}

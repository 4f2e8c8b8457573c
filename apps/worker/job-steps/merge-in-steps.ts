// The steps of merges with many holders of refs (docs/decisions/0046): holders are led to the record that stays before the transaction of the merge, and led back
// where that does not come.
import { leadBack } from '#domain/jobs/lead-back.ts';
import { merges } from '#domain/merges/merges.ts';
import { begunMerges, readBegun } from '#store/merges/begun.ts';
import { beginMerge, holdersToLead, leadBlock } from '#store/merges/holders-first.ts';
import { leadBackBlock } from '#store/merges/lead-back.ts';
import type { Merge } from '#store/merges/merge.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import type { JobContext } from '../handler.ts';

type Context = Pick<JobContext, 'jobId' | 'database' | 'transaction' | 'progress'>;

/**
 * Leads most holders of a merge over, a thousand in a transaction; nothing where they are few. The first one makes the job that leads them back. Fails as checkMerge does, before
 * anything is led.
 */
export async function leadHolders(context: Context, { id, what, records, actor }: Merge): Promise<void> {
  const blocks = await holdersToLead(context.database.reader, records);
  if (blocks.length === 0) return;
  if ((await readBegun(context.database.reader, id)) === null)
    await context.transaction(async (tx) => {
      await beginMerge(tx, id, records, merges[what].key, actor);
      await enqueueJob(tx, leadBack, { mergeId: id });
    });
  const total = blocks.reduce((sum, block) => sum + block.length, 0);
  let done = 0;
  for (const block of blocks) {
    await context.transaction((tx) => leadBlock(tx, id, records, block, actor));
    done += block.length;
    context.progress({ label: 'Linking', done, total });
  }
}

/** Leads the holders of a merge back; nothing where it is not, or no longer, under way. */
export async function leadHoldersBack(context: Context, mergeId: number): Promise<void> {
  const begun = await readBegun(context.database.reader, mergeId);
  if (begun === null) return;
  let left = 1;
  while (left > 0) left = await context.transaction((tx) => leadBackBlock(tx, mergeId, begun, begun.actor));
}

/** The same for all merges but this job's: what stands in the same mailbox has ended, and has not led back what it had led if it is still under way. */
export async function leadOthersBack(context: Context): Promise<void> {
  for (const id of await begunMerges(context.database.reader))
    if (id !== context.jobId) await leadHoldersBack(context, id);
}

// The steps of merges with many holders of refs (docs/decisions/0046): holders are led to the record that stays before the transaction of the merge, and led back
// where that does not come (steps-back.ts).
import { leadBack } from '#domain/jobs/lead-back.ts';
import { merges } from '#domain/merges/merges.ts';
import { readBegun } from '#store/merges/begun.ts';
import { beginMerge, holdersToLead, leadBlock } from '#store/merges/holders-first.ts';
import type { Merge } from '#store/merges/merge.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { eachBlock } from './in-steps.ts';
import type { StepsContext } from './steps-back.ts';

/**
 * Leads most holders of a merge over, some hundred in a transaction; nothing where they are few. The first one makes the job that leads them back. Fails as checkMerge does, before
 * anything is led.
 */
export async function leadHolders(context: StepsContext, { id, what, records, actor }: Merge): Promise<void> {
  const blocks = await holdersToLead(context.database.reader, records);
  if (blocks.length === 0) return;
  if ((await readBegun(context.database.reader, id)) === null)
    await context.transaction(async (tx) => {
      await beginMerge(tx, id, records, merges[what].key, actor);
      await enqueueJob(tx, leadBack, { mergeId: id, repoId: records.survivor.repoId });
    });
  await eachBlock(context, blocks, 'Linking', (tx, block) => leadBlock(tx, id, records, block, actor));
}

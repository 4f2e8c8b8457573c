// The steps of the deletion of records to which many others link (docs/decisions/0046): refs are taken out of these before the transaction that deletes them, and come back where that does not
// come (steps-back.ts).
import { leadBack } from '#domain/jobs/lead-back.ts';
import type { DeletedInSteps } from '#store/records/deleting/unlink-first.ts';
import {
  beginDeletion,
  holdersToUnlink,
  readBegunDeletion,
  unlinkBlock,
} from '#store/records/deleting/unlink-first.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { eachBlock } from './in-steps.ts';
import type { StepsContext } from './steps-back.ts';

/**
 * Takes the refs to records out of most of their holders, some hundred in a transaction; nothing where these are few, or where the records cannot be deleted. The first one makes the job that gives them back. To be called in a job of
 * the mailbox `holdersMailbox`.
 */
export async function unlinkHolders(
  context: StepsContext,
  deletion: DeletedInSteps,
  { lockVersion, actor }: { readonly lockVersion: number | null; readonly actor: string | null },
): Promise<void> {
  const { jobId, database } = context;
  const blocks = await holdersToUnlink(database.reader, deletion);
  if (blocks.length === 0) return;
  const isBegun =
    (await readBegunDeletion(database.reader, jobId)) !== null ||
    (await context.transaction(async (tx) => {
      const begins = await beginDeletion(tx, jobId, deletion, lockVersion, actor);
      if (begins) await enqueueJob(tx, leadBack, { deletionId: jobId, repoId: deletion.repoId });
      return begins;
    }));
  if (isBegun)
    await eachBlock(context, blocks, 'Unlinking', (tx, block) => unlinkBlock(tx, jobId, deletion, block, actor));
}

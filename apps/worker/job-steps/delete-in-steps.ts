// The steps of the deletion of a record to which many others link (docs/decisions/0046): refs are taken out of these before the transaction that deletes it, and come back where that does not
// come (steps-back.ts).
import { leadBack } from '#domain/jobs/lead-back.ts';
import {
  beginDeletion,
  holdersToUnlink,
  readBegunDeletion,
  unlinkBlock,
} from '#store/records/deleting/unlink-first.ts';
import type { RecordKey } from '#store/records/record-key.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { eachBlock } from './in-steps.ts';
import type { StepsContext } from './steps-back.ts';

/**
 * Takes the refs to a global record out of most of its holders, some hundred in a transaction; nothing where they are few. The first one makes the job that gives them back. Fails as deleteRecord does, before anything
 * is taken.
 */
export async function unlinkHolders(
  context: StepsContext,
  record: RecordKey,
  { lockVersion, actor }: { readonly lockVersion: number | null; readonly actor: string | null },
): Promise<void> {
  const { jobId, database } = context;
  const blocks = await holdersToUnlink(database.reader, record);
  if (blocks.length === 0) return;
  if ((await readBegunDeletion(database.reader, jobId)) === null)
    await context.transaction(async (tx) => {
      await beginDeletion(tx, jobId, record, lockVersion, actor);
      await enqueueJob(tx, leadBack, { deletionId: jobId });
    });
  await eachBlock(context, blocks, 'Unlinking', (tx, block) => unlinkBlock(tx, jobId, record, block, actor));
}

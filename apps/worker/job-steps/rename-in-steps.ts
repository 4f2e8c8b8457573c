// The steps of values of controlled lists that become others in many records (docs/decisions/0046), and the way back of a new text that did not come to its end.
import { Failure } from '#domain/errors.ts';
import { renameBack } from '#domain/jobs/rename-back.ts';
import { renameValue } from '#domain/jobs/rename-value.ts';
import type { ListContext } from '#store/enumerations/held-lists.ts';
import { hasManyUses, renameBlock } from '#store/enumerations/rename-block.ts';
import type { SavedValue } from '#store/enumerations/renaming.ts';
import {
  beginRenaming,
  begunRenamings,
  keepBoth,
  readBegunRenaming,
  readRenaming,
  takeBack,
} from '#store/enumerations/renaming.ts';
import type { Renaming } from '#store/enumerations/uses.ts';
import { everywhere } from '#store/enumerations/uses.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import type { StepsContext } from './steps-back.ts';

/** A statement may take as long as the job: where few use a value nearly all is looked through for the next. */
export const asLongAsTheJob = { statementTimeoutMs: renameValue.timeoutSeconds * 1000 };

/** Renames what it can before the list is taken, some hundred records in a transaction; both texts are right until the end. */
export async function renameInBlocks(context: StepsContext, change: Renaming): Promise<void> {
  let done = 0;
  for (const place of everywhere(change.list)) {
    let after: number | null = 0;
    while (after !== null) {
      const start: number = after;
      const block = await context.transaction((tx) => renameBlock(tx, change, place, start), asLongAsTheJob);
      after = block?.last ?? null;
      done += block?.renamed ?? 0;
      context.progress({ label: 'Renaming', done, total: null });
    }
  }
}

/**
 * Gives most records the new text of a value, before the transaction that gives it to the value; nothing where they are few. The first step makes the job that takes this back. Fails as updateValue does, before
 * anything is renamed.
 */
export async function renameInSteps(context: StepsContext, saved: SavedValue, by: ListContext): Promise<void> {
  const { jobId, database } = context;
  if ((await readBegunRenaming(database.reader, jobId)) === null) {
    const renaming = await context.transaction((tx) => readRenaming(tx, saved, by));
    // Looked for without the list, which others may want meanwhile.
    if (renaming === null || !(await context.transaction((tx) => hasManyUses(tx, renaming), asLongAsTheJob))) return;
    await context.transaction(async (tx) => {
      await beginRenaming(tx, jobId, saved, by);
      await enqueueJob(tx, renameBack, { renamingId: jobId });
    });
  }
  const begun = await readBegunRenaming(database.reader, jobId);
  if (begun !== null) await renameInBlocks(context, begun);
}

/** Gives records the old text of a value back, and lets nobody use the new one any more; nothing where its renaming is not, or no longer, under way. */
export async function takeRenamingBack(context: StepsContext, renamingId: number): Promise<void> {
  const begun = await readBegunRenaming(context.database.reader, renamingId);
  if (begun === null) return;
  await renameInBlocks(context, { ...begun, from: begun.to, to: begun.from });
  try {
    await context.transaction((tx) => takeBack(tx, renamingId, begun), asLongAsTheJob);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_unique') throw error;
    // Somebody has saved a record with the new text beside an equal one with the old.
    await context.transaction((tx) => keepBoth(tx, renamingId, begun));
  }
}

/** The same for all renamings but this job's: what stands in the same mailbox has ended, and has taken nothing back if it is still under way. */
export async function takeOthersBack(context: StepsContext): Promise<void> {
  for (const id of await begunRenamings(context.database.reader))
    if (id !== context.jobId) await takeRenamingBack(context, id);
}

// Handler of values that become others: steps, and the transaction of all that is left. A migration is right after each step, since both values are there until it ends, and one that is canceled leaves what it has
// done. A new text is taken back then: until its end it is valid in records alone.
import { renameValue } from '#domain/jobs/rename-value.ts';
import { endRenaming } from '#store/enumerations/renaming.ts';
import { updateValue } from '#store/enumerations/update-value.ts';
import { checkMigration, migrateValue } from '#store/enumerations/update.ts';
import { defineHandler } from '../handler.ts';
import { asLongAsTheJob, renameInBlocks, renameInSteps, takeOthersBack } from '../job-steps/rename-in-steps.ts';

/** Changes the list and the records; the value tells the version of what was saved, the list of a migration or the value. */
export const handler = defineHandler(renameValue, async ({ change, actor, trims }, context) => {
  const by = { actor, trims };
  await takeOthersBack(context);
  if ('from' in change) {
    const { listId, from, to } = change;
    // What refuses the whole does so before anything is renamed.
    const { list } = await context.transaction((tx) => checkMigration(tx, listId, from, to));
    if (from !== to) await renameInBlocks(context, { list: list.name, from, to, actor });
  } else await renameInSteps(context, change, by);
  return context.transaction(async (tx) => {
    let lockVersion: number;
    if ('from' in change)
      lockVersion = Number((await migrateValue(tx, change.listId, change.from, change.to, by))['lock_version']);
    else {
      await endRenaming(tx, context.jobId);
      ({ lockVersion } = await updateValue(tx, change.valueId, change.body, change.lockVersion, by));
    }
    const value = { lock_version: lockVersion };
    await context.complete(tx, value);
    return value;
  }, asLongAsTheJob);
});

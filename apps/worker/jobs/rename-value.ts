// Handler of values that become others. A migration goes in steps before its transaction, since both values are there until that ends: each record is right by itself, and one that is canceled
// leaves what it has done. A new text is one transaction: nobody could save a record with it before.
import { renameValue } from '#domain/jobs/rename-value.ts';
import { checkMigration, migrateValue, updateValue } from '#store/enumerations/update.ts';
import { everywhere, renameBlock } from '#store/enumerations/uses.ts';
import type { JobContext } from '../handler.ts';
import { defineHandler } from '../handler.ts';

/** Changes the list and the records; the value tells the version of what was saved, the list of a migration or the value. */
export const handler = defineHandler(renameValue, async ({ change, actor, trims }, context) => {
  const by = { actor, trims };
  if ('from' in change) await migrateInSteps(context, change, actor);
  return context.transaction(
    async (tx) => {
      const lockVersion =
        'from' in change
          ? Number((await migrateValue(tx, change.listId, change.from, change.to, by))['lock_version'])
          : (await updateValue(tx, change.valueId, change.body, change.lockVersion, by)).lockVersion;
      const value = { lock_version: lockVersion };
      await context.complete(tx, value);
      return value;
    },
    { statementTimeoutMs: renameValue.timeoutSeconds * 1000 },
  );
});

/** Renames what it can before the list is taken, some hundred records in a transaction; what refuses the whole does so before. */
async function migrateInSteps(
  context: JobContext,
  { listId, from, to }: { readonly listId: number; readonly from: string; readonly to: string },
  actor: string | null,
): Promise<void> {
  const { list } = await context.transaction((tx) => checkMigration(tx, listId, from, to));
  let done = 0;
  for (const place of from === to ? [] : everywhere(list.name)) {
    let after: number | null = 0;
    while (after !== null) {
      const start: number = after;
      const block = await context.transaction(
        (tx) => renameBlock(tx, { list: list.name, from, to, actor }, place, start),
        // Where few use it nearly all is looked through for the next.
        { statementTimeoutMs: renameValue.timeoutSeconds * 1000 },
      );
      after = block?.last ?? null;
      done += block?.renamed ?? 0;
      context.progress({ label: 'Renaming', done, total: null });
    }
  }
}

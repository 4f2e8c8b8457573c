// Renaming a value in some hundred records at a time, while both texts are there (docs/decisions/0046): what is left, and all that is in no body, is renameUses' (uses.ts).
import type { Transaction } from '../connection/database.ts';
import { holdersAtOnce } from '../records/visibility/in-steps.ts';
import type { Renaming, Searched } from './uses.ts';
import { changedKeys, everywhere, holdChunk, readChunk, renamedAmong, renameRoles, writeRenamed } from './uses.ts';

/** Whether more records than others shall wait for at once use the value, of those kinds that steps can rename. Holds nothing; where few use it nearly all is looked through. */
export async function hasManyUses(tx: Transaction, change: Renaming, atOnce = holdersAtOnce): Promise<boolean> {
  const count = await everywhere(change.list).reduce<Promise<number>>(async (before, place) => {
    const sum = await before;
    if (sum > atOnce) return sum;
    const renamed = renamedAmong(
      place.use,
      await readChunk(tx, place, change.from, { after: 0, atOnce: atOnce + 1 }),
      change,
    );
    return changedKeys(place.use, renamed).length > 0 ? sum : sum + renamed.length;
  }, Promise.resolve(0));
  return count > atOnce;
}

/**
 * Renames a value in the next records of a kind that use it, as renameUses does, in a transaction of its own: a step of one that replaces a value by another that is there too. Gives the last id and how many changed; null where
 * no more come, or where a unique key holds the value: two records may become the same then, and all of the kind is left to the transaction that may refuse it.
 */
export async function renameBlock(
  tx: Transaction,
  change: Renaming,
  searched: Searched,
  after: number,
  atOnce = holdersAtOnce,
): Promise<{ readonly last: number; readonly renamed: number } | null> {
  const rows = await holdChunk(tx, searched, change.from, { after, atOnce });
  const last = rows.at(-1);
  const renamed = renamedAmong(searched.use, rows, change);
  if (last === undefined || changedKeys(searched.use, renamed).length > 0) return null;
  await writeRenamed(tx, searched.use, renamed, change);
  await renameRoles(tx, { use: searched.use, ids: renamed.map(({ row }) => row.id) }, change);
  tx.changed();
  return { last: last.id, renamed: renamed.length };
}

// Renamings of a value that are under way in steps (docs/decisions/0046): from the note of one on records may have either text, and nobody else changes the list, which shows the old one to its end.
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import { column, IdRow } from '../connection/columns.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';
import { addListValues } from './completed-lists.ts';
import type { ListContext } from './held-lists.ts';
import { lockList } from './held-lists.ts';
import { announceEnumerations, tellProcesses } from './lists.ts';
import { retireValue } from './retired.ts';
import { checkValue } from './update-value.ts';
import type { Renaming } from './uses.ts';
import { renameUses } from './uses.ts';

/** A value that is to be saved, with a body and the version of which that is. */
export type SavedValue = { readonly valueId: number; readonly body: JsonObject; readonly lockVersion: unknown };

/** What a saved value becomes in records; null where its text stays. Fails as updateValue does, before anything is renamed. */
export async function readRenaming(
  tx: Transaction,
  { valueId, body, lockVersion }: SavedValue,
  context: ListContext,
): Promise<Renaming | null> {
  const { list, row, value } = await checkValue(tx, valueId, body, lockVersion, context);
  return value === row.value ? null : { list: list.name, from: row.value, to: value, actor: context.actor };
}

/**
 * Says that a renaming is under way, by the number of its job: every process takes both texts from records, and no change of the list but its own comes through (lockList). Fails as
 * updateValue does.
 */
export async function beginRenaming(
  tx: Transaction,
  id: number,
  { valueId, body, lockVersion }: SavedValue,
  context: ListContext,
): Promise<void> {
  const { list, row, value } = await checkValue(tx, valueId, body, lockVersion, context);
  // What became another once, when it was in the list, is a value again: who follows it would undo the steps.
  await tx.run(sql`DELETE FROM retired_value WHERE enumeration_id = ${list.id} AND value = ${value}`);
  await tx.run(sql`
    INSERT INTO renaming_begun (id, enumeration_id, value_id, value, new_value, actor)
    VALUES (${id}, ${list.id}, ${valueId}, ${row.value}, ${value}, ${context.actor})`);
  await tellProcesses(tx);
}

/** The numbers of all renamings that are under way, the oldest first. */
export async function begunRenamings(reader: Reader): Promise<readonly number[]> {
  const rows = await reader.any(sql.type(IdRow)`SELECT id FROM renaming_begun ORDER BY id`);
  return rows.map(({ id }) => id);
}

const BegunRow = z.strictObject({ list: column.text, from: column.text, to: column.text, actor: column.maybeText });

/** What becomes what in a renaming that is under way, and for whom; null where it is no longer, or never was. */
export async function readBegunRenaming(reader: Reader, id: number): Promise<Renaming | null> {
  return reader.maybeOne(sql.type(BegunRow)`
    SELECT e.name AS list, b.value AS "from", b.new_value AS "to", b.actor FROM renaming_begun b JOIN enumeration e ON e.id = b.enumeration_id WHERE b.id = ${id}`);
}

const EndedRow = z.strictObject({ enumeration_id: column.int });

/** Takes the note of a renaming away, first in the transaction that ends it. Gives the id of the list; null where the renaming is not, or no longer, under way. */
export async function endRenaming(tx: Transaction, id: number): Promise<number | null> {
  const row = await tx.maybeOne(
    sql.type(EndedRow)`DELETE FROM renaming_begun WHERE id = ${id} RETURNING enumeration_id`,
  );
  return row?.enumeration_id ?? null;
}

/**
 * The last step of the way back: what has the new text still gets the old one, and so does what was being saved with it at this moment (retired.ts). Fails with `not_unique` where
 * somebody has saved a record meanwhile that would become the same as another.
 */
export async function takeBack(tx: Transaction, id: number, { list, from, to, actor }: Renaming): Promise<void> {
  const listId = await endRenaming(tx, id);
  if (listId === null) return;
  await lockList(tx, listId);
  await retireValue(tx, listId, to, from);
  await renameUses(tx, { list, from: to, to: from, actor });
  await tellProcesses(tx);
}

/** In place of takeBack where that fails: the new text becomes a value of the list, as one does that went and is used all the same. */
export async function keepBoth(tx: Transaction, id: number, { list, to, actor }: Renaming): Promise<void> {
  if ((await endRenaming(tx, id)) === null) return;
  await addListValues(tx, [{ list, value: to }], actor);
  await announceEnumerations(tx);
}

// Changing a value of a controlled list (contract 6.13): its text, its place, whether lists show it.
import { says } from '#domain/checking/wording.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { textOf } from '#domain/json.ts';
import type { Transaction } from '../connection/database.ts';
import { IdRow, LockVersionRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { HeldList, HeldValue, ListContext, ListWritten } from './held-lists.ts';
import { checkVersion, denied, duplicate, lockValue } from './held-lists.ts';
import { announceEnumerations } from './lists.ts';
import { retireValue } from './retired.ts';
import { renameUses } from './uses.ts';

/** Holds a value that is to be saved, and its list; gives both, and the text that it is to have. Fails as updateValue does. */
export async function checkValue(
  tx: Transaction,
  id: number,
  body: JsonObject,
  lockVersion: unknown,
  context: ListContext,
): Promise<{ readonly list: HeldList; readonly row: HeldValue; readonly value: string }> {
  const { list, row } = await lockValue(tx, id);
  checkVersion(row.lock_version, lockVersion);
  if (row.suppressed) throw fail('conflict', "Can't update an object that has been suppressed");
  const sent = textOf(body, 'value') ?? row.value;
  const value = context.trims && sent !== row.value ? sent.trim() : sent;
  // Lists leave a value of nothing out of what is sent: one that held it would not be taken as it was read.
  if (value === '') throw fail('bad_parameter', { value: [says.missing] });
  if (value !== row.value) {
    if (!list.editable || row.readonly) throw denied();
    const taken = await tx.maybeOne(
      sql.type(IdRow)`SELECT id FROM enumeration_value WHERE enumeration_id = ${list.id} AND value = ${value}`,
    );
    if (taken !== null) throw duplicate('the values of an enumeration must be unique');
  }
  return { list, row, value };
}

/** Replaces a value: its text, in every record that uses it, and its place. Fails with `stale_record`, `conflict` (suppressed), `bad_parameter` (blanks alone), `access_denied`, `not_unique`. */
export async function updateValue(
  tx: Transaction,
  id: number,
  body: JsonObject,
  lockVersion: unknown,
  context: ListContext,
): Promise<ListWritten> {
  const { list, row, value } = await checkValue(tx, id, body, lockVersion, context);
  if (value !== row.value) {
    await retireValue(tx, list.id, row.value, value);
    await renameUses(tx, { list: list.name, from: row.value, to: value, actor: context.actor });
    await tx.run(
      sql`UPDATE enumeration SET default_value = ${value} WHERE id = ${list.id} AND default_value = ${row.value}`,
    );
  }
  const next = await tx.one(sql.type(LockVersionRow)`
    UPDATE enumeration_value SET value = ${value}, lock_version = lock_version + 1, last_modified_by = ${context.actor}, system_mtime = now(), user_mtime = now()
    WHERE id = ${id} RETURNING lock_version`);
  const position = body['position'];
  if (typeof position === 'number' && position !== row.position) await swap(tx, list.id, row, position);
  await announceEnumerations(tx);
  return { id, lockVersion: next.lock_version };
}

/** The place of a value; the value that holds it takes the old one. Gives the lock version, unchanged. */
export async function moveValue(tx: Transaction, id: number, position: number): Promise<number> {
  const { list, row } = await lockValue(tx, id);
  await swap(tx, list.id, row, position);
  await announceEnumerations(tx);
  return row.lock_version;
}

async function swap(tx: Transaction, listId: number, row: HeldValue, position: number): Promise<void> {
  await tx.run(sql`UPDATE enumeration_value SET position = CASE WHEN id = ${row.id} THEN ${position}::int ELSE ${row.position}::int END, system_mtime = now()
    WHERE enumeration_id = ${listId} AND (id = ${row.id} OR position = ${position})`);
}

/** Hides a value from lists, or shows it again; bodies may still hold it. Fails with `not_found`. */
export async function suppressValue(tx: Transaction, id: number, suppressed: boolean): Promise<void> {
  await lockValue(tx, id);
  await tx.run(sql`UPDATE enumeration_value SET suppressed = ${suppressed}, system_mtime = now() WHERE id = ${id}`);
  await announceEnumerations(tx);
}

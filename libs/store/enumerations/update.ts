// Changing controlled lists (contract 6.13); their values: update-value.ts. Lists that nobody may edit answer 403 to any change.
import { says } from '#domain/checking/wording.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { textOf, textsOf } from '#domain/json.ts';
import { longestListValue } from '#domain/requests/enumeration.ts';
import type { Transaction } from '../connection/database.ts';
import { announceEnumerations, readEnumeration } from './lists.ts';
import { IdRow, LockVersionRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { HeldList, HeldValue, ListContext, ListWritten } from './held-lists.ts';
import { checkVersion, denied, duplicate, lockList, valuesIn } from './held-lists.ts';
import { retireValue } from './retired.ts';
import { isInUse, renameUses } from './uses.ts';

const valuesOf = (body: JsonObject, context: ListContext): readonly string[] => [
  ...new Set(
    textsOf(body, 'values')
      .map((value) => (context.trims ? value.trim() : value))
      .filter((value) => value !== ''),
  ),
];

/** Creates an editable list. Fails with `not_unique` where the name is taken, `bad_parameter` where the default is no value of it. */
export async function createEnumeration(tx: Transaction, body: JsonObject, context: ListContext): Promise<ListWritten> {
  const values = valuesOf(body, context);
  const defaultValue = checkDefault(textOf(body, 'default_value'), values);
  const row = await tx.maybeOne(sql.type(IdRow)`
    INSERT INTO enumeration (name, default_value, created_by, last_modified_by) VALUES (${textOf(body, 'name') ?? ''}, ${defaultValue}, ${context.actor}, ${context.actor}) ON CONFLICT (name) DO NOTHING RETURNING id`);
  if (row === null) throw duplicate('the name of an enumeration must be unique');
  await insertValues(tx, row.id, values, 0, context);
  await announceEnumerations(tx);
  return { id: row.id, lockVersion: 0 };
}

/** The default of a list with these values, beside `hidden` ones, which bodies may hold and no message names (contract 1.4, 5.2). */
function checkDefault(
  value: string | undefined,
  values: readonly string[],
  hidden: readonly string[] = [],
): string | null {
  if (value === undefined) return null;
  if (!values.includes(value) && !hidden.includes(value))
    throw fail('bad_parameter', { default_value: [`Invalid value '${value}'.  Must be one of: ${values.join(', ')}`] });
  return value;
}

async function insertValues(
  tx: Transaction,
  listId: number,
  values: readonly string[],
  from: number,
  context: ListContext,
): Promise<void> {
  if (values.length === 0) return;
  // New ones alone: what is stored must not refuse the list that it stands in.
  if (values.some((value) => [...value].length > longestListValue))
    throw fail('bad_parameter', { values: [says.tooLong(longestListValue)] });
  const rows = sql.unnest(
    values.map((value, index) => [value, from + index]),
    ['text', 'int4'],
  );
  const count =
    await tx.run(sql`INSERT INTO enumeration_value (enumeration_id, value, position, created_by, last_modified_by)
    SELECT ${listId}, u.value, u.position, ${context.actor}, ${context.actor} FROM ${rows} AS u (value, position) ORDER BY u.position ON CONFLICT DO NOTHING`);
  // The value is there, suppressed.
  if (count < values.length) throw duplicate('the values of an enumeration must be unique');
}

/**
 * Replaces the values of a list: new ones come last, missing ones go, places are numbered anew. Fails with `not_found`,
 * `stale_record`, `access_denied` (a list or value that nobody may change), `conflict` (a value in use).
 */
export async function updateEnumeration(
  tx: Transaction,
  id: number,
  body: JsonObject,
  lockVersion: unknown,
  context: ListContext,
): Promise<ListWritten> {
  const list = await lockList(tx, id);
  checkVersion(list.lock_version, lockVersion);
  const stored = await valuesIn(tx, id);
  const shown = stored.filter((value) => !value.suppressed);
  const wanted = new Set(valuesOf(body, context));
  // A value that was stored with blanks is the one that the client sends back.
  for (const value of textsOf(body, 'values')) if (shown.some((row) => row.value === value)) wanted.add(value);
  const added = [...wanted].filter((value) => !shown.some((row) => row.value === value || row.value.trim() === value));
  const removed = shown.filter((row) => !wanted.has(row.value) && !wanted.has(row.value.trim()));
  const defaultValue = textOf(body, 'default_value');
  if (!list.editable && (added.length > 0 || removed.length > 0 || (defaultValue ?? null) !== list.default_value))
    throw denied();
  if (removed.some((row) => row.readonly)) throw denied();
  await refuseUsed(tx, list, removed);
  const kept = shown.filter((row) => !removed.includes(row)).map((row) => row.value);
  const hidden = stored.filter((value) => value.suppressed).map((row) => row.value);
  const checkedDefault = checkDefault(defaultValue, [...kept, ...added], hidden);
  if (removed.length > 0)
    await tx.run(
      sql`DELETE FROM enumeration_value WHERE id = ANY(${sql.array(
        removed.map((row) => row.id),
        'int4',
      )})`,
    );
  // Before new ones come, so that a value that stands at the last place that there is leaves room behind it.
  await renumber(tx, id);
  await insertValues(tx, id, added, stored.length - removed.length, context);
  const next = await touch(tx, id, checkedDefault, context);
  return { id, lockVersion: next };
}

/** At most a few values go at once, and each question reads only what holds that value. */
async function refuseUsed(tx: Transaction, list: HeldList, removed: readonly HeldValue[]): Promise<void> {
  await removed.reduce<Promise<void>>(async (before, row) => {
    await before;
    await retireValue(tx, list.id, row.value, null);
    if (await isInUse(tx, list.name, row.value))
      throw fail('conflict', `Can't delete a value that's in use: ${row.value}`);
  }, Promise.resolve());
}

async function renumber(tx: Transaction, listId: number): Promise<void> {
  await tx.run(sql`UPDATE enumeration_value v SET position = n.place FROM (
    SELECT id, row_number() OVER (ORDER BY position, id) - 1 AS place FROM enumeration_value WHERE enumeration_id = ${listId}) AS n WHERE v.id = n.id AND v.position <> n.place`);
}

async function touch(
  tx: Transaction,
  listId: number,
  defaultValue: string | null,
  context: ListContext,
): Promise<number> {
  const row = await tx.one(sql.type(LockVersionRow)`
    UPDATE enumeration SET default_value = ${defaultValue}, lock_version = lock_version + 1, last_modified_by = ${context.actor}, system_mtime = now(), user_mtime = now()
    WHERE id = ${listId} RETURNING lock_version`);
  await announceEnumerations(tx);
  return row.lock_version;
}

/** Holds the list of a value that is to become another of it; gives it, and the row of the value. Fails with `not_allowed`, `not_found`. */
export async function checkMigration(
  tx: Transaction,
  id: number,
  from: string,
  to: string,
): Promise<{ readonly list: HeldList; readonly source: HeldValue }> {
  const list = await lockList(tx, id);
  if (!list.editable) throw fail('not_allowed', `Can't migrate values for non-editable enumeration ${id}`);
  const stored = await valuesIn(tx, id);
  const source = valueNamed(stored, from, id);
  valueNamed(stored, to, id);
  if (source.readonly) throw fail('not_allowed', "Can't transfer from a read-only enumeration value");
  return { list, source };
}

/** Makes all uses of `from` uses of `to`, and deletes `from`; gives the list after it. Fails as checkMigration does. */
export async function migrateValue(
  tx: Transaction,
  id: number,
  from: string,
  to: string,
  context: ListContext,
): Promise<JsonObject> {
  const { list, source } = await checkMigration(tx, id, from, to);
  if (from !== to) {
    await retireValue(tx, id, from, to);
    await renameUses(tx, { list: list.name, from, to, actor: context.actor });
    await tx.run(sql`DELETE FROM enumeration_value WHERE id = ${source.id}`);
    await renumber(tx, id);
  }
  await touch(tx, id, list.default_value === from ? to : list.default_value, context);
  return readEnumeration(tx, { id });
}

function valueNamed(stored: readonly HeldValue[], value: string, listId: number): HeldValue {
  const row = stored.find((each) => each.value === value);
  if (row === undefined) throw fail('not_found', `Can't find a value '${value}' in enumeration ${listId}`);
  return row;
}

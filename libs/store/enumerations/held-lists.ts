// Lists and values as a change of them holds them until its transaction ends, and what refuses such a change.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** Who writes; R-B trims the blanks of new values. */
export type ListContext = { readonly actor: string | null; readonly trims: boolean };

/** What a write answers. */
export type ListWritten = { readonly id: number; readonly lockVersion: number };

const HeldList = z.strictObject({
  id: column.int,
  name: column.text,
  editable: column.bool,
  default_value: column.maybeText,
  lock_version: column.int,
});
/** A list that is held. */
export type HeldList = z.infer<typeof HeldList>;
const HeldValue = z.strictObject({
  id: column.int,
  value: column.text,
  position: column.int,
  readonly: column.bool,
  suppressed: column.bool,
  lock_version: column.int,
});
/** A value of a list that is held. */
export type HeldValue = z.infer<typeof HeldValue>;

/** The failure of who changes what nobody may. */
export const denied = (): ReturnType<typeof fail> => fail('access_denied', 'Access denied');
/** The failure of a name or text that is there already. */
export const duplicate = (what: string): ReturnType<typeof fail> =>
  fail('not_unique', { db_error: [`Database integrity constraint conflict: ${what}`] });

/** Refuses a change of another version than the stored one: `stale_record`. */
export function checkVersion(stored: number, sent: unknown): void {
  if (sent === undefined || sent === null || sent === '')
    throw fail('stale_record', 'You must provide a lock_version in your request');
  if (Number(sent) !== stored)
    throw fail('stale_record', 'The record you tried to update has been modified since you fetched it.');
}

const RenamedRow = z.strictObject({ value: column.text, new_value: column.text });

/**
 * Holds a list. Fails with `not_found`, and with `conflict` while a value of it is being renamed in steps: whoever ends that takes its note away before.
 */
export async function lockList(tx: Transaction, id: number): Promise<HeldList> {
  const row = await tx.maybeOne(sql.type(HeldList)`
    SELECT id, name, editable, default_value, lock_version FROM enumeration WHERE id = ${id} FOR UPDATE`);
  if (row === null) throw fail('not_found', 'Enumeration not found');
  // A statement of its own: it sees what was committed while the one before waited.
  const renamed = await tx.maybeOne(
    sql.type(RenamedRow)`SELECT value, new_value FROM renaming_begun WHERE enumeration_id = ${id}`,
  );
  if (renamed !== null) throw beingRenamed(renamed);
  return row;
}

/** Why a list does not change while a value of it is being renamed. */
const beingRenamed = ({ value, new_value: next }: z.infer<typeof RenamedRow>): ReturnType<typeof fail> =>
  fail('conflict', `'${value}' of the list is being renamed to '${next}'; try again when that has ended`);

/** Holds the values of a list that the caller holds, in their order. */
export const valuesIn = (tx: Transaction, listId: number): Promise<readonly HeldValue[]> =>
  tx.any(sql.type(HeldValue)`
    SELECT id, value, position, readonly, suppressed, lock_version FROM enumeration_value WHERE enumeration_id = ${listId} ORDER BY position, id FOR UPDATE`);

const EnumerationIdRow = z.strictObject({ enumeration_id: column.int });

/** Holds a value and its list. Fails as lockList does. */
export async function lockValue(
  tx: Transaction,
  id: number,
): Promise<{ readonly list: HeldList; readonly row: HeldValue }> {
  const found = await tx.maybeOne(sql.type(EnumerationIdRow)`
    SELECT enumeration_id FROM enumeration_value WHERE id = ${id}`);
  if (found === null) throw fail('not_found', 'EnumerationValue not found');
  const list = await lockList(tx, found.enumeration_id);
  const row = (await valuesIn(tx, list.id)).find((each) => each.id === id);
  if (row === undefined) throw fail('not_found', 'EnumerationValue not found');
  return { list, row };
}

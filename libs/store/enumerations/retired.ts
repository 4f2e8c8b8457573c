// Controlled values that are gone: what was being saved with one while it went is found in the feed, and made right. Writers are not held up for it:
// a migration may take minutes, and would hold everybody who saves a record with a value of that list.
import { z } from 'zod';
import { Failure } from '#domain/errors.ts';
import { kinds } from '#domain/kinds/index.ts';
import { usesOf } from '#domain/schema/enumeration-uses.ts';
import type { FeedEntry } from '../change-log/followers.ts';
import { readFeed } from '../change-log/followers.ts';
import { column } from '../connection/columns.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';
import { addListValues } from './completed-lists.ts';
import { announceEnumerations } from './lists.ts';
import { isInUse, renameUses } from './uses.ts';

/**
 * Notes that a value of a list goes, before its uses are looked for; `successor` is what they become, null where there were none. What became this
 * value before becomes its successor.
 */
export async function retireValue(
  tx: Transaction,
  listId: number,
  value: string,
  successor: string | null,
): Promise<void> {
  await tx.run(sql`
    INSERT INTO retired_value (enumeration_id, value, successor, n) SELECT ${listId}, ${value}, ${successor}, n FROM sequencer
    ON CONFLICT (enumeration_id, value) DO UPDATE SET successor = excluded.successor, n = excluded.n, at = now()`);
  await tx.run(
    sql`UPDATE retired_value SET successor = ${successor} WHERE enumeration_id = ${listId} AND successor = ${value}`,
  );
}

const Retired = z.strictObject({
  enumeration_id: column.int,
  list: column.text,
  value: column.text,
  successor: column.maybeText,
  n: column.int,
});
type Retired = z.infer<typeof Retired>;

/**
 * Looks through what was saved since values went: uses become the successor; a value that was deleted, or whose use would make two records the same,
 * is put back into its list. Forgets values that went a week ago, or lets them sleep (forget). Gives how many records changed and which values are back.
 */
export async function followRetiredValues(
  database: Database,
): Promise<{ readonly changed: number; readonly back: readonly string[] }> {
  const all = await database.reader.any(sql.type(Retired)`
    SELECT r.enumeration_id, e.name AS list, r.value, r.successor, r.n FROM retired_value r JOIN enumeration e ON e.id = r.enumeration_id WHERE r.n <> ${asleep} ORDER BY r.at, r.value`);
  await database.write(sql`DELETE FROM retired_value r WHERE r.n = ${asleep} AND NOT ${mayComeBack}`);
  let changed = 0;
  const back: string[] = [];
  for (const retired of all) {
    for (let step = await followStep(database, retired); step !== null; step = await followStep(database, retired)) {
      changed += step.changed;
      if (step.isBack) back.push(`${retired.list}: ${retired.value}`);
    }
  }
  return { changed, back };
}

/** In place of `n`, of a value that is looked for no longer, until wakeRetiredValues. */
const asleep = -1;

/** Whether a merge can be undone that kept records of before a value `r` went, or of the week in which these were found. */
const mayComeBack = sql.fragment`EXISTS (SELECT FROM merge m WHERE m.at < r.at + interval '7 days' AND m.undone_at IS NULL AND m.purged_at IS NULL)`;

type Step = { readonly changed: number; readonly isBack: boolean };

/** A chunk of the feed for one value; null where there is nothing more to do. */
async function followStep(database: Database, { enumeration_id: listId, list, value }: Retired): Promise<Step | null> {
  try {
    return await database.transaction((tx) => followChunk(tx, listId, value));
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_unique') throw error;
    await database.transaction((tx) => putBack(tx, listId, list, value));
    return { changed: 0, isBack: true };
  }
}

async function followChunk(tx: Transaction, listId: number, value: string): Promise<Step | null> {
  const retired = await tx.maybeOne(sql.type(Retired)`
    SELECT r.enumeration_id, e.name AS list, r.value, r.successor, r.n FROM retired_value r JOIN enumeration e ON e.id = r.enumeration_id
    WHERE r.enumeration_id = ${listId} AND r.value = ${value} FOR UPDATE SKIP LOCKED`);
  // Somebody else is at it, or changes the list.
  if (retired === null) return null;
  const { list, successor } = retired;
  const entries = await readFeed(tx, retired.n);
  const last = entries.at(-1);
  // Asked once the list is held: nobody adds the value to it between this look and the renaming.
  const isOver = await forget(tx, listId, value, last === undefined);
  if (isOver || last === undefined) return null;
  const saved = idsByKind(entries);
  const uses = usesOf(kinds.values(), list).flatMap((use) => {
    const ids = saved.get(use.kind.name);
    return ids === undefined ? [] : [{ use, ids: [...ids] }];
  });
  if (successor === null && (await isInUse(tx, list, value, uses))) {
    await putBack(tx, listId, list, value);
    return { changed: 0, isBack: true };
  }
  const changed =
    successor === null ? 0 : await renameUses(tx, { list, from: value, to: successor, actor: null }, uses);
  await tx.run(sql`UPDATE retired_value SET n = ${last.n} WHERE enumeration_id = ${listId} AND value = ${value}`);
  return { changed, isBack: false };
}

function idsByKind(entries: readonly FeedEntry[]): ReadonlyMap<string, ReadonlySet<number>> {
  const saved = new Map<string, Set<number>>();
  for (const { kind, id, ids } of entries) {
    const known = saved.get(kind) ?? new Set();
    for (const each of ids ?? (id === null ? [] : [id])) known.add(each);
    saved.set(kind, known);
  }
  return saved;
}

/**
 * Forgets a value that is in its list again, and, once all was looked through, one that went a week ago; where undoing a merge may bring that back, it sleeps
 * instead. Says whether there is nothing more to do.
 */
async function forget(tx: Transaction, listId: number, value: string, isAtEnd: boolean): Promise<boolean> {
  const isOld = sql.fragment`${isAtEnd} AND r.at < now() - interval '7 days'`;
  const gone = await tx.run(sql`
    DELETE FROM retired_value r WHERE r.enumeration_id = ${listId} AND r.value = ${value} AND (${isOld} AND NOT ${mayComeBack}
      OR EXISTS (SELECT FROM enumeration_value v WHERE v.enumeration_id = r.enumeration_id AND v.value = r.value))`);
  if (gone > 0) return true;
  const slept = await tx.run(sql`
    UPDATE retired_value r SET n = ${asleep} WHERE r.enumeration_id = ${listId} AND r.value = ${value} AND ${isOld}`);
  return slept > 0;
}

/** Has values that sleep followed for a week again, from here on: for who brings back what was stored before they went. */
export async function wakeRetiredValues(tx: Transaction): Promise<void> {
  await tx.run(sql`UPDATE retired_value r SET n = s.n, at = now() FROM sequencer s WHERE r.n = ${asleep}`);
}

async function putBack(tx: Transaction, listId: number, list: string, value: string): Promise<void> {
  await addListValues(tx, [{ list, value }], null);
  await tx.run(sql`DELETE FROM retired_value WHERE enumeration_id = ${listId} AND value = ${value}`);
  await announceEnumerations(tx);
}

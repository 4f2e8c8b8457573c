// The unique keys of a bulk write: staged until the end, then claimed in one statement, so that nobody waits for us in between.
import type { z } from 'zod';
import { kindNamed } from '#domain/addresses.ts';
import type { Json } from '#domain/json.ts';
import { fail } from '#domain/errors.ts';
import { slugRule } from '#domain/identifiers/slugs.ts';
import type { Transaction } from '../connection/database.ts';
import { CountRow, column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { insertKeys } from '../records/writing/unique-keys.ts';
import type { StagedFault } from './failures.ts';
import { failureOf, uriOfRow, Faulty } from './failures.ts';

/** A staged key and who has it. */
export const Conflict = Faulty.extend({
  rule: column.text,
  value: column.text,
  property: column.text,
  is_heading: column.bool,
  kind: column.text,
  id: column.int,
  repo_id: column.maybeInt,
});
export type Conflict = z.infer<typeof Conflict>;

/**
 * Claims the staged keys in the order in which everybody does. Fails with `import_failed` naming the first record whose key is taken,
 * and with `unavailable` where somebody committed the same heading since the first pass: the next run finds and uses it.
 */
export async function claimStagedKeys(tx: Transaction): Promise<void> {
  if (await enterStagedKeys(tx)) return;
  const [taken] = await readTaken(tx, 1);
  // A slug that is taken is no conflict: the record gets another when it is saved. A key that a record has twice is no conflict; one that its owner gave up since then is free in the next run.
  if (taken === undefined) return;
  if (taken.is_heading)
    throw fail('unavailable', `Somebody else made the same ${taken.source_kind} meanwhile; trying again`);
  const { faulty, errors, errorClass } = keyFault(taken);
  throw await failureOf(tx, faulty, errors, errorClass);
}

/** Enters the staged keys, those that are free. Tells whether all were. */
export async function enterStagedKeys(tx: Transaction): Promise<boolean> {
  const { count } = await tx.one(sql.type(CountRow)`SELECT count(*)::int AS count FROM stage_key`);
  if (count === 0) return true;
  return (await insertKeys(tx, sql.fragment`SELECT *, number AS place FROM stage_key`)) === count;
}

/** Staged keys that others have, in the order of the file. Of two records of the batch the first has the key now, so both kinds of conflict look alike. */
export async function readTaken(tx: Transaction, limit: number): Promise<readonly Conflict[]> {
  return tx.any(sql.type(Conflict)`
    SELECT s.rule, s.value, s.property, s.number, s.is_heading, s.kind AS source_kind, s.id AS source_id, k.kind, k.id, r.repo_id
    FROM stage_key s JOIN unique_key k ON k.rule = s.rule AND k.scope = s.scope AND k.value = s.value
    LEFT JOIN record r ON r.kind = k.kind AND r.id = k.id WHERE NOT (k.kind = s.kind AND k.id = s.id) AND s.rule <> ${slugRule} ORDER BY s.number LIMIT ${limit}`);
}

/** What is wrong with the record whose key is taken. */
export function keyFault(taken: Conflict): StagedFault {
  const rule = (kindNamed(taken.source_kind).unique ?? []).find((each) => each.name === taken.rule);
  const errors: { [property: string]: Json } = {
    [taken.property]: [rule?.says.replace('*', taken.value) ?? 'Must be unique'],
  };
  if (rule?.showsConflict === true) errors['conflicting_record'] = [uriOfRow(taken)];
  return { faulty: taken, errors, errorClass: 'not_unique' };
}

// The unique keys of a bulk write: staged until the end, then claimed in one statement, so that nobody waits for us in between.
import { z } from 'zod';
import { kindNamed } from '#domain/addresses.ts';
import type { Json } from '#domain/json.ts';
import { fail } from '#domain/errors.ts';
import { slugRule } from '#domain/identifiers/slugs.ts';
import { kinds } from '#domain/kinds/index.ts';
import type { Transaction } from '../connection/database.ts';
import { CountRow, column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { ofKinds } from '../records/of-kinds.ts';
import { takeSlugs } from '../records/writing/naming.ts';
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
  // A slug that is taken is no conflict: the record gets another (settleSlugs). A key that a record has twice is no conflict; one that its owner gave up since then is free in the next run.
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

const SlugRow = z.strictObject({ kind: column.text, id: column.int, slug: column.text });

const sluggedKinds = [...kinds.values()].filter(({ properties }) => properties['slug'] !== undefined);

// So many names are looked for at once.
const slugsAtOnce = 1000;

/**
 * Gives the records whose staged slug somebody has, or one before them in the file, the first number that is free, as their own save would. Call it when the keys
 * are entered.
 */
export async function settleSlugs(tx: Transaction, reserved: string | undefined): Promise<void> {
  const lost = await tx.any(sql.type(SlugRow)`
    SELECT s.kind, s.id, r.body->>'slug' AS slug FROM stage_key s JOIN unique_key k ON k.rule = s.rule AND k.scope = s.scope AND k.value = s.value
    JOIN record r ON r.kind = s.kind AND r.id = s.id AND ${ofKinds(sluggedKinds.map(({ name }) => name))} WHERE s.rule = ${slugRule} AND NOT (k.kind = s.kind AND k.id = s.id) ORDER BY s.number`);
  const search = { numbers: new Map<string, number>(), reserved };
  for (const [kind, all] of Map.groupBy(lost, (row) => row.kind))
    for (let from = 0; from < all.length; from += slugsAtOnce)
      await renumberSlugs(tx, kind, all.slice(from, from + slugsAtOnce), search);
}

async function renumberSlugs(
  tx: Transaction,
  kind: string,
  lost: readonly z.infer<typeof SlugRow>[],
  search: Parameters<typeof takeSlugs>[3],
): Promise<void> {
  const wishes = lost.map(({ id, slug }) => ({ id, wanted: slug }));
  const given = await takeSlugs(tx, kind, wishes, search);
  await tx.run(sql`
    UPDATE record r SET body = with_property(r.body, 'slug', to_json(u.slug)) FROM ${sql.unnest([...given], ['int4', 'text'])} AS u (id, slug) WHERE r.kind = ${kind} AND r.id = u.id`);
}

// Declared uniqueness as rows: written with the record, checked by the primary key, so it holds under any concurrency.
import { z } from 'zod';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import type { Failure } from '#domain/errors.ts';
import { fail } from '#domain/errors.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { scopeOf } from '#domain/checking/split.ts';
import type { RecordAddress } from '#domain/uri.ts';
import type { Transaction } from '../../connection/database.ts';
import { AddressRow, NumberRow, column } from '../../connection/columns.ts';
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';
import { ofKinds } from '../of-kinds.ts';
import type { KeyRow } from '#domain/checking/split.ts';
import { keyTable } from '../record-key.ts';

const TakenKeyRow = z.strictObject({
  rule: column.text,
  scope: column.text,
  value: column.text,
  kind: column.text,
  id: column.int,
});

/**
 * Writes those of the keys that nobody has, and gives how many these were. `keys` is a SELECT of rule, scope, value, kind, id and place, by which the first of equal ones counts. In one
 * order by everybody, so that two transactions that share several keys cannot wait for each other. What is taken stays with its owner until the transaction ends: with DO NOTHING an
 * owner could give its key up before it was looked for; then nobody had it, and the record was stored without its key, which the next one got.
 */
export async function insertKeys(tx: Transaction, keys: Fragment): Promise<number> {
  return tx.run(sql`
    INSERT INTO unique_key (rule, scope, value, kind, id) SELECT DISTINCT ON (1, 2, 3) n.rule, n.scope, n.value, n.kind, n.id FROM (${keys}) AS n ORDER BY 1, 2, 3, n.place
    ON CONFLICT (rule, scope, value) DO UPDATE SET kind = excluded.kind WHERE false`);
}

/**
 * Makes `keys` the keys of a record. Fails with `not_unique`, naming each property and, where the rule says so, the record
 * that has the key. Waits for a transaction that is writing the same key.
 */
export async function claimKeys(
  tx: Transaction,
  kind: string,
  id: number,
  keys: readonly KeyRow[],
  isNew: boolean,
): Promise<void> {
  const given = sql.fragment`${unnestKeys(keys)} AS u (rule, scope, value)`;
  const isOwn = sql.fragment`k.kind = ${kind} AND k.id = ${id}`;
  const isGiven = sql.fragment`u.rule = k.rule AND u.scope = k.scope AND u.value = k.value`;
  // Its own are left alone: they are held with the record.
  const missing = sql.fragment`SELECT u.rule, u.scope, u.value, ${kind}::text AS kind, ${id}::int AS id, 1 AS place FROM ${given}${
    isNew ? sql.fragment`` : sql.fragment` WHERE NOT EXISTS (SELECT FROM unique_key k WHERE ${isGiven} AND ${isOwn})`
  }`;
  if (isNew) {
    if (keys.length === 0 || (await insertKeys(tx, missing)) === keys.length) return;
  } else {
    const [, , { n }] = await tx.together(() => [
      tx.run(sql`DELETE FROM unique_key k WHERE ${isOwn} AND NOT EXISTS (SELECT FROM ${given} WHERE ${isGiven})`),
      keys.length === 0 ? undefined : insertKeys(tx, missing),
      tx.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM ${given} JOIN unique_key k ON ${isGiven} AND ${isOwn}`),
    ]);
    if (n === keys.length) return;
  }
  const failure = await clashOf(tx, kind, id, keys);
  if (failure !== null) throw failure;
}

/** What the save of a record fails with where others have some of its keys; null where none has. */
export async function clashOf(
  tx: Transaction,
  kind: string,
  id: number,
  keys: readonly KeyRow[],
): Promise<Failure | null> {
  const error = await takenByOthers(tx, kind, id, keys);
  if (error === null) return null;
  // Contract 6.15: the 400s of ARKs say so, and nothing else does.
  const isArk = error['ark'] !== undefined || error['external_ark_url'] !== undefined;
  return fail('not_unique', error, isArk ? { warning: null, invalid_object: 'nil' } : {});
}

/** What the 400 says of those of `keys` that other records have: properties, and the record that has the key where the rule says so. Null where none is taken. */
export async function takenByOthers(
  tx: Transaction,
  kind: string,
  id: number,
  keys: readonly KeyRow[],
): Promise<{ readonly [property: string]: Json } | null> {
  const taken = await tx.any(sql.type(TakenKeyRow)`
    SELECT k.rule, k.scope, k.value, k.kind, k.id FROM ${unnestKeys(keys)} AS u (rule, scope, value)
    JOIN unique_key k ON k.rule = u.rule AND k.scope = u.scope AND k.value = u.value WHERE NOT (k.kind = ${kind} AND k.id = ${id})`);
  if (taken.length === 0) return null;
  const owners = await tx.any(sql.type(AddressRow)`
    SELECT r.kind, r.id, r.repo_id FROM ${keyTable(taken)} AS u (kind, id) JOIN record r ON r.kind = u.kind AND r.id = u.id AND ${ofKinds(taken.map((row) => row.kind))}`);
  if (owners.length === 0) return null;
  const error: { [property: string]: Json } = {};
  for (const key of keys) {
    const held = taken.find((row) => row.rule === key.rule && row.scope === key.scope && row.value === key.value);
    const owner = owners.find((row) => row.kind === held?.kind && row.id === held.id);
    if (owner === undefined) continue;
    error[key.property] = [key.says];
    if (key.showsConflict) error['conflicting_record'] = [uriOf(kindNamed(owner.kind), owner.id, owner.repo_id)];
  }
  return error;
}

/**
 * Fails with `not_unique` at the place where a record has a key of its own again, for rules that allow none twice. `self` is its address where
 * it is there already: it has the key itself.
 */
export function refuseRepeated(kind: Kind, body: JsonObject, self: RecordAddress | null): void {
  for (const rule of kind.unique ?? []) {
    const place = rule.repeats?.(body) ?? -1;
    if (place === -1) continue;
    const owner =
      self === null || rule.showsConflict !== true ? {} : { conflicting_record: [uriOf(kind, self.id, self.repoId)] };
    throw fail('not_unique', { [rule.property.replace('*', String(place))]: [rule.says], ...owner });
  }
}

const RescopeKeyRow = z.strictObject({ rule: column.text, value: column.text });

/**
 * Gives the keys of moved nodes the scope of their new place, for rules within a root (`'root'`, which takes whole subtrees) or among
 * siblings. Fails with `not_unique` in the words of the rule where the new place has such a key already, or two of the moved nodes have the same.
 */
export async function rescopeKeys(
  tx: Transaction,
  kind: Kind,
  ids: readonly number[],
  among: 'root' | 'siblings',
  place: { readonly root: string; readonly parent: string | null },
): Promise<void> {
  const rules = (kind.unique ?? []).filter((rule) =>
    among === 'siblings' ? rule.within === 'siblings' : typeof rule.within === 'object',
  );
  if (rules.length === 0) return;
  const scopes = sql.unnest(
    rules.map((rule, nth) => [rule.name, scopeOf(rule, null, place), nth]),
    ['text', 'text', 'int4'],
  );
  const moved = sql.fragment`k.kind = ${kind.name} AND k.id = ANY(${sql.array([...ids], 'int4')}) AND k.rule = u.rule`;
  // What leaves a root was told apart there; siblings may come from several places.
  const twice =
    among === 'root'
      ? sql.fragment``
      : sql.fragment` UNION ALL SELECT u.nth, k.rule, k.value FROM ${scopes} AS u (rule, scope, nth) JOIN unique_key k ON ${moved} GROUP BY 1, 2, 3 HAVING count(*) > 1`;
  // Of several rules that the new place breaks the one declared first is told.
  const taken = await tx.maybeOne(sql.type(RescopeKeyRow)`
    SELECT t.rule, t.value FROM (SELECT u.nth, k.rule, k.value FROM ${scopes} AS u (rule, scope, nth) JOIN unique_key k ON ${moved}
      JOIN unique_key o ON o.rule = k.rule AND o.scope = u.scope AND o.value = k.value AND o.id <> k.id${twice}) AS t ORDER BY t.nth LIMIT 1`);
  const rule = rules.find(({ name }) => name === taken?.rule);
  if (taken !== null && rule !== undefined)
    throw fail('not_unique', { [rule.property]: [rule.says.replace('*', taken.value)] });
  await tx.run(
    sql`UPDATE unique_key k SET scope = u.scope FROM ${scopes} AS u (rule, scope, nth) WHERE ${moved} AND k.scope <> u.scope`,
  );
}

const unnestKeys = (keys: readonly KeyRow[]) =>
  sql.unnest(
    keys.map((key) => [key.rule, key.scope, key.value]),
    ['text', 'text', 'text'],
  );

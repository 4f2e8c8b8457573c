// Changing texts in many stored bodies at once, where no ref, flag or place changes: what jobs over whole collections do.
// A fixed number of statements for any number of records of one kind. Whoever calls has checked the new bodies.
import { z } from 'zod';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Kind, GeneratedValues } from '#domain/kind.ts';
import type { KeyRow, Stored } from '#domain/checking/split.ts';
import { keysOf, splitBody } from '#domain/checking/split.ts';
import { appendManyFrom } from '../../change-log/append.ts';
import type { Reader, Transaction } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import type { Fragment } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';
import { placesOf } from '../../trees/read.ts';
import type { IdsOfKind } from '../visibility/reach.ts';
import { renewedSlugs } from './naming.ts';
import { insertKeys } from './unique-keys.ts';

/** A stored body and what becomes of it. */
export type Revised = { readonly id: number; readonly old: JsonObject; readonly body: JsonObject };

/**
 * Who revises. `keepsVersion`: what changes is no edit (names that the service gives), so version, editor and `user_mtime` stay and no
 * revision is kept. `areNew`: this transaction made the records, and the change log has them from that.
 */
export type Revising = {
  readonly repoId: number | null;
  readonly actor: string | null;
  readonly generatedValues: GeneratedValues;
  readonly keepsVersion?: boolean;
  readonly areNew?: boolean;
};

const BodyRow = z.strictObject({
  id: column.int,
  publish: column.maybeBool,
  body: column.text,
});

/** A stored body; `rootId` is the root of a node's tree. */
export type StoredBody = z.infer<typeof BodyRow> & { readonly rootId: number | null };

/** Stored bodies of records of one repository by id, locked until the transaction ends, without suppressed ones, which nobody may change. */
export const lockStored = (
  tx: Transaction,
  kind: Kind,
  ids: readonly number[],
  repoId: number | null,
): Promise<readonly StoredBody[]> => storedBodies(tx, { kind, ids }, repoId, sql.fragment`FOR NO KEY UPDATE`);

/** The same as they are now, without locks. */
export const readStored = (
  reader: Reader,
  kind: Kind,
  ids: readonly number[],
  repoId: number | null,
): Promise<readonly StoredBody[]> => storedBodies(reader, { kind, ids }, repoId, sql.fragment`OFFSET 0`);

async function storedBodies(
  reader: Reader,
  { kind, ids }: IdsOfKind,
  repoId: number | null,
  locked: Fragment,
): Promise<readonly StoredBody[]> {
  const inOrder = ids.toSorted((a, b) => a - b);
  // Looked up one by one, in that order (lock-order.ts): where many are younger than the statistics, a join went through all records of the kind for each block.
  const rows = await reader.any(sql.type(BodyRow)`
    SELECT r.id, r.publish, r.body FROM unnest(${sql.array(inOrder, 'int4')}) AS u (id) CROSS JOIN LATERAL (
      SELECT r.id, r.publish, r.body FROM record r
      WHERE r.kind = ${kind.name} AND r.id = u.id AND r.repo_id IS NOT DISTINCT FROM ${repoId}::int AND NOT r.suppressed ${locked}) AS r`);
  if (kind.tree === undefined || rows.length === 0) return rows.map((row) => ({ ...row, rootId: null }));
  // Asked by itself: they may have been moved to another root while they were waited for.
  const places = await placesOf(
    reader,
    { repoId: repoId ?? 0, code: kind.tree.code },
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, rootId: places.get(row.id)?.root_id ?? null }));
}

type Written = Revised & { readonly stored: Stored };

/** Writes the bodies with their labels, keys and slugs; keeps the old ones as revisions. Gives the ids that changed. Fails with `not_unique`, naming the record. */
export async function reviseMany(
  tx: Transaction,
  kind: Kind,
  all: readonly Revised[],
  { repoId, actor, generatedValues, keepsVersion = false, areNew = false }: Revising,
): Promise<readonly number[]> {
  const changedOf = (some: readonly Revised[]): readonly Written[] =>
    some.flatMap((each) => {
      const prepared = { body: each.body, links: [], newEnumerationValues: [], warnings: {} };
      const stored = splitBody(kind, prepared, generatedValues, each.old);
      return stored.text === JSON.stringify(each.old) ? [] : [{ ...each, stored }];
    });
  const edits = changedOf(all);
  if (edits.length === 0) return [];
  // An edit makes slugs anew, as single saves do; who gives names has made them.
  const renamed = keepsVersion ? [] : await renewedSlugs(tx, kind, edits, generatedValues, new Map());
  const slugged = new Map(changedOf(renamed).map((each) => [each.id, each]));
  const changed = edits.map((each) => slugged.get(each.id) ?? each);
  const rows = sql.unnest(
    changed.map(({ id, stored }) => [id, stored.label, stored.text]),
    ['int4', 'text', 'text'],
  );
  if (!keepsVersion) {
    await tx.run(sql`INSERT INTO revision (kind, id, lock_version, repo_id, op, actor, label, publish, suppressed, last_modified_by, user_mtime, body)
      SELECT r.kind, r.id, r.lock_version, r.repo_id, 'update', ${actor}, r.label, r.publish, r.suppressed, r.last_modified_by, r.user_mtime, r.body
      FROM unnest(${sql.array(
        changed.map(({ id }) => id),
        'int4',
      )}) AS u (id) JOIN record r ON r.kind = ${kind.name} AND r.id = u.id`);
  }
  const edited = keepsVersion
    ? sql.fragment``
    : sql.fragment`, lock_version = r.lock_version + 1, last_modified_by = ${actor}, user_mtime = now()`;
  const update = sql.fragment`UPDATE record r SET label = u.label, body = u.body::json, system_mtime = now()${edited}
      FROM ${rows} AS u (id, label, body) WHERE r.kind = ${kind.name} AND r.id = u.id`;
  await tx.run(
    areNew
      ? sql`${update}`
      : sql`WITH written AS (${update} RETURNING r.kind, r.id, r.repo_id) ${appendManyFrom('written', 'update', actor)}`,
  );
  await renewKeys(
    tx,
    kind,
    changed.map(({ id, old, stored }) => ({
      id,
      before: keysOf(kind, old, repoId, null),
      after: keysOf(kind, stored.body, repoId, null),
    })),
  );
  await matchLevels(
    tx,
    kind,
    repoId,
    changed.map(({ id, old, stored }) => ({ id, old, body: stored.body })),
  );
  tx.changed();
  return changed.map(({ id }) => id);
}

type Keys = { readonly id: number; readonly before: readonly KeyRow[]; readonly after: readonly KeyRow[] };
type KeyChange = { readonly id: number; readonly key: KeyRow; readonly old: string | null };

const ScopeRow = z.strictObject({ rule: column.text, scope: column.text, value: column.text, id: column.int });

const RenewKeyRow = z.strictObject({ rule: column.text, value: column.text, id: column.int, repo_id: column.maybeInt });

/** Gives records the keys of their new bodies. Keys within a tree keep their scope, which the body does not tell: such a key is renamed, never made. */
async function renewKeys(tx: Transaction, kind: Kind, all: readonly Keys[]): Promise<void> {
  const gone: [string, string, number][] = [];
  const come: KeyChange[] = [];
  for (const { id, before, after } of all) {
    const same = (a: KeyRow, b: KeyRow): boolean => a.rule === b.rule && a.value === b.value;
    const lost = before.filter((key) => !after.some((other) => same(key, other)));
    for (const key of lost) gone.push([key.rule, key.value, id]);
    for (const key of after.filter((other) => !before.some((own) => same(own, other))))
      come.push({ id, key, old: lost.find((other) => other.rule === key.rule)?.value ?? null });
  }
  if (gone.length + come.length === 0) return;
  const rows = sql.unnest(
    come.map(({ id, key, old }) => [key.rule, key.scope, key.value, id, old]),
    ['text', 'text', 'text', 'int4', 'text'],
  );
  const scopes = await tx.any(sql.type(ScopeRow)`SELECT u.rule, coalesce(k.scope, u.scope) AS scope, u.value, u.id
    FROM ${rows} AS u (rule, scope, value, id, old) LEFT JOIN unique_key k ON k.kind = ${kind.name} AND k.id = u.id AND k.rule = u.rule AND k.value = u.old ORDER BY 1, 2, 3, 4`);
  await tx.run(
    sql`DELETE FROM unique_key k USING ${sql.unnest(gone, ['text', 'text', 'int4'])} AS u (rule, value, id) WHERE k.kind = ${kind.name} AND k.id = u.id AND k.rule = u.rule AND k.value = u.value`,
  );
  const given = sql.unnest(
    scopes.map((row) => [row.rule, row.scope, row.value, row.id]),
    ['text', 'text', 'text', 'int4'],
  );
  const written = await insertKeys(
    tx,
    sql.fragment`SELECT u.*, ${kind.name}::text AS kind, u.id AS place FROM ${given} AS u (rule, scope, value, id)`,
  );
  if (written === scopes.length) return;
  const taken = await tx.maybeOne(sql.type(RenewKeyRow)`
    SELECT u.rule, u.value, u.id, r.repo_id FROM ${given} AS u (rule, scope, value, id)
    JOIN unique_key k ON k.rule = u.rule AND k.scope = u.scope AND k.value = u.value JOIN record r ON r.kind = ${kind.name} AND r.id = u.id WHERE k.kind <> ${kind.name} OR k.id <> u.id ORDER BY u.id LIMIT 1`);
  if (taken === null) return;
  const key = come.find(
    (each) => each.id === taken.id && each.key.rule === taken.rule && each.key.value === taken.value,
  )?.key;
  throw fail(
    'not_unique',
    { [key?.property ?? taken.rule]: [key?.says ?? 'Must be unique'] },
    { uri: uriOf(kindNamed(kind.name), taken.id, taken.repo_id) },
  );
}

/** Trees show the level of their nodes without reading bodies. */
async function matchLevels(tx: Transaction, kind: Kind, repoId: number | null, all: readonly Revised[]): Promise<void> {
  const { tree } = kind;
  if (tree?.level === undefined) return;
  const level = tree.level;
  const moved = all
    .filter(({ old, body }) => level(old) !== level(body))
    .map(({ id, body }) => [id, level(body) ?? null]);
  if (moved.length === 0) return;
  await tx.run(
    sql`UPDATE tree_node t SET level = u.level FROM ${sql.unnest(moved, ['int4', 'text'])} AS u (id, level) WHERE t.repo_id = ${repoId} AND t.kind = ${tree.code} AND t.id = u.id`,
  );
}

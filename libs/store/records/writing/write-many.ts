// Creating and replacing many records of one kind in a fixed number of statements: for routes that act on a whole list at once.
// Kinds in trees, with mutual links or with rules about targets are not for this.
import { z } from 'zod';
import { uriOf } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import type { JsonObject } from '#domain/json.ts';
import { fail } from '#domain/errors.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import type { KeyRow, LinkRow, Stored } from '#domain/checking/split.ts';
import { keysOf, splitBody } from '#domain/checking/split.ts';
import { sequenceOf } from '../../set-up/kind-partitions.ts';
import type { Transaction } from '../../connection/database.ts';
import { StoredRow, column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { checkTargets } from './links.ts';
import type { WriteContext } from './write.ts';

/** A record to be replaced: its id, the body that is stored, and what it becomes. */
export type Replacement = { readonly id: number; readonly old: JsonObject; readonly prepared: Prepared };

/** Stored bodies by id, locked until the transaction ends. Ids that the repository (or, for global kinds, nobody) has are absent. */
export async function lockBodies(
  tx: Transaction,
  kind: Kind,
  ids: readonly number[],
  repoId: number | null,
): Promise<ReadonlyMap<number, JsonObject>> {
  const rows = await tx.any(sql.type(StoredRow)`SELECT id, body FROM record
    WHERE kind = ${kind.name} AND id = ANY(${sql.array([...ids], 'int4')}) AND repo_id IS NOT DISTINCT FROM ${repoId}::int ORDER BY id FOR NO KEY UPDATE`);
  // Stored bodies are our own canonical text.
  return new Map(rows.map((row) => [row.id, JSON.parse(row.body)]));
}

const IdsRow = z.strictObject({ ids: column.ints });

/** Creates records and gives their uris in order. Fails with `unknown_reference`, and with `not_unique` naming the first that clashes. */
export async function createMany(
  tx: Transaction,
  kind: Kind,
  all: readonly Prepared[],
  context: WriteContext,
): Promise<readonly string[]> {
  if (all.length === 0) return [];
  const stored = all.map((prepared) => splitBody(kind, prepared, context.generatedValues, null));
  await checkTargets(
    tx,
    stored.flatMap((each) => each.links),
    context.repoId,
    null,
  );
  const { ids } = await tx.one(sql.type(IdsRow)`
    SELECT ARRAY(SELECT nextval(${sequenceOf(kind.name)})::int FROM generate_series(1, ${stored.length}::int)) AS ids`);
  const rows = stored.map((each, index) => [ids[index] ?? 0, each.publish, each.label, each.text]);
  await tx.run(sql`
    WITH written AS (
      INSERT INTO record (kind, id, repo_id, publish, label, created_by, last_modified_by, body)
      SELECT ${kind.name}, u.id, ${context.repoId}::int, u.publish, u.label, ${context.actor}, ${context.actor}, u.body::json
      FROM ${sql.unnest(rows, ['int4', 'bool', 'text', 'text'])} AS u (id, publish, label, body) RETURNING id, repo_id
    ) INSERT INTO change (actor, kind, id, repo_id, op, lock_version) SELECT ${context.actor}, ${kind.name}, id, repo_id, 'create', 0 FROM written`);
  const numbered = stored.map((each, index) => ({ id: ids[index] ?? 0, stored: each }));
  await insertAllLinks(tx, kind, numbered, context.repoId);
  await claimAllKeys(tx, kind, numbered, context.repoId);
  tx.changed();
  return ids.map((id) => uriOf(kind, id, context.repoId));
}

/**
 * Replaces records that `lockBodies` has locked; whatever version they have. Keys are given up by all before they are claimed
 * anew, so that records may exchange them. Keeps the old bodies as revisions. Fails as createMany.
 */
export async function replaceMany(
  tx: Transaction,
  kind: Kind,
  all: readonly Replacement[],
  context: WriteContext,
): Promise<void> {
  if (all.length === 0) return;
  const numbered = all.map((each) => ({
    id: each.id,
    stored: splitBody(kind, each.prepared, context.generatedValues, each.old),
  }));
  await checkTargets(
    tx,
    numbered.flatMap((each) => each.stored.links),
    context.repoId,
    null,
  );
  const ids = sql.array(
    all.map((each) => each.id),
    'int4',
  );
  await tx.run(sql`INSERT INTO revision (kind, id, lock_version, repo_id, op, actor, label, publish, suppressed, last_modified_by, user_mtime, body)
    SELECT kind, id, lock_version, repo_id, 'update', ${context.actor}, label, publish, suppressed, last_modified_by, user_mtime, body FROM record WHERE kind = ${kind.name} AND id = ANY(${ids})`);
  const rows = numbered.map(({ id, stored }) => [id, stored.publish, stored.label, stored.text]);
  await tx.run(sql`
    WITH written AS (
      UPDATE record r SET lock_version = r.lock_version + 1, publish = u.publish, label = u.label, body = u.body::json, last_modified_by = ${context.actor}, system_mtime = now(), user_mtime = now()
      FROM ${sql.unnest(rows, ['int4', 'bool', 'text', 'text'])} AS u (id, publish, label, body) WHERE r.kind = ${kind.name} AND r.id = u.id RETURNING r.id, r.repo_id, r.lock_version
    ) INSERT INTO change (actor, kind, id, repo_id, op, lock_version) SELECT ${context.actor}, ${kind.name}, id, repo_id, 'update', lock_version FROM written`);
  await tx.run(sql`DELETE FROM link WHERE source_kind = ${kind.name} AND source_id = ANY(${ids})`);
  await tx.run(sql`DELETE FROM unique_key WHERE kind = ${kind.name} AND id = ANY(${ids})`);
  await insertAllLinks(tx, kind, numbered, context.repoId);
  await claimAllKeys(tx, kind, numbered, context.repoId);
  tx.changed();
}

type Numbered = { readonly id: number; readonly stored: Stored };

async function insertAllLinks(
  tx: Transaction,
  kind: Kind,
  all: readonly Numbered[],
  repoId: number | null,
): Promise<void> {
  const rows = all.flatMap(({ id, stored }) =>
    stored.links.map((link: LinkRow, ordinal) => [
      id,
      ordinal,
      link.property,
      link.targetKind,
      link.targetId,
      link.role,
    ]),
  );
  if (rows.length === 0) return;
  await tx.run(sql`INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role)
    SELECT ${kind.name}, u.id, u.ordinal, u.property, u.target_kind, u.target_id, ${repoId}::int, u.role
    FROM ${sql.unnest(rows, ['int4', 'int4', 'text', 'text', 'int4', 'text'])} AS u (id, ordinal, property, target_kind, target_id, role)`);
}

const LostRow = z.strictObject({ rule: column.text, id: column.int });

async function claimAllKeys(
  tx: Transaction,
  kind: Kind,
  all: readonly Numbered[],
  repoId: number | null,
): Promise<void> {
  const keys = all.flatMap(({ id, stored }) =>
    keysOf(kind, stored.body, repoId, null).map((key): KeyRow & { readonly id: number } => ({ ...key, id })),
  );
  if (keys.length === 0) return;
  const given = sql.unnest(
    keys.map((key) => [key.rule, key.scope, key.value, key.id]),
    ['text', 'text', 'text', 'int4'],
  );
  // In one order, as single writes take them, so that two transactions cannot wait for each other.
  const written = await tx.run(sql`INSERT INTO unique_key (rule, scope, value, kind, id)
    SELECT u.rule, u.scope, u.value, ${kind.name}, u.id FROM ${given} AS u (rule, scope, value, id) ORDER BY 1, 2, 3, u.id ON CONFLICT DO NOTHING`);
  if (written === keys.length) return;
  const lost = await tx.one(sql.type(LostRow)`SELECT u.rule, u.id FROM ${given} AS u (rule, scope, value, id)
    JOIN unique_key k ON k.rule = u.rule AND k.scope = u.scope AND k.value = u.value WHERE k.kind <> ${kind.name} OR k.id <> u.id ORDER BY u.id LIMIT 1`);
  const key = keys.find((each) => each.rule === lost.rule && each.id === lost.id);
  throw fail('not_unique', { [key?.property ?? 'db_error']: [key?.says ?? ''] }, { uri: uriOf(kind, lost.id, repoId) });
}

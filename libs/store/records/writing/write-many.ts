// Creating and replacing many records of one kind in a fixed number of statements: for routes that act on a whole list at once.
// Roots of trees are not for this; nodes can be created, under one parent. Kinds with mutual links cannot be replaced, and rules about targets are not asked again.
import { z } from 'zod';
import { uriOf } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Failure } from '#domain/errors.ts';
import { fail } from '#domain/errors.ts';
import { mayLiveIn, noArchivalRecords } from '#domain/access/global-repository.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import { keysOf, splitBody } from '#domain/checking/split.ts';
import { appendFrom } from '../../change-log/append.ts';
import { sequenceOf } from '../../set-up/kind-partitions.ts';
import type { Transaction } from '../../connection/database.ts';
import { StoredRow, column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { changedFarSides, holdNewSides, redateFarSides } from './far-sides.ts';
import type { LinkSource } from './links.ts';
import { checkTargets, insertLinks } from './links.ts';
import { holdNewTargets, storedForms } from './stored-form.ts';
import type { NumberedRecord } from './tree-place.ts';
import { placeNewNodes } from './tree-place.ts';
import { clashOf, insertKeys } from './unique-keys.ts';
import type { WriteContext } from './write-context.ts';

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

/**
 * Creates records and gives their uris in order; nodes of trees under the one parent that all of them name. Fails as createRecord does; with
 * `not_unique` for the first record that clashes, in the words that `tell` gives to that.
 */
export async function createMany(
  tx: Transaction,
  kind: Kind,
  all: readonly Prepared[],
  context: WriteContext,
  tell: (failure: Failure, clashing: Prepared) => Failure = (failure) => failure,
): Promise<readonly string[]> {
  if (all.length === 0) return [];
  const { repoId } = context;
  if (!mayLiveIn(kind, repoId)) throw fail('not_allowed', noArchivalRecords);
  await holdNewSides(tx, kind, all, repoId);
  const stored = await storedForms(tx, { kind, id: null, repoId, old: null }, all, context);
  const suppressedTargets = await holdNewTargets(tx, kind, stored, repoId);
  const { ids } = await tx.one(sql.type(IdsRow)`
    SELECT ARRAY(SELECT nextval(${sequenceOf(kind.name)})::int FROM generate_series(1, ${stored.length}::int)) AS ids`);
  const rows = stored.map((each, index) => [ids[index] ?? 0, each.publish, each.label, each.text]);
  await tx.run(sql`
    WITH written AS (
      INSERT INTO record (kind, id, repo_id, publish, label, created_by, last_modified_by, body)
      SELECT ${kind.name}, u.id, ${repoId}::int, u.publish, u.label, ${context.actor}, ${context.actor}, u.body::json
      FROM ${sql.unnest(rows, ['int4', 'bool', 'text', 'text'])} AS u (id, publish, label, body) RETURNING kind, id, repo_id, lock_version
    ) ${appendFrom('written', 'create', context.actor)}`);
  const numbered = stored.map((each, index) => ({ id: ids[index] ?? 0, stored: each }));
  await insertLinks(tx, kind.name, linksOf(numbered), repoId, suppressedTargets);
  const far = stored.flatMap(({ links }) => changedFarSides(kind, [], links));
  await redateFarSides(tx, far, context.actor);
  const clash = await claimAllKeys(tx, kind, numbered, repoId);
  const clashing = clash === null ? undefined : all[ids.indexOf(clash.id)];
  if (clash !== null && clashing !== undefined) throw tell(clash.failure, clashing);
  await placeNewNodes(tx, kind, repoId, numbered);
  tx.changed();
  return ids.map((id) => uriOf(kind, id, repoId));
}

const linksOf = (all: readonly NumberedRecord[]): readonly LinkSource[] =>
  all.map(({ id, stored }) => ({ id, links: stored.links }));

/**
 * Replaces records that `lockBodies` has locked; whatever version they have. Keys are given up by all before they are claimed
 * anew, so that records may exchange them. Keeps the old bodies as revisions. Fails as createMany; a clash with the record's uri.
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
  const suppressedTargets = await checkTargets(
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
      FROM ${sql.unnest(rows, ['int4', 'bool', 'text', 'text'])} AS u (id, publish, label, body) WHERE r.kind = ${kind.name} AND r.id = u.id RETURNING r.kind, r.id, r.repo_id, r.lock_version
    ) ${appendFrom('written', 'update', context.actor)}`);
  await tx.run(sql`DELETE FROM link WHERE source_kind = ${kind.name} AND source_id = ANY(${ids})`);
  await tx.run(sql`DELETE FROM unique_key WHERE kind = ${kind.name} AND id = ANY(${ids})`);
  await insertLinks(tx, kind.name, linksOf(numbered), context.repoId, suppressedTargets);
  const clash = await claimAllKeys(tx, kind, numbered, context.repoId);
  if (clash !== null)
    throw fail(
      'not_unique',
      clash.failure.error,
      { ...clash.failure.extra, uri: uriOf(kind, clash.id, context.repoId) },
      clash.failure,
    );
  tx.changed();
}

const LostRow = z.strictObject({ id: column.int });

/** Gives records their keys. Gives the first that has one of another record, with the failure that its own save would have; null where all are free. */
async function claimAllKeys(
  tx: Transaction,
  kind: Kind,
  all: readonly NumberedRecord[],
  repoId: number | null,
): Promise<{ readonly id: number; readonly failure: Failure } | null> {
  const keysById = new Map(all.map(({ id, stored }) => [id, keysOf(kind, stored.body, repoId, stored.place)]));
  const keys = [...keysById].flatMap(([id, own]) => own.map((key) => [key.rule, key.scope, key.value, id]));
  if (keys.length === 0) return null;
  const given = sql.unnest(keys, ['text', 'text', 'text', 'int4']);
  const written = await insertKeys(
    tx,
    sql.fragment`SELECT u.*, ${kind.name}::text AS kind, u.id AS place FROM ${given} AS u (rule, scope, value, id)`,
  );
  if (written === keys.length) return null;
  const { id } = await tx.one(sql.type(LostRow)`SELECT u.id FROM ${given} AS u (rule, scope, value, id)
    JOIN unique_key k ON k.rule = u.rule AND k.scope = u.scope AND k.value = u.value WHERE k.kind <> ${kind.name} OR k.id <> u.id ORDER BY u.id LIMIT 1`);
  const failure = await clashOf(tx, kind.name, id, keysById.get(id) ?? []);
  return { id, failure: failure ?? fail('not_unique', { db_error: ['Must be unique'] }) };
}

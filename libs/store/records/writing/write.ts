// Creating and updating records, step by step in one transaction: the body's stored form, its targets held, the row with revision and change,
// links, keys, place. Checking a body is pure (libs/domain/checking/prepare.ts) and happens before; here is what needs the database.
import { z } from 'zod';
import { uriOf } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Failure } from '#domain/errors.ts';
import { fail } from '#domain/errors.ts';
import { mayLiveIn, noArchivalRecords } from '#domain/access/global-repository.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import { sequenceOf } from '../../set-up/kind-partitions.ts';
import type { Transaction } from '../../connection/database.ts';
import { column, IdRow, LockVersionRow } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { restoreHidden } from '../reading/hidden-refs.ts';
import { changedFarSides, holdNewSides, holdSides, redateFarSides } from './far-sides.ts';
import { insertLinks, replaceLinks } from './links.ts';
import { updatePartTombstones } from './part-tombstones.ts';
import { placeNew, placeUpdated, seePlace } from './tree-place.ts';
import type { Stored } from '#domain/checking/split.ts';
import { keysOf } from '#domain/checking/split.ts';
import { holdNewTargets, holdTargets, storedForm } from './stored-form.ts';
import { claimKeys } from './unique-keys.ts';
import type { WriteContext } from './write-context.ts';

/** What a create or update answers (contract 1.2). */
export type Written = {
  readonly id: number;
  readonly lockVersion: number;
  readonly uri: string;
  readonly warnings: Prepared['warnings'];
};

/** What a deleted record that is brought back keeps (undelete.ts): its id, who made it when, and of the body that it had last its ARKs, which nobody else has. */
export type FormerRecord = {
  readonly id: number;
  readonly lockVersion: number;
  readonly createdBy: string | null;
  readonly createTime: string;
  readonly body: JsonObject;
};

/**
 * Creates a record from a prepared body. Fails with `unknown_reference`, `not_unique`, `invalid_record`, or `not_allowed` in the global repository.
 * A node of a tree is placed under its parent at the asked position (contract trees 1.9).
 */
export async function createRecord(
  tx: Transaction,
  kind: Kind,
  prepared: Prepared,
  context: WriteContext,
  former?: FormerRecord,
): Promise<Written> {
  const { repoId } = context;
  if (!mayLiveIn(kind, repoId)) throw fail('not_allowed', noArchivalRecords);
  await holdNewSides(tx, kind, [prepared], repoId);
  const stored = await storedForm(tx, { kind, id: null, repoId, old: null, former: former?.body }, prepared, context);
  const suppressedTargets = await holdNewTargets(tx, kind, [stored], repoId);
  const { id, lockVersion } = await insertRow(tx, kind, stored, context, former);
  // In this order, as whoever saves one of the other sides holds that before its keys.
  await tx.together(() => [
    insertLinks(tx, kind.name, [{ id, links: stored.links }], repoId, suppressedTargets),
    redateFarSides(tx, changedFarSides(kind, [], stored.links), context.actor),
    claimKeys(tx, kind.name, id, keysOf(kind, stored.body, repoId, stored.place), true),
  ]);
  await placeNew(tx, kind, repoId, { id, stored }, former !== undefined);
  tx.changed();
  return { id, lockVersion, uri: uriOf(kind, id, repoId), warnings: prepared.warnings };
}

/**
 * Replaces the body of a record (contract 3.1: full replacement). `lockVersion` is what the client sent: absent or old is a
 * 409. Keeps the old body as a revision.
 */
export async function updateRecord(
  tx: Transaction,
  kind: Kind,
  id: number,
  prepared: Prepared,
  lockVersion: unknown,
  context: WriteContext,
): Promise<Written> {
  const { repoId } = context;
  await holdSides(tx, kind, id, prepared);
  const current = await lockRecord(tx, kind, id, repoId);
  // What a caller may not read is not there for writing either (contract 5.2).
  if (current.suppressed && context.keepsHidden === true) throw fail('not_found', `${kind.model} not found`);
  refuseStale(current, lockVersion);
  // The old body is our own canonical text.
  const old: JsonObject = JSON.parse(current.body);
  const whole = context.keepsHidden === true ? await restoreHidden(tx, kind, id, old, prepared) : prepared;
  const stored = await storedForm(tx, { kind, id, repoId, old }, whole, context);
  const suppressedTargets = await holdTargets(tx, kind, [stored], repoId, { kind: kind.name, id });
  const [newVersion, , dropped, seen] = await tx.together(() => [
    replaceRow(tx, kind, id, stored, context.actor),
    updatePartTombstones(tx, kind, id, repoId, old, stored.body),
    replaceLinks(tx, kind.name, id, repoId, stored.links, suppressedTargets, context.keepsHidden),
    seePlace(tx, kind, id, repoId, (stored.place?.position ?? null) !== null),
  ]);
  await redateFarSides(tx, changedFarSides(kind, dropped, stored.links), context.actor);
  const savedAt = context.asksPlace === true ? null : current.saved_at;
  const place = seen === null ? null : await placeUpdated(tx, kind, id, stored, seen, savedAt);
  await claimKeys(tx, kind.name, id, keysOf(kind, stored.body, repoId, place), false);
  tx.changed();
  return { id, lockVersion: newVersion, uri: uriOf(kind, id, repoId), warnings: prepared.warnings };
}

const Current = z.strictObject({
  lock_version: column.int,
  suppressed: column.bool,
  body: column.text,
  repo_id: column.maybeInt,
  saved_at: column.text,
});
type Current = z.infer<typeof Current>;

/** The row of a record, locked until the transaction ends. Fails with `not_found` in the contract's words. */
export async function lockRecord(tx: Transaction, kind: Kind, id: number, repoId: number | null): Promise<Current> {
  const current = await tx.maybeOne(sql.type(Current)`
      SELECT lock_version, suppressed, body, repo_id, user_mtime::text AS saved_at FROM record
    WHERE kind = ${kind.name} AND id = ${id} AND repo_id IS NOT DISTINCT FROM ${repoId}::int FOR NO KEY UPDATE`);
  if (current === null) throw fail('not_found', `${kind.model} not found`);
  return current;
}

/** Fails with `stale_record` where the client does not send the version that is stored, with `conflict` where the record is suppressed. */
function refuseStale(current: Current, lockVersion: unknown): void {
  // null, and {}: other objects were refused with the body.
  if (lockVersion === undefined || lockVersion === '' || typeof lockVersion === 'object')
    throw fail('stale_record', 'You must provide a lock_version in your request');
  if (Number(lockVersion) !== current.lock_version)
    throw fail('stale_record', 'The record you tried to update has been modified since you fetched it.');
  if (current.suppressed) throw fail('conflict', "Can't update an object that has been suppressed");
}

/** The failure of a deletion where the record has another version than was named (If-Match). */
export const staleToDelete = (): Failure =>
  fail('stale_record', 'The record you tried to delete has been modified since you fetched it.');

/** Writes the row of a new record, whose repository is held (holdNewTargets), and the change, in one statement. */
async function insertRow(
  tx: Transaction,
  kind: Kind,
  stored: Stored,
  { actor, repoId }: WriteContext,
  former: FormerRecord | undefined,
): Promise<{ readonly id: number; readonly lockVersion: number }> {
  const lockVersion = former?.lockVersion ?? 0;
  const { id } = await tx.one(sql.type(IdRow)`
    WITH written AS (
      INSERT INTO record (kind, id, repo_id, lock_version, publish, label, created_by, create_time, last_modified_by, body)
      SELECT ${kind.name}, coalesce(${former?.id ?? null}::int, nextval(${sequenceOf(kind.name)})::int), ${repoId}::int, ${lockVersion}::int, ${stored.publish}::boolean, ${stored.label},
        ${former === undefined ? actor : former.createdBy}, coalesce(${former?.createTime ?? null}::timestamptz, now()), ${actor}, ${stored.text}::json
      RETURNING id, repo_id
    ), logged AS (
      INSERT INTO change (actor, kind, id, repo_id, op, lock_version) SELECT ${actor}, ${kind.name}, id, repo_id, 'create', ${lockVersion} FROM written
    ) SELECT id FROM written`);
  return { id, lockVersion };
}

/** Keeps the row as a revision, replaces it, and writes the change, in one statement. Gives the new version. */
async function replaceRow(
  tx: Transaction,
  kind: Kind,
  id: number,
  stored: Stored,
  actor: string | null,
): Promise<number> {
  const next = await tx.one(sql.type(LockVersionRow)`
    WITH kept AS (
      INSERT INTO revision (kind, id, lock_version, repo_id, op, actor, label, publish, suppressed, last_modified_by, user_mtime, body)
      SELECT kind, id, lock_version, repo_id, 'update', ${actor}, label, publish, suppressed, last_modified_by, user_mtime, body
      FROM record WHERE kind = ${kind.name} AND id = ${id}
    ), written AS (
      UPDATE record SET lock_version = lock_version + 1, publish = ${stored.publish}, label = ${stored.label}, body = ${stored.text}::json,
        last_modified_by = ${actor}, system_mtime = now(), user_mtime = now()
      WHERE kind = ${kind.name} AND id = ${id} RETURNING lock_version, repo_id
    ), logged AS (
      INSERT INTO change (actor, kind, id, repo_id, op, lock_version) SELECT ${actor}, ${kind.name}, ${id}, repo_id, 'update', lock_version FROM written
    ) SELECT lock_version FROM written`);
  return next.lock_version;
}

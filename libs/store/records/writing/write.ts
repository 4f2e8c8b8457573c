// Creating and updating records: one transaction writes the row, its links, keys, place, revision and change.
// Checking a body is pure (libs/domain/checking/prepare.ts) and happens before; here is what needs the database.
import { uriOf } from '#domain/addresses.ts';
import type { Kind, Making } from '#domain/kind.ts';
import type { JsonObject } from '#domain/json.ts';
import { fail } from '#domain/errors.ts';
import { mayLiveIn, noArchivalRecords } from '#domain/access/global-repository.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import { sequenceOf } from '../../set-up/kind-partitions.ts';
import type { Transaction } from '../../connection/database.ts';
import { sql } from '../../connection/sql.ts';
import { restoreHidden } from '../reading/hidden-refs.ts';
import { checkTargetRules, checkTargets, insertLinks, replaceLinks } from './links.ts';
import { settleParts } from './part-tombstones.ts';
import { placeNew, placeUpdated } from './tree-place.ts';
import type { Stored } from '#domain/checking/split.ts';
import { keysOf, splitBody } from '#domain/checking/split.ts';
import type { Named } from './naming.ts';
import { withNames } from './naming.ts';
import { ensureTerms } from './terms.ts';
import { claimKeys } from './unique-keys.ts';

/**
 * Who writes, where, and the values that the pure code cannot make. `repoId` is null for global kinds. `keepsHidden`: the writer is not shown
 * links to suppressed records, so an update leaves them as they are. `keepsContacts`: the same for contact details. `asksPlace`: a `position`
 * in the body is asked for, and not part of a record that was read (PATCH).
 */
export type WriteContext = {
  readonly actor: string | null;
  readonly repoId: number | null;
  readonly making: Making;
  readonly keepsHidden?: boolean;
  readonly keepsContacts?: boolean;
  readonly asksPlace?: boolean;
};

/** What a create or update answers (contract 1.2). */
export type Written = {
  readonly id: number;
  readonly lockVersion: number;
  readonly uri: string;
  readonly warnings: Prepared['warnings'];
};

/** A record that is brought back under the id it had (undelete.ts). */
export type Again = {
  readonly id: number;
  readonly lockVersion: number;
  readonly createdBy: string | null;
  readonly createTime: string;
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
  again?: Again,
): Promise<Written> {
  if (!mayLiveIn(kind, context.repoId)) throw fail('not_allowed', noArchivalRecords);
  const lockVersion = again?.lockVersion ?? 0;
  const stored = await storedForm(tx, { kind, id: null, repoId: context.repoId, old: null }, prepared, context);
  const hidden = await checkTargets(tx, stored.links, context.repoId, null);
  await checkTargetRules(tx, kind, stored.body);
  const row = await tx.one<{ id: number }>(sql`
    WITH written AS (
      INSERT INTO record (kind, id, repo_id, lock_version, publish, label, created_by, create_time, last_modified_by, body)
      VALUES (${kind.name}, coalesce(${again?.id ?? null}::int, nextval(${sequenceOf(kind.name)})::int), ${context.repoId}, ${lockVersion}, ${stored.publish}, ${stored.label},
        ${again === undefined ? context.actor : again.createdBy}, coalesce(${again?.createTime ?? null}::timestamptz, now()), ${context.actor}, ${stored.text}::json)
      RETURNING id, repo_id
    ), logged AS (
      INSERT INTO change (actor, kind, id, repo_id, op, lock_version) SELECT ${context.actor}, ${kind.name}, id, repo_id, 'create', ${lockVersion} FROM written
    ) SELECT id FROM written`);
  await insertLinks(tx, kind.name, row.id, context.repoId, stored.links, hidden);
  await claimKeys(tx, kind.name, row.id, keysOf(kind, stored.body, context.repoId, stored.place), true);
  await placeNew(tx, kind, row.id, context.repoId, stored);
  tx.changed();
  return { id: row.id, lockVersion, uri: uriOf(kind, row.id, context.repoId), warnings: prepared.warnings };
}

type Current = {
  readonly lock_version: number;
  readonly suppressed: boolean;
  readonly body: string;
  readonly repo_id: number | null;
  readonly saved_at: string;
};

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
  const current = await lockRecord(tx, kind, id, context.repoId);
  checkVersion(current, lockVersion);
  // The old body is our own canonical text.
  const old: JsonObject = JSON.parse(current.body);
  const whole = context.keepsHidden === true ? await restoreHidden(tx, kind, id, old, prepared) : prepared;
  const stored = await storedForm(tx, { kind, id, repoId: context.repoId, old }, whole, context);
  const hidden = await checkTargets(tx, stored.links, context.repoId, { kind: kind.name, id });
  await checkTargetRules(tx, kind, stored.body);
  const next = await tx.one<{ lock_version: number }>(sql`
    WITH kept AS (
      INSERT INTO revision (kind, id, lock_version, repo_id, op, actor, label, publish, suppressed, last_modified_by, user_mtime, body)
      SELECT kind, id, lock_version, repo_id, 'update', ${context.actor}, label, publish, suppressed, last_modified_by, user_mtime, body
      FROM record WHERE kind = ${kind.name} AND id = ${id}
    ), written AS (
      UPDATE record SET lock_version = lock_version + 1, publish = ${stored.publish}, label = ${stored.label}, body = ${stored.text}::json,
        last_modified_by = ${context.actor}, system_mtime = now(), user_mtime = now()
      WHERE kind = ${kind.name} AND id = ${id} RETURNING lock_version, repo_id
    ), logged AS (
      INSERT INTO change (actor, kind, id, repo_id, op, lock_version) SELECT ${context.actor}, ${kind.name}, ${id}, repo_id, 'update', lock_version FROM written
    ) SELECT lock_version FROM written`);
  await settleParts(tx, kind, id, context.repoId, old, stored.body);
  await replaceLinks(tx, kind.name, id, context.repoId, stored.links, hidden, context.keepsHidden);
  const place = await placeUpdated(
    tx,
    kind,
    id,
    context.repoId,
    stored,
    context.asksPlace === true ? null : current.saved_at,
  );
  await claimKeys(tx, kind.name, id, keysOf(kind, stored.body, context.repoId, place), false);
  tx.changed();
  return { id, lockVersion: next.lock_version, uri: uriOf(kind, id, context.repoId), warnings: prepared.warnings };
}

/** The row of a record, locked until the transaction ends. Fails with `not_found` in the contract's words. */
export async function lockRecord(tx: Transaction, kind: Kind, id: number, repoId: number | null): Promise<Current> {
  const current =
    await tx.maybeOne<Current>(sql`SELECT lock_version, suppressed, body, repo_id, user_mtime::text AS saved_at FROM record
    WHERE kind = ${kind.name} AND id = ${id} AND repo_id IS NOT DISTINCT FROM ${repoId}::int FOR NO KEY UPDATE`);
  if (current === null) throw fail('not_found', `${kind.model} not found`);
  return current;
}

function checkVersion(current: Current, lockVersion: unknown): void {
  if (lockVersion === undefined || lockVersion === null || lockVersion === '')
    throw fail('stale_record', 'You must provide a lock_version in your request');
  if (Number(lockVersion) !== current.lock_version)
    throw fail('stale_record', 'The record you tried to update has been modified since you fetched it.');
  if (current.suppressed) throw fail('conflict', "Can't update an object that has been suppressed");
}

/** The body with the contact details of the stored one, for kinds that have some; a new record has those that are sent. */
function withStoredContacts(body: JsonObject, old: JsonObject | null): JsonObject {
  const stored = old?.['agent_contacts'];
  return stored === undefined ? body : { ...body, agent_contacts: stored };
}

async function storedForm(tx: Transaction, named: Named, prepared: Prepared, context: WriteContext): Promise<Stored> {
  const given = context.keepsContacts === true ? withStoredContacts(prepared.body, named.old) : prepared.body;
  const body = await withNames(tx, await ensureTerms(tx, given, context.actor), named, context.making);
  return splitBody(named.kind, body === prepared.body ? prepared : { ...prepared, body }, context.making, named.old);
}

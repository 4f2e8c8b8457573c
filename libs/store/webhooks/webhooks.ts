// Webhooks as rows: who is told of what. Deliveries are deliveries.ts.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { column, IdRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** What clients set. `repositories` are ids; empty lists mean all. `secret` null: the old one stays. */
export type WebhookBody = {
  readonly url: string;
  readonly secret: string | null;
  readonly kinds: readonly string[];
  readonly repositories: readonly number[];
  readonly operations: readonly string[];
  readonly active: boolean;
};

const Row = z.strictObject({
  id: column.int,
  lock_version: column.int,
  url: column.text,
  kinds: column.texts,
  repositories: column.ints,
  operations: column.texts,
  active: column.bool,
  created_by: column.maybeText,
  last_modified_by: column.maybeText,
  create_time: column.time,
  system_mtime: column.time,
  user_mtime: column.time,
});
type Row = z.infer<typeof Row>;

const columns = sql.fragment`id, lock_version, url, kinds, repositories, operations, active, created_by, last_modified_by, create_time, system_mtime, user_mtime`;

const shown = ({ id, lock_version, url, kinds, repositories, operations, active, ...audit }: Row): JsonObject => ({
  lock_version,
  ...Object.fromEntries(Object.entries(audit).filter(([, value]) => value !== null)),
  jsonmodel_type: 'webhook',
  uri: `/webhooks/${id}`,
  url,
  kinds,
  repositories: repositories.map((repoId) => `/repositories/${repoId}`),
  operations,
  active,
});

/** The failure of a hook that is not there. */
export const noWebhook = (): ReturnType<typeof fail> => fail('not_found', 'Webhook not found');

/** All webhooks by id, changed since a time in epoch seconds. The secret is in no reply. */
export async function readWebhooks(reader: Reader, modifiedSince = 0): Promise<readonly JsonObject[]> {
  const rows = await reader.any(sql.type(Row)`
    SELECT ${columns} FROM webhook WHERE system_mtime >= to_timestamp(${modifiedSince}) ORDER BY id`);
  return rows.map(shown);
}

/** One webhook. Fails with `not_found`. */
export async function readWebhook(reader: Reader, id: number): Promise<JsonObject> {
  const row = await reader.maybeOne(sql.type(Row)`SELECT ${columns} FROM webhook WHERE id = ${id}`);
  if (row === null) throw noWebhook();
  return shown(row);
}

/** Makes a webhook and gives its id. It is told of what is changed from now on. */
export async function createWebhook(
  tx: Transaction,
  body: WebhookBody & { readonly secret: string },
  actor: string | null,
): Promise<number> {
  const { id } = await tx.one(sql.type(IdRow)`
    INSERT INTO webhook (url, secret, kinds, repositories, operations, active, created_by, last_modified_by)
    VALUES (${body.url}, ${body.secret}, ${sql.array([...body.kinds], 'text')}, ${sql.array([...body.repositories], 'int4')}, ${sql.array([...body.operations], 'text')}, ${body.active}, ${actor}, ${actor}) RETURNING id`);
  return id;
}

const CurrentRow = z.strictObject({ lock_version: column.int, url: column.text, active: column.bool });

/**
 * Replaces a webhook and gives its new version. Where it has another address or secret, or is active again, what waits is due at once: how long it
 * was to wait came of what was wrong before. Fails with `not_found`, `stale_record`.
 */
export async function updateWebhook(
  tx: Transaction,
  id: number,
  body: WebhookBody,
  lockVersion: unknown,
  actor: string | null,
): Promise<number> {
  const current = await tx.maybeOne(sql.type(CurrentRow)`
    SELECT lock_version, url, active FROM webhook WHERE id = ${id} FOR NO KEY UPDATE`);
  if (current === null) throw noWebhook();
  if (lockVersion === undefined || lockVersion === null || lockVersion === '')
    throw fail('stale_record', 'You must provide a lock_version in your request');
  if (Number(lockVersion) !== current.lock_version)
    throw fail('stale_record', 'The record you tried to update has been modified since you fetched it.');
  await tx.run(sql`
    UPDATE webhook SET url = ${body.url}, secret = coalesce(${body.secret}, secret), kinds = ${sql.array([...body.kinds], 'text')}, repositories = ${sql.array([...body.repositories], 'int4')},
      operations = ${sql.array([...body.operations], 'text')}, active = ${body.active}, lock_version = lock_version + 1, last_modified_by = ${actor}, system_mtime = now(), user_mtime = now() WHERE id = ${id}`);
  // Senders look each second, so nobody is called.
  if (current.url !== body.url || body.secret !== null || (body.active && !current.active))
    await tx.run(sql`
      UPDATE webhook_delivery SET attempts = 0, next_attempt = now() WHERE webhook_id = ${id} AND status = 'pending' AND attempts > 0`);
  return current.lock_version + 1;
}

/** Deletes a webhook with its deliveries. Fails with `not_found`. */
export async function deleteWebhook(tx: Transaction, id: number): Promise<void> {
  if ((await tx.run(sql`DELETE FROM webhook WHERE id = ${id}`)) === 0) throw noWebhook();
}

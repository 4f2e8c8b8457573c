// Default values and required fields of a repository's forms, by record type (contract 6.14). Stored and given back; nothing here applies them.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import { largestInt4 } from '#domain/int4.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { holdRepository } from '../records/writing/home.ts';
import { column, LockVersionRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** Which of the two. */
export type FormSettingKind = 'default_values' | 'required_fields';

/** Of which forms. */
export type WhichForm = { readonly kind: FormSettingKind; readonly repoId: number; readonly recordType: string };

const models = { default_values: 'DefaultValues', required_fields: 'RequiredFields' } as const;

const Row = z.strictObject({
  lock_version: column.int,
  created_by: column.maybeText,
  last_modified_by: column.maybeText,
  create_time: column.time,
  system_mtime: column.time,
  user_mtime: column.time,
  body: column.text,
});
type Row = z.infer<typeof Row>;

/** The settings of a form as clients read them. Fails with `not_found`. */
export async function readFormSetting(reader: Reader, { kind, repoId, recordType }: WhichForm): Promise<JsonObject> {
  const row = await reader.maybeOne(sql.type(Row)`
      SELECT lock_version, created_by, last_modified_by, create_time, system_mtime, user_mtime, body FROM form_setting
    WHERE kind = ${kind} AND repo_id = ${repoId} AND record_type = ${recordType}`);
  if (row === null) throw fail('not_found', `${models[kind]} not found`);
  const { body, ...audit } = row;
  const settings: JsonObject = JSON.parse(body);
  const known = Object.fromEntries(Object.entries(audit).filter(([, value]) => value !== null));
  return {
    ...known,
    ...settings,
    uri: `/repositories/${repoId}/${kind}/${recordType}/${repoId}_${recordType}`,
    repository: { ref: `/repositories/${repoId}` },
  };
}

/** Creates or replaces the settings of a form and gives their lock_version. An absent version counts as 0, and is told apart where that is not the version; an old one, or what is none, is `stale_record`. */
export async function writeFormSetting(
  tx: Transaction,
  { kind, repoId, recordType }: WhichForm,
  body: JsonObject,
  lockVersion: unknown,
  actor: string | null,
): Promise<number> {
  const sent = Number(lockVersion ?? 0);
  // No form has such a version, and the database could not compare it.
  if (!Number.isInteger(sent) || sent < 0 || sent > largestInt4) throw staleForm();
  await holdRepository(tx, repoId);
  // Two that create at once: the second waits for the first, and is then an update with an old version or the right one.
  const row = await tx.maybeOne(sql.type(LockVersionRow)`
    INSERT INTO form_setting (kind, repo_id, record_type, created_by, last_modified_by, body) VALUES (${kind}, ${repoId}, ${recordType}, ${actor}, ${actor}, ${JSON.stringify(body)}::json)
    ON CONFLICT (kind, repo_id, record_type) DO UPDATE SET body = excluded.body, lock_version = form_setting.lock_version + 1, last_modified_by = ${actor}, system_mtime = now(), user_mtime = now()
      WHERE form_setting.lock_version = ${sent} RETURNING lock_version`);
  if (row === null)
    throw lockVersion === undefined || lockVersion === null
      ? fail('stale_record', 'You must provide a lock_version in your request')
      : staleForm();
  return row.lock_version;
}

const staleForm = (): Error =>
  fail('stale_record', 'The record you tried to update has been modified since you fetched it.');

/** Gives the settings of a repository's forms to another one, with refs that fit. Those of a form that has settings there stay where they are. */
export async function moveFormSettings(tx: Transaction, from: number, to: number): Promise<void> {
  await tx.run(sql`
    WITH given AS (
      INSERT INTO form_setting (kind, repo_id, record_type, lock_version, created_by, last_modified_by, create_time, user_mtime, body)
      SELECT kind, ${to}::int, record_type, lock_version, created_by, last_modified_by, create_time, user_mtime, replace(body::text, ${`"ref":"/repositories/${from}/`}, ${`"ref":"/repositories/${to}/`})::json
      FROM form_setting WHERE repo_id = ${from} ORDER BY kind, record_type FOR UPDATE ON CONFLICT DO NOTHING RETURNING kind, record_type
    ) DELETE FROM form_setting f USING given g WHERE f.repo_id = ${from} AND f.kind = g.kind AND f.record_type = g.record_type`);
}

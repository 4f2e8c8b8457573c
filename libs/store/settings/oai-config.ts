// The settings of the OAI provider: one row (contract 6.17).
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { column, LockVersionRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

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

/** The settings as clients read them. */
export async function readOaiConfig(reader: Reader): Promise<JsonObject> {
  const {
    body,
    created_by: createdBy,
    last_modified_by: modifiedBy,
    lock_version: lockVersion,
    ...times
  } = await reader.one(sql.type(Row)`
    SELECT lock_version, created_by, last_modified_by, create_time, system_mtime, user_mtime, body FROM oai_config`);
  // Our own text.
  const settings: unknown = JSON.parse(body);
  return {
    ...(isObject(settings) ? settings : {}),
    ...(createdBy === null ? {} : { created_by: createdBy }),
    ...(modifiedBy === null ? {} : { last_modified_by: modifiedBy }),
    ...times,
    lock_version: lockVersion,
    jsonmodel_type: 'oai_config',
  };
}

/** Replaces the settings; those that are not given are cleared (contract OAI 10). Gives the new lock_version; none is asked for (contract 6.17). */
export async function updateOaiConfig(tx: Transaction, settings: JsonObject, actor: string | null): Promise<number> {
  const text = JSON.stringify(settings);
  const row = await tx.one(sql.type(LockVersionRow)`
    UPDATE oai_config SET body = ${text}::json, lock_version = lock_version + 1, last_modified_by = ${actor}, system_mtime = now(), user_mtime = now() RETURNING lock_version`);
  return row.lock_version;
}

// The settings of the OAI provider: one row (contract 6.17).
import type { JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';

type Row = {
  readonly lock_version: number;
  readonly created_by: string | null;
  readonly last_modified_by: string | null;
  readonly create_time: string;
  readonly system_mtime: string;
  readonly user_mtime: string;
  readonly body: string;
};

/** The settings as clients read them. */
export async function readOaiConfig(reader: Reader): Promise<JsonObject> {
  const {
    body,
    created_by: createdBy,
    last_modified_by: modifiedBy,
    lock_version: lockVersion,
    ...times
  } = await reader.one<Row>(sql`
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
  const row = await tx.one<{ lock_version: number }>(
    sql`UPDATE oai_config SET body = ${text}::json, lock_version = lock_version + 1, last_modified_by = ${actor}, system_mtime = now(), user_mtime = now() RETURNING lock_version`,
  );
  return row.lock_version;
}

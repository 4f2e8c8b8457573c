// Who edits what at the moment, as editors report it every few seconds (contract 5.8, update monitor).
import { z } from 'zod';
import { parseUri } from '#domain/addresses.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { ofKinds } from './of-kinds.ts';

/** A report: this user edits the record of this uri; `time` as the client says it. */
export type ActiveEdit = { readonly uri: string; readonly user: string; readonly time: string };

/** Records under edit by uri: who edits them with the times of their reports, and the stored version (null: no such record). */
export type EditedRecords = {
  readonly [uri: string]: {
    readonly edited_by: { readonly [user: string]: string };
    readonly lock_version: number | null;
  };
};

const lastingSeconds = 30;

/** Stores reports, and forgets what was reported before the last half minute. */
export async function reportEdits(tx: Transaction, edits: readonly ActiveEdit[]): Promise<void> {
  const last = new Map(edits.map((edit) => [`${edit.uri} ${edit.user}`, edit]));
  await tx.run(
    sql`DELETE FROM active_edit WHERE ctid = ANY(ARRAY(SELECT ctid FROM active_edit WHERE at < now() - ${lastingSeconds} * interval '1 second' FOR UPDATE SKIP LOCKED))`,
  );
  await tx.run(sql`
    INSERT INTO active_edit (uri, username, time) SELECT uri, username, time
    FROM ${sql.unnest(
      [...last.values()].map(({ uri, user, time }) => [uri, user, time]),
      ['text', 'text', 'text'],
    )} AS u (uri, username, time) ORDER BY uri, username
    ON CONFLICT (uri, username) DO UPDATE SET time = excluded.time, at = now()`);
}

const EditRow = z.strictObject({ uri: column.text, users: z.record(z.string(), column.text) });

const VersionRow = z.strictObject({ uri: column.text, lock_version: column.int });

/** Everything reported in the last half minute, by anyone. Two statements. */
export async function readEdits(reader: Reader): Promise<EditedRecords> {
  const rows = await reader.any(sql.type(EditRow)`
    SELECT uri, jsonb_object_agg(username, time) AS users FROM active_edit WHERE at >= now() - ${lastingSeconds} * interval '1 second' GROUP BY uri ORDER BY uri`);
  const addresses = rows.flatMap(({ uri }) => {
    const address = parseUri(uri);
    return address === null ? [] : [[uri, address.kind, address.id, address.repoId]];
  });
  const versions = await reader.any(sql.type(VersionRow)`
    SELECT u.uri, r.lock_version FROM ${sql.unnest(addresses, ['text', 'text', 'int4', 'int4'])} AS u (uri, kind, id, repo_id)
    JOIN record r ON r.kind = u.kind AND r.id = u.id AND r.repo_id IS NOT DISTINCT FROM u.repo_id AND ${ofKinds(addresses.map(([, kind]) => String(kind)))}`);
  const versionOf = new Map(versions.map(({ uri, lock_version: version }) => [uri, version]));
  return Object.fromEntries(
    rows.map(({ uri, users }) => [uri, { edited_by: users, lock_version: versionOf.get(uri) ?? null }]),
  );
}

// The audit log: who logged in, who changed users and what they may, who took contact details out, who erased something. An entry is written in
// the transaction of what it tells of; nothing changes it afterwards, and the job `expire` removes it when it is old (MUNIMENT_AUDIT_DAYS).
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import type { Database, Reader, Transaction } from '../connection/database.ts';
import { column, CountRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** What is told. */
export const auditEvents = [
  'login',
  'login_failed',
  'login_blocked',
  'logout',
  'become_user',
  'user_created',
  'user_updated',
  'user_deleted',
  'user_activated',
  'user_deactivated',
  'user_groups_changed',
  'password_changed',
  'user_invited',
  'invitation_accepted',
  'password_hashes_taken',
  'password_taken_over',
  'group_created',
  'group_updated',
  'group_deleted',
  'contacts_exported',
  'history_purged',
  'migration_started',
] as const;

/** The name of what is told. */
export type AuditEvent = (typeof auditEvents)[number];

/** Who does it: the user name, the address, and the id of the request. */
export type AuditedBy = {
  readonly actor: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
};

/** What was done to which uri; `details` hold no passwords, tokens or contents of records. */
export type AuditFact = { readonly event: AuditEvent; readonly subject?: string; readonly details?: JsonObject };

/** Appends an entry, which stands where the transaction commits. */
export async function appendAudit(tx: Transaction, by: AuditedBy, fact: AuditFact): Promise<void> {
  await tx.run(sql`INSERT INTO audit_entry (event, actor, address, request_id, subject, details)
    VALUES (${fact.event}, ${by.actor}, ${by.address}, ${by.requestId}, ${fact.subject ?? null}, ${JSON.stringify(fact.details ?? {})}::json)`);
}

/** An entry as administrators read it. */
export type AuditEntry = {
  readonly id: number;
  readonly at: string;
  readonly event: string;
  readonly actor: string | null;
  readonly address: string | null;
  readonly request_id: string | null;
  readonly subject: string | null;
  readonly details: JsonObject;
};

/** Which entries are wanted; null: all. Times in seconds since 1970, `until` excluded. */
export type AuditFilter = {
  readonly event: string | null;
  readonly actor: string | null;
  readonly subject: string | null;
  readonly since: number | null;
  readonly until: number | null;
};

const EntryRow = z.strictObject({
  id: column.int,
  at: column.time,
  event: column.text,
  actor: column.maybeText,
  address: column.maybeText,
  request_id: column.maybeText,
  subject: column.maybeText,
  details: column.text,
});

/** A page of entries, the newest first, and how many there are in all. */
export async function readAudit(
  reader: Reader,
  { event, actor, subject, since, until }: AuditFilter,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ readonly total: number; readonly entries: readonly AuditEntry[] }> {
  const wanted = sql.fragment`(${event}::text IS NULL OR event = ${event}) AND (${actor}::text IS NULL OR actor = ${actor})
    AND (${subject}::text IS NULL OR subject = ${subject}) AND (${since}::float8 IS NULL OR at >= to_timestamp(${since}))
    AND (${until}::float8 IS NULL OR at < to_timestamp(${until}))`;
  const { count } = await reader.one(sql.type(CountRow)`SELECT count(*) AS count FROM audit_entry WHERE ${wanted}`);
  const rows = await reader.any(sql.type(EntryRow)`
    SELECT id, at, event, actor, address, request_id, subject, details FROM audit_entry WHERE ${wanted}
    ORDER BY id DESC LIMIT ${page.limit} OFFSET ${page.offset}`);
  return { total: count, entries: rows.map((row) => ({ ...row, details: JSON.parse(row.details) })) };
}

/** Removes entries older than this many days; 0: none. Returns how many. */
export async function pruneAudit(database: Database, days: number): Promise<number> {
  if (days === 0) return 0;
  return database.transaction((tx) =>
    tx.run(sql`DELETE FROM audit_entry WHERE at < now() - ${days} * interval '1 day'`),
  );
}

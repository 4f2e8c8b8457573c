// Requests that carried an Idempotency-Key: the first one of a key is let through and its answer kept for a day, the others get that answer.
// A key belongs to a user and an address. Rows are expired by the worker.
import { z } from 'zod';
import type { Database, Reader, Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** A request by its digests (SHA-256, hex). `bodyHash` is null where the body is not known when the request begins; what stands before a colon in it says how it was made. */
export type KeyedRequest = { readonly userId: number; readonly keyHash: string; readonly bodyHash: string | null };

/** What a request was answered: status, text, and the headers that its route gave. */
export type Answer = {
  readonly status: number;
  readonly reply: string;
  readonly headers: { readonly [name: string]: string };
};

/** What is known of a key: nothing, so that the request is ours to run; its answer; another body; or that the first is under way still. */
export type Claim =
  | { readonly kind: 'ours' }
  | ({ readonly kind: 'answered' } & Answer)
  | { readonly kind: 'other_body' }
  | { readonly kind: 'under_way' };

const Row = z.strictObject({
  body_hash: column.maybeText,
  status: column.maybeInt,
  reply: column.maybeText,
  headers: column.maybeText,
  job_id: column.maybeInt,
});
type Row = z.infer<typeof Row>;

const formOf = (hash: string): string => hash.slice(0, hash.indexOf(':') + 1);

/** Whether they are of two bodies, as far as digests tell that were made alike: for a day after an upgrade some may not be. */
const differs = (row: Row, bodyHash: string | null): boolean =>
  row.body_hash !== null &&
  bodyHash !== null &&
  formOf(row.body_hash) === formOf(bodyHash) &&
  row.body_hash !== bodyHash;

/** Claims a key. Of several at once one gets it. A key of over a day ago is as good as new. */
export async function claimKey(database: Database, { userId, keyHash, bodyHash }: KeyedRequest): Promise<Claim> {
  return database.transaction(async (tx) => {
    const mine = await tx.run(sql`
      INSERT INTO idempotency_key AS k (user_id, key_hash, body_hash) VALUES (${userId}, ${keyHash}, ${bodyHash})
      ON CONFLICT (user_id, key_hash) DO UPDATE SET body_hash = excluded.body_hash, status = NULL, reply = NULL, headers = NULL, job_id = NULL, at = now() WHERE k.at < now() - interval '24 hours'`);
    if (mine > 0) return { kind: 'ours' };
    const row = await tx.maybeOne(sql.type(Row)`
      SELECT body_hash, status, reply, headers, job_id FROM idempotency_key WHERE user_id = ${userId} AND key_hash = ${keyHash}`);
    // Given back between the two statements: its request failed.
    if (row === null) return { kind: 'under_way' };
    if (differs(row, bodyHash)) return { kind: 'other_body' };
    // Its job was made: whoever asks again waits for that one.
    if (row.status === null && row.job_id !== null) return { kind: 'ours' };
    if (row.status === null || row.reply === null) return { kind: 'under_way' };
    // Our own text.
    return { kind: 'answered', status: row.status, reply: row.reply, headers: JSON.parse(row.headers ?? '{}') };
  });
}

/** Keeps the answer of a request. */
export async function keepAnswer(
  database: Database,
  { userId, keyHash }: KeyedRequest,
  { status, reply, headers }: Answer,
): Promise<void> {
  await database.transaction((tx) =>
    tx.run(
      sql`UPDATE idempotency_key SET status = ${status}, reply = ${reply}, headers = ${JSON.stringify(headers)}::json WHERE user_id = ${userId} AND key_hash = ${keyHash}`,
    ),
  );
}

// A job that failed or was canceled has done nothing, so that its key is free: the request may be sent again, as it was or mended.
const liveJob = sql.fragment`CASE WHEN EXISTS (SELECT FROM job j WHERE j.id = k.job_id AND j.status IN ('failed', 'canceled')) THEN NULL ELSE k.job_id END`;

/** Gives a key back whose request did nothing, so that it may be sent again; one that has made a job keeps it, unless that did nothing either. */
export async function releaseKey(database: Database, { userId, keyHash }: KeyedRequest): Promise<void> {
  await database.transaction((tx) =>
    tx.run(
      sql`DELETE FROM idempotency_key k WHERE user_id = ${userId} AND key_hash = ${keyHash} AND status IS NULL AND ${liveJob} IS NULL`,
    ),
  );
}

/**
 * The job of a key, or the one that `make` makes now: in the caller's transaction, so that there are never two that do something. 'other_body'
 * where the key belongs to another body.
 */
export async function jobOfKey(
  tx: Transaction,
  { userId, keyHash, bodyHash }: KeyedRequest,
  make: () => Promise<number>,
): Promise<{ readonly jobId: number; readonly isNew: boolean } | 'other_body'> {
  // Waits for a transaction that has the same key, and sees what it did.
  await tx.run(sql`SELECT pg_advisory_xact_lock(hashtext(${`idempotency ${userId} ${keyHash}`}))`);
  const row = await tx.maybeOne(sql.type(Row)`
    SELECT body_hash, status, reply, headers, ${liveJob} AS job_id FROM idempotency_key k WHERE user_id = ${userId} AND key_hash = ${keyHash} AND at >= now() - interval '24 hours'`);
  if (row !== null && row.job_id !== null)
    return differs(row, bodyHash) ? 'other_body' : { jobId: row.job_id, isNew: false };
  const jobId = await make();
  await tx.run(sql`
    INSERT INTO idempotency_key (user_id, key_hash, body_hash, job_id) VALUES (${userId}, ${keyHash}, ${bodyHash}, ${jobId})
    ON CONFLICT (user_id, key_hash) DO UPDATE SET body_hash = excluded.body_hash, status = NULL, reply = NULL, headers = NULL, job_id = excluded.job_id, at = now()`);
  return { jobId, isNew: true };
}

const JobIdRow = z.strictObject({ job_id: column.maybeInt });
const PromisedRow = JobIdRow.extend({ reply: column.maybeText });

/**
 * The job of a key that was claimed: the one it has, unless that did nothing, or the one that `make` makes now, in the caller's transaction. `promise`:
 * what the request is answered if that job ends well, for `promisedOf`.
 */
export async function oneJobOf(
  tx: Transaction,
  { userId, keyHash }: KeyedRequest,
  make: () => Promise<number>,
  promise: string | null = null,
): Promise<number> {
  const row = await tx.maybeOne(sql.type(JobIdRow)`
    SELECT ${liveJob} AS job_id FROM idempotency_key k WHERE user_id = ${userId} AND key_hash = ${keyHash} FOR NO KEY UPDATE`);
  if (row !== null && row.job_id !== null) return row.job_id;
  const jobId = await make();
  await tx.run(
    sql`UPDATE idempotency_key SET job_id = ${jobId}, reply = ${promise} WHERE user_id = ${userId} AND key_hash = ${keyHash}`,
  );
  return jobId;
}

/** What a request was promised that made a job, whose end nobody has seen yet. */
export type Promised = { readonly jobId: number; readonly reply: string };

/** What was promised under a key that was claimed; null where its request made no job, or that did nothing. */
export async function promisedOf(reader: Reader, { userId, keyHash }: KeyedRequest): Promise<Promised | null> {
  const row = await reader.maybeOne(sql.type(PromisedRow)`
    SELECT ${liveJob} AS job_id, reply FROM idempotency_key k WHERE user_id = ${userId} AND key_hash = ${keyHash} AND status IS NULL`);
  return row === null || row.job_id === null || row.reply === null ? null : { jobId: row.job_id, reply: row.reply };
}

/** Removes keys of over a day ago. Returns how many. */
export async function pruneKeys(database: Database): Promise<number> {
  return database.transaction((tx) => tx.run(sql`DELETE FROM idempotency_key WHERE at < now() - interval '24 hours'`));
}

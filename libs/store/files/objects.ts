// The list of all objects of the storage (stored_object): what is begun, kept, and to be removed. An object is written down before it is sent, and
// crossed out after it is gone, so whoever dies in between leaves nothing that nobody knows of. A storage may carry out a request that we have given
// up, after it has removed what was not there yet: so a line stays for a day after the last sending, and then the object is removed once more.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { Database, Reader, Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { FileStorage } from './storage.ts';
import { keyStart } from './storage.ts';

/** Notes that an object is about to be sent, and gives its key, which nobody can guess. */
export async function beginObject(database: Database, storage: FileStorage): Promise<string> {
  const key = `${keyStart}${new Date().toISOString().slice(0, 7)}/${randomBytes(24).toString('base64url')}`;
  await database.transaction(async (tx) =>
    tx.run(sql`INSERT INTO stored_object (key, storage) VALUES (${key}, ${storage.name})`),
  );
  return key;
}

/** What is known of an object that was sent. */
export type SentObject = { readonly key: string; readonly sizeBytes: number; readonly sha256: Buffer };

/** Has a file be this object from the commit on. Fails where the object was given up meanwhile, as it took longer than a day. */
export async function keepObject(
  tx: Transaction,
  blobId: string,
  { key, sizeBytes, sha256 }: SentObject,
): Promise<void> {
  const kept = await tx.run(
    sql`UPDATE stored_object SET state = 'kept', since = now(), sent = now() WHERE key = ${key} AND state = 'begun'`,
  );
  const named = await tx.run(sql`
    UPDATE blob SET complete = true, size_bytes = ${sizeBytes}, object_key = ${key}, sha256 = decode(${sha256.toString('hex')}, 'hex') WHERE id = ${blobId}`);
  if (kept !== 1 || named !== 1) throw fail('unavailable', 'The file was given up before it was complete');
}

/** Gives up an object that no file has become: the next sweep removes it. Also where its line was crossed out already and it came after that. */
export async function giveUpObject(database: Database, storage: FileStorage, key: string): Promise<void> {
  await database.unbound.transaction(async (tx) =>
    tx.run(sql`
      INSERT INTO stored_object (key, storage, state, since) VALUES (${key}, ${storage.name}, 'unused', '-infinity')
      ON CONFLICT (key) DO UPDATE SET state = 'unused', since = '-infinity', sent = now(), removed = NULL WHERE stored_object.state <> 'kept'`),
  );
}

/** Removes a file of no backup's concern: its object, where it has one, need not wait to be removed. */
export async function removeAtOnce(tx: Transaction, blobId: string): Promise<void> {
  const keys = await tx.any(
    sql.type(KeyRow)`SELECT object_key AS key FROM blob WHERE id = ${blobId} AND object_key IS NOT NULL`,
  );
  await tx.run(sql`DELETE FROM blob WHERE id = ${blobId}`);
  // One at most.
  for (const { key } of keys)
    await tx.run(sql`UPDATE stored_object SET since = '-infinity' WHERE key = ${key} AND state = 'unused'`);
}

const KeyRow = z.strictObject({ key: column.text });
const DueRow = KeyRow.extend({ isLast: column.bool });
// In one run of the sweep, which has ten minutes.
const mostRemoved = 2000;

/**
 * Removes objects whose files are gone for long enough, those of uploads that failed, and of such as were begun more than a day ago and never
 * finished. Returns how many; what is removed once more does not count. What fails stays listed for the next time.
 */
export async function sweepObjects(database: Database): Promise<number> {
  const { files: storage } = database.settings;
  if (storage === undefined || storage === null) return 0;
  await database.transaction(async (tx) =>
    tx.run(
      sql`UPDATE stored_object SET state = 'unused', since = '-infinity', sent = now() WHERE state = 'begun' AND since < now() - interval '1 day'`,
    ),
  );
  // Those that were removed once wait behind the others, for nothing but a late request can have brought them back.
  const due = await database.reader.any(sql.type(DueRow)`
    SELECT key, sent < now() - interval '1 day' AS "isLast" FROM stored_object
    WHERE state = 'unused' AND since <= now() - ${storage.keepDays}::int * interval '1 day' AND (removed IS NULL OR sent < now() - interval '1 day')
    ORDER BY removed NULLS FIRST, since, key LIMIT ${mostRemoved}`);
  let count = 0;
  // One after the other: there is no hurry.
  for (const { key, isLast } of due) {
    await storage.remove(key);
    count += await database.transaction((tx) => noteRemoval(tx, key, isLast));
  }
  return count;
}

/** Notes that an object was removed, where it is the first time; `isLast`: it cannot come back, and its line goes. Gives whether it was the first time, as 0 or 1. */
async function noteRemoval(tx: Transaction, key: string, isLast: boolean): Promise<number> {
  const removed = await tx.run(
    sql`UPDATE stored_object SET removed = now() WHERE key = ${key} AND state = 'unused' AND removed IS NULL`,
  );
  if (isLast) await tx.run(sql`DELETE FROM stored_object WHERE key = ${key} AND state = 'unused'`);
  return removed;
}

/** How many complete files are where: `storage` null is the database, otherwise where the objects were written. */
export const FilePlace = z.strictObject({ storage: column.maybeText, files: column.int, bytes: column.int });
export type FilePlace = z.infer<typeof FilePlace>;

/** The statement for that, the database first. Numbers come as such on every connection, on those of backups too (readOn). */
export const filePlaces = sql.type(FilePlace)`
  SELECT o.storage, count(*)::float8 AS files, coalesce(sum(b.size_bytes), 0)::float8 AS bytes
  FROM blob b LEFT JOIN stored_object o ON o.key = b.object_key WHERE b.complete GROUP BY 1 ORDER BY 1 NULLS FIRST`;

/** How many complete files are where. */
export const readFilePlaces = (reader: Reader): Promise<readonly FilePlace[]> => reader.any(filePlaces);

const WaitingRow = z.strictObject({ objects: column.int, overdueSeconds: column.number });

/** How many objects wait to be removed, and for how long the first of them should be gone already. */
export async function readWaitingObjects(reader: Reader, keepDays: number): Promise<z.infer<typeof WaitingRow>> {
  return reader.one(sql.type(WaitingRow)`
    SELECT count(*) AS objects, coalesce(greatest(0, extract(epoch FROM now() - min(since) FILTER (WHERE since > '-infinity')) - ${keepDays}::int * 86400), 0)::float8 AS "overdueSeconds"
    FROM stored_object WHERE state = 'unused' AND removed IS NULL`);
}

// Files: uploads, job inputs and outputs, as rows in chunks of 256 KB or as objects of a storage (decision 0044), so that any process of any
// machine can serve them. Neither writing nor reading holds more than a few pieces in memory, or a connection while the other side is slow.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import { column } from '../connection/columns.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { heedingNobody } from '../connection/lock-waits.ts';
import type { DiskSpace } from './disk-space.ts';
import { spaceOfImport } from './disk-space.ts';
import type { SentObject } from './objects.ts';
import { beginObject, giveUpObject, keepObject } from './objects.ts';
import { chunkBytes, readPieces } from './pieces.ts';
import type { FileStorage } from './storage.ts';
import { sql } from '../connection/sql.ts';

const chunksBetweenLooks = 64;

const insertChunk = {
  name: 'blob_chunk_insert',
  text: 'INSERT INTO blob_chunk (blob_id, n, bytes) VALUES ($1, $2, $3)',
  parser: z.never(),
};
const readChunk = {
  name: 'blob_chunk',
  text: 'SELECT bytes FROM blob_chunk WHERE blob_id = $1 AND n = $2',
  parser: z.strictObject({ bytes: column.bytes }),
};

/** A blob as it is known without its bytes. */
export const Blob = z.strictObject({
  id: column.text,
  fileName: column.maybeText,
  mediaType: column.maybeText,
  sizeBytes: column.int,
});
export type Blob = z.infer<typeof Blob>;

/** What is said of a blob when it is written; `maxBytes` refuses a longer one with `too_large`, `diskSpace` one that could not be imported with `disk_full`. */
export type BlobDescription = {
  readonly fileName?: string | null;
  readonly mediaType?: string | null;
  readonly maxBytes?: number;
  readonly diskSpace?: DiskSpace;
};

const BlobIdRow = z.strictObject({ id: column.text });

/**
 * Stores a stream and gives the blob: in the storage of files where the database has one that takes new ones, else as rows, each chunk committed by
 * itself: a slow sender holds no transaction open. A stream that fails leaves nothing; a process that dies leaves an incomplete blob, which expires
 * (pruneBlobs, sweepObjects). A blob that no job names within a day expires too, so name it in the transaction that uses it (enqueueJob).
 */
export async function writeBlob(
  database: Database,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  description: BlobDescription = {},
): Promise<Blob> {
  const { fileName = null, mediaType = null } = description;
  const { id } = await database.transaction(async (tx) =>
    tx.one(sql.type(BlobIdRow)`
      INSERT INTO blob (file_name, media_type) VALUES (${fileName}, ${mediaType}) RETURNING id`),
  );
  const { files } = database.settings;
  const chunks = watched(inChunks(source), description);
  try {
    const sizeBytes =
      files?.takesNew === true ? await writeObject(database, files, id, chunks) : await writeRows(database, id, chunks);
    return { id, fileName, mediaType, sizeBytes };
  } catch (error) {
    // Above all where the sender is gone, whom writers heed while they wait.
    await heedingNobody(() =>
      database.unbound.transaction(async (tx) => tx.run(sql`DELETE FROM blob WHERE id = ${id}`)),
    ).catch(() => undefined);
    throw error;
  }
}

/** Stores chunks as rows of a blob and completes it; gives its size. */
async function writeRows(database: Database, id: string, chunks: AsyncIterable<Buffer>): Promise<number> {
  let sizeBytes = 0;
  let n = 0;
  // One statement a chunk, each waiting for the last: that is the back-pressure on the sender.
  for await (const chunk of chunks) {
    const place = n;
    await database.transaction((tx) => tx.named(insertChunk, [id, place, chunk]));
    sizeBytes += chunk.byteLength;
    n += 1;
  }
  await database.transaction(async (tx) =>
    tx.run(sql`UPDATE blob SET complete = true, size_bytes = ${sizeBytes} WHERE id = ${id}`),
  );
  return sizeBytes;
}

/** Stores chunks as an object, of which a blob is made once it is whole; gives its size. */
async function writeObject(
  database: Database,
  storage: FileStorage,
  id: string,
  chunks: AsyncIterable<Buffer>,
): Promise<number> {
  return sendObject(database, storage, chunks, async (object) => {
    await database.transaction((tx) => keepObject(tx, id, object));
    return object.sizeBytes;
  });
}

/** Sends an object and gives what is known of it to `keep`, which makes a file of it; where that fails, it is given up. */
export async function sendObject<T>(
  database: Database,
  storage: FileStorage,
  chunks: AsyncIterable<Uint8Array>,
  keep: (object: SentObject) => Promise<T>,
): Promise<T> {
  const key = await beginObject(database, storage);
  try {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        hash.update(chunk);
        sizeBytes += chunk.byteLength;
        yield chunk;
      }
    };
    await storage.put(key, counted());
    if ((await storage.sizeOf(key)) !== sizeBytes)
      throw fail('unavailable', 'The storage of files cannot be reached', {}, new Error(`${key} was not stored whole`));
    return await keep({ key, sizeBytes, sha256: hash.digest() });
  } catch (error) {
    // Where this fails, too, the sweep gives it up in a day.
    await heedingNobody(() => giveUpObject(database, storage, key)).catch(() => undefined);
    throw error;
  }
}

/** The same chunks, while they may be stored: the file is not too large, and the disk of the database has room for what becomes of it. */
async function* watched(
  chunks: AsyncIterable<Buffer>,
  { maxBytes = Number.POSITIVE_INFINITY, diskSpace }: BlobDescription,
): AsyncGenerator<Buffer, void, undefined> {
  let sizeBytes = 0;
  let n = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw fail('too_large', `The file is larger than ${maxBytes} bytes`);
    if (n % chunksBetweenLooks === 0) await diskSpace?.require(spaceOfImport(sizeBytes));
    n += 1;
    yield chunk;
  }
}

/** Stores a file that is in memory, in the transaction that uses it; gives the blob's id. Two statements. */
export async function storeBlob(
  tx: Transaction,
  bytes: Buffer,
  { fileName = null, mediaType = null }: BlobDescription,
): Promise<string> {
  const { id } = await tx.one(sql.type(BlobIdRow)`
    INSERT INTO blob (file_name, media_type, complete, size_bytes) VALUES (${fileName}, ${mediaType}, true, ${bytes.length}) RETURNING id`);
  await insertChunks(tx, id, 0, bytes);
  return id;
}

/** Stores bytes of a blob of this transaction as its chunks from number `first` on; gives how many. All chunks but the last are full. One statement. */
export async function insertChunks(tx: Transaction, id: string, first: number, bytes: Buffer): Promise<number> {
  const count = Math.ceil(bytes.length / chunkBytes);
  if (count === 0) return 0;
  const rows = Array.from({ length: count }, (_, index) => [
    first + index,
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes).toString('hex'),
  ]);
  await tx.run(
    sql`INSERT INTO blob_chunk (blob_id, n, bytes) SELECT ${id}::uuid, u.n, decode(u.hex, 'hex') FROM ${sql.unnest(rows, ['int4', 'text'])} AS u (n, hex)`,
  );
  return count;
}

/** A complete blob, or null. */
export async function readBlobDescription(database: Database, id: string): Promise<Blob | null> {
  return database.reader.maybeOne(sql.type(Blob)`
    SELECT id, file_name AS "fileName", media_type AS "mediaType", size_bytes AS "sizeBytes" FROM blob WHERE id = ${id} AND complete`);
}

/** The bytes of a complete blob, chunk by chunk as the reader takes them. Fails with `not_found`, also where it is deleted meanwhile. */
export async function* readBlob(database: Database, id: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield* readPieces(database, id, async ({ reader }, n) =>
    // One statement a chunk, at the reader's pace.
    (await reader.named(readChunk, [id, n])).map(({ bytes }) => bytes),
  );
}

/** Removes blobs over a day old that were never completed or that no job names. Returns how many. */
export async function pruneBlobs(database: Database): Promise<number> {
  return database.transaction(async (tx) =>
    tx.run(sql`
      DELETE FROM blob WHERE id IN (
        SELECT id FROM blob WHERE create_time < now() - interval '1 day' AND NOT EXISTS (SELECT FROM job_file WHERE blob_id = blob.id) LIMIT 1000)`),
  );
}

/** Re-cuts a stream into chunks of the stored size. */
async function* inChunks(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  let parts: Uint8Array[] = [];
  let held = 0;
  for await (const piece of source) {
    let rest = piece;
    while (held + rest.byteLength >= chunkBytes) {
      const taken = chunkBytes - held;
      parts.push(rest.subarray(0, taken));
      yield Buffer.concat(parts, chunkBytes);
      parts = [];
      held = 0;
      rest = rest.subarray(taken);
    }
    if (rest.byteLength > 0) parts.push(rest);
    held += rest.byteLength;
  }
  if (held > 0) yield Buffer.concat(parts, held);
}

// Moving complete files between the database and the storage of files, one at a time. A file is where it was until its copy is whole and has been
// read again; then one transaction has it be there, and its old bytes go. Whoever reads it meanwhile goes on in the new place (pieces.ts). A
// move that is cut off leaves an object that is swept, or chunks that it removes itself, or where it was killed the next one does.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Failure, fail } from '#domain/errors.ts';
import { IdRow, NumberRow, column } from '../connection/columns.ts';
import type { Database, Reader, Transaction } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';
import { insertChunks, readBlob, sendObject } from './blobs.ts';
import { keepObject } from './objects.ts';
import { chunkBytes } from './pieces.ts';
import type { FileStorage } from './storage.ts';

/** Runs the last step of a move, such as one that holds for the run of a job alone. */
export type InTransaction = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** A file that is to be moved. */
export const FileToMove = IdRow.extend({ id: column.text, sizeBytes: column.int });
export type FileToMove = z.infer<typeof FileToMove>;

const CountsRow = z.strictObject({ files: column.int, bytes: column.int });

/** How many complete files are elsewhere than in the storage, or than in the database. */
export const countToMove = (reader: Reader, to: 's3' | 'database'): Promise<z.infer<typeof CountsRow>> =>
  reader.one(sql.type(CountsRow)`
    SELECT count(*) AS files, coalesce(sum(size_bytes), 0)::bigint AS bytes FROM blob WHERE complete AND (object_key IS NULL) = ${to === 's3'}`);

/** The next of them by id, a hundred at most. */
export const nextToMove = (
  reader: Reader,
  to: 's3' | 'database',
  after: string | null,
): Promise<readonly FileToMove[]> =>
  reader.any(sql.type(FileToMove)`
    SELECT id, size_bytes AS "sizeBytes" FROM blob
    WHERE complete AND (object_key IS NULL) = ${to === 's3'} AND (${after}::uuid IS NULL OR id > ${after}::uuid) ORDER BY id LIMIT 100`);

/** Removes chunks that moves into the database have left beside files that are still in the storage. To be called while no move runs. */
export async function removeCutOff(tx: Transaction): Promise<number> {
  return tx.run(
    sql`DELETE FROM blob_chunk USING blob WHERE blob.id = blob_chunk.blob_id AND blob.object_key IS NOT NULL`,
  );
}

/** Moves a file from the database into the storage. False: it is gone, or there already. */
export async function moveToStorage(
  database: Database,
  storage: FileStorage,
  { id, sizeBytes }: FileToMove,
  inTransaction: InTransaction,
  signal: AbortSignal,
): Promise<boolean> {
  return sendObject(database, storage, readBlob(database, id), async (object) => {
    const there = await digestOf(objectBytes(storage, object.key, sizeBytes, signal));
    if (!there.equals(object.sha256))
      throw fail(
        'unavailable',
        'The storage of files cannot be reached',
        {},
        new Error(`${object.key} is not what was sent`),
      );
    const isMoved = await inTransaction(async (tx) => {
      const held = await tx.maybeOne(sql.type(HeldRow)`SELECT object_key AS key FROM blob WHERE id = ${id} FOR UPDATE`);
      if (held === null || held.key !== null) return false;
      await keepObject(tx, id, object);
      await tx.run(sql`DELETE FROM blob_chunk WHERE blob_id = ${id}`);
      return true;
    });
    if (!isMoved) throw new NotMoved();
    return true;
  }).catch(async (error: unknown) => {
    if (error instanceof NotMoved || (isNotFound(error) && !(await isThere(database, id)))) return false;
    throw error;
  });
}

/** Moves a file from the storage into the database. False: it is gone, or there already. */
export async function moveToDatabase(
  database: Database,
  { id }: FileToMove,
  inTransaction: InTransaction,
): Promise<boolean> {
  try {
    let n = 0;
    // Each piece is a chunk, the last one may be shorter; readBlob has checked the digest when it gives the last.
    for await (const piece of readBlob(database, id)) {
      const first = n;
      n += 1;
      await inTransaction((tx) => insertPiece(tx, id, first, piece));
    }
    const digest = await digestOf(chunksOf(database, id, n));
    return await inTransaction(async (tx) => {
      const held = await tx.maybeOne(
        sql.type(WholeRow)`
          SELECT sha256 = decode(${digest.toString('hex')}, 'hex') AS same FROM blob WHERE id = ${id} AND object_key IS NOT NULL FOR UPDATE`,
      );
      if (held === null) throw new NotMoved();
      // Counted once the row is held: a run that was taken for dead may have removed them meanwhile (removeChunksBeside).
      const { n: there } = await tx.one(
        sql.type(NumberRow)`SELECT count(*) AS n FROM blob_chunk WHERE blob_id = ${id}`,
      );
      if (!held.same || there !== n)
        throw fail('internal', 'The file was not moved', {}, new Error(`The chunks of ${id} are not what was read`));
      await tx.run(sql`UPDATE blob SET object_key = NULL, sha256 = NULL WHERE id = ${id}`);
      return true;
    });
  } catch (error) {
    // Where this fails, too, the next move does it.
    await removeChunksBeside(database, id).catch(() => undefined);
    if (error instanceof NotMoved || (isNotFound(error) && !(await isThere(database, id)))) return false;
    throw error;
  }
}

/** Stores a piece as a chunk beside the object. A file that is removed meanwhile takes none, and one that is in the database already keeps its own. */
async function insertPiece(tx: Transaction, id: string, first: number, piece: Uint8Array): Promise<void> {
  const held = await tx.maybeOne(sql.type(HeldRow)`SELECT object_key AS key FROM blob WHERE id = ${id} FOR SHARE`);
  if (held === null || held.key === null) throw new NotMoved();
  await insertChunks(tx, id, first, Buffer.from(piece));
}

/** Removes chunks of a file that is in the storage: its row is held, so that nobody has it be in the database at the same moment. */
async function removeChunksBeside(database: Database, id: string): Promise<void> {
  await database.unbound.transaction(async (tx) => {
    const held = await tx.maybeOne(sql.type(HeldRow)`SELECT object_key AS key FROM blob WHERE id = ${id} FOR UPDATE`);
    if (held !== null && held.key !== null) await tx.run(sql`DELETE FROM blob_chunk WHERE blob_id = ${id}`);
  });
}

const HeldRow = z.strictObject({ key: column.maybeText });
const WholeRow = z.strictObject({ same: column.bool });
const IdTextRow = z.strictObject({ id: column.text });

/** Somebody was faster. */
class NotMoved extends Error {}

const isNotFound = (error: unknown): boolean => error instanceof Failure && error.code === 'not_found';

/** Whether there is such a file: what else was not found is no reason to pass it over. */
const isThere = async ({ reader }: Database, id: string): Promise<boolean> =>
  (await reader.maybeOne(sql.type(IdTextRow)`SELECT id FROM blob WHERE id = ${id}`)) !== null;

async function digestOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return hash.digest();
}

async function* objectBytes(
  storage: FileStorage,
  key: string,
  sizeBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const atOnce = 16 * chunkBytes;
  for (let at = 0; at < sizeBytes; at += atOnce) {
    signal.throwIfAborted();
    const bytes = await storage.read(key, at, Math.min(sizeBytes, at + atOnce), sizeBytes);
    // What is missing changes the digest.
    if (bytes !== null) yield bytes;
  }
}

const ChunkRow = z.strictObject({ bytes: column.bytes });

async function* chunksOf(database: Database, id: string, count: number): AsyncGenerator<Uint8Array> {
  // One statement a chunk, so that one is held at a time.
  for (let n = 0; n < count; n++) {
    const row = await database.reader.maybeOne(
      sql.type(ChunkRow)`SELECT bytes FROM blob_chunk WHERE blob_id = ${id} AND n = ${n}`,
    );
    if (row !== null) yield row.bytes;
  }
}

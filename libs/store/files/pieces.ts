// The bytes of a complete file in order, from wherever it is: rows of the database, or an object of the storage. It may be moved, or removed, while
// it is read. Every piece has the length that its place in the file asks for, and where any of it can come from the storage the whole is checked by
// its digest before the last piece is given.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { Failure } from '#domain/errors.ts';
import { column } from '../connection/columns.ts';
import type { Database } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';

/** Bytes of a chunk in the database; the last one of a file may be shorter. */
export const chunkBytes = 256 * 1024;
/** Bytes that are asked of the storage at once. A whole number of chunks, so that reading goes on in the database where a file is moved there. */
const rangeBytes = 16 * chunkBytes;

/** Where a complete file is: `objectKey` null is the database. */
const Place = z.strictObject({
  sizeBytes: column.int,
  objectKey: column.maybeText,
  storage: column.maybeText,
  sha256: column.maybeText,
});
type Place = z.infer<typeof Place>;

/** Chunks of a file from number `first` on, one or more in order and without a gap; none where there is no chunk of that number. */
export type ReadChunks = (database: Database, first: number) => Promise<readonly Uint8Array[]>;

/** The bytes of a complete file at the reader's pace. Holds no connection between pieces. Fails with `not_found`, also where it is removed meanwhile, and with `file_damaged`. */
export async function* readPieces(
  database: Database,
  id: string,
  readChunks: ReadChunks,
): AsyncGenerator<Uint8Array, void, undefined> {
  let place = await findPlace(database, id);
  const { sizeBytes } = place;
  // Its own digest is known from the moment on at which it is, or was, in the storage.
  let { sha256 } = place;
  const hash = sha256 === null && !hasStorage(database) ? null : createHash('sha256');
  for (let at = 0; at < sizeBytes;) {
    let pieces = await piecesAt(database, place, at, readChunks);
    for (let seen: Place | null = null; pieces.length === 0;) {
      // It was moved, or removed, or a replica does not know yet what the primary does. Nothing there twice in the same place: it is lost.
      place = await findPlace(database.unbound, id);
      if (seen !== null && place.objectKey === seen.objectKey) throw damaged(place, 'is not there, or not whole');
      if (place.sizeBytes !== sizeBytes || (sha256 !== null && place.sha256 !== null && place.sha256 !== sha256))
        throw damaged(place, 'is not of the file that was begun');
      seen = place;
      sha256 ??= place.sha256;
      pieces = await piecesAt(database.unbound, place, at, readChunks);
    }
    for (const piece of pieces) {
      if (piece.byteLength !== Math.min(chunkBytes, sizeBytes - at)) throw damaged(place, 'has not its length');
      hash?.update(piece);
      at += piece.byteLength;
      // The last piece is held until all is known to be right: who gets it has the whole file.
      if (at === sizeBytes && sha256 !== null && hash !== null && hash.digest('hex') !== sha256)
        throw damaged(place, 'is not what was stored');
      yield piece;
    }
  }
}

const hasStorage = ({ settings }: Database): boolean => (settings.files ?? null) !== null;

async function piecesAt(
  database: Database,
  { objectKey, sizeBytes, storage: writtenTo }: Place,
  at: number,
  readChunks: ReadChunks,
): Promise<readonly Uint8Array[]> {
  if (objectKey === null) return readChunks(database, at / chunkBytes);
  const { files: storage } = database.settings;
  if (storage === undefined || storage === null)
    throw fail(
      'unavailable',
      'The storage of files cannot be reached',
      {},
      new Error(`A file is in ${writtenTo}, and MUNIMENT_FILES_URL is not set`),
    );
  const bytes = await storage.read(objectKey, at, Math.min(sizeBytes, at + rangeBytes), sizeBytes);
  if (bytes === null) return [];
  return Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
}

/** Where a complete file is; `not_found` where there is none. */
async function findPlace(database: Database, id: string): Promise<Place> {
  const place = await database.reader.maybeOne(sql.type(Place)`
    SELECT b.size_bytes AS "sizeBytes", b.object_key AS "objectKey", o.storage, encode(b.sha256, 'hex') AS sha256
    FROM blob b LEFT JOIN stored_object o ON o.key = b.object_key WHERE b.id = ${id} AND b.complete`);
  if (place === null) throw fail('not_found', 'File not found');
  return place;
}

const damaged = ({ objectKey, storage }: Place, fault: string): Failure =>
  fail(
    'file_damaged',
    'The file is damaged',
    {},
    new Error(objectKey === null ? `A chunk of a file ${fault}` : `The object ${objectKey} of ${storage} ${fault}`),
  );

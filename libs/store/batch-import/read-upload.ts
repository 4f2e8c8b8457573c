// The bytes of a stored upload for jobs that read it whole, perhaps twice: a megabyte at a time and by binary COPY, which spares
// both sides the detour over hexadecimal text (readBlob is for everything else).
import { to as copyTo } from 'pg-copy-streams';
import type { Database } from '../connection/database.ts';
import { removeAtOnce } from '../files/objects.ts';
import { readPieces } from '../files/pieces.ts';
import { toFailure } from '../connection/pg-errors.ts';

const chunksAtOnce = 4;

/** The bytes of a complete blob in order. Holds no connection between pieces. Fails with `not_found` where the blob is not there, and with `file_damaged` where a chunk of it is not. */
export async function* readUpload(database: Database, blobId: string): AsyncGenerator<Uint8Array, void, undefined> {
  // One statement a megabyte, at the reader's pace.
  yield* readPieces(database, blobId, (from, first) => readChunks(from, blobId, first));
}

/** Removes an upload that a job made for itself, also where the job was ended. */
export async function deleteUpload(database: Database, blobId: string): Promise<void> {
  await database.unbound.transaction((tx) => removeAtOnce(tx, blobId));
}

async function readChunks(database: Database, blobId: string, from: number): Promise<readonly Uint8Array[]> {
  return database.withClient(async (client) => {
    // COPY takes no parameters.
    const chunks = `SELECT n, bytes FROM blob_chunk WHERE blob_id = ${client.escapeLiteral(blobId)}::uuid AND n >= ${from} AND n < ${from + chunksAtOnce} ORDER BY n`;
    try {
      const parts: Buffer[] = [];
      // The stream of pg-copy-streams is a Readable of Buffers.
      for await (const part of client.query(copyTo(`COPY (${chunks}) TO STDOUT (FORMAT binary)`)))
        parts.push(part as Buffer);
      return chunksFrom(Buffer.concat(parts), from);
    } catch (error) {
      throw toFailure(error);
    }
  });
}

/**
 * The chunks of a binary COPY of number and bytes, from `first` up to the first that is missing: what came after a gap would be taken for what is in it.
 * A header of 19 bytes, then int16 2, int32 4, int32 number, int32 length, bytes for each row; int16 -1.
 */
function chunksFrom(copied: Buffer, first: number): readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 19; copied.readInt16BE(at) === 2;) {
    if (copied.readInt32BE(at + 6) !== first + chunks.length) break;
    const length = copied.readInt32BE(at + 10);
    chunks.push(copied.subarray(at + 14, at + 14 + length));
    at += 14 + length;
  }
  return chunks;
}

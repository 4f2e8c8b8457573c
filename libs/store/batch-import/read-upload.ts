// The bytes of a stored upload for jobs that read it whole, perhaps twice: a megabyte at a time and by binary COPY, which spares
// both sides the detour over hexadecimal text (readBlob is for everything else).
import { to as copyTo } from 'pg-copy-streams';
import { fail } from '#domain/errors.ts';
import type { Database } from '../connection/database.ts';
import { chunkBytes, readBlobDescription } from '../files/blobs.ts';
import { sql } from '../connection/sql.ts';
import { toFailure } from '../connection/pg-errors.ts';

const chunksAtOnce = 4;

/** The bytes of a complete blob in order. Holds no connection between pieces. Fails with `not_found` where the blob is not there. */
export async function* readUpload(database: Database, blobId: string): AsyncGenerator<Uint8Array, void, undefined> {
  const blob = await readBlobDescription(database, blobId);
  if (blob === null) throw fail('not_found', 'File not found');
  const chunks = Math.ceil(blob.sizeBytes / chunkBytes);
  // One statement a megabyte, at the reader's pace.
  for (let n = 0; n < chunks; n += chunksAtOnce) {
    const values = await readChunks(database, blobId, n);
    if (values.length < Math.min(chunksAtOnce, chunks - n)) throw fail('not_found', 'File not found');
    yield* values;
  }
}

/** Removes an upload that a job made for itself, also where the job was ended. */
export async function deleteUpload(database: Database, blobId: string): Promise<void> {
  await database.unbound.transaction(async (tx) => tx.run(sql`DELETE FROM blob WHERE id = ${blobId}`));
}

async function readChunks(database: Database, blobId: string, from: number): Promise<readonly Uint8Array[]> {
  return database.withClient(async (client) => {
    // COPY takes no parameters.
    const chunks = `SELECT bytes FROM blob_chunk WHERE blob_id = ${client.escapeLiteral(blobId)}::uuid AND n >= ${from} AND n < ${from + chunksAtOnce} ORDER BY n`;
    try {
      const parts: Buffer[] = [];
      // The stream of pg-copy-streams is a Readable of Buffers.
      for await (const part of client.query(copyTo(`COPY (${chunks}) TO STDOUT (FORMAT binary)`)))
        parts.push(part as Buffer);
      return valuesOf(Buffer.concat(parts));
    } catch (error) {
      throw toFailure(error);
    }
  });
}

/** The values of a binary COPY of one column that is never null: a header of 19 bytes, then int16 1, int32 length, bytes for each row; int16 -1. */
function valuesOf(copied: Buffer): readonly Uint8Array[] {
  const values: Uint8Array[] = [];
  for (let at = 19; copied.readInt16BE(at) === 1;) {
    const length = copied.readInt32BE(at + 2);
    values.push(copied.subarray(at + 6, at + 6 + length));
    at += 6 + length;
  }
  return values;
}

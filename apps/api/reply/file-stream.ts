// The bytes of a stored file as a reply.
import { Readable } from 'node:stream';
import type { Database } from '#store/connection/database.ts';
import { readBlob } from '#store/files/blobs.ts';

/** Streams a file once its first piece is there: one that cannot be read is then an error in place of the reply, and not a reply that breaks off. */
export async function fileStream(database: Database, blobId: string): Promise<Readable> {
  const pieces = readBlob(database, blobId);
  const first = await pieces.next();
  const all = async function* (): AsyncGenerator<Uint8Array> {
    if (first.done === true) return;
    yield first.value;
    yield* pieces;
  };
  return Readable.from(all(), { objectMode: false });
}

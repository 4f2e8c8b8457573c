// The list of created uris of a bulk write, kept as a blob of the same transaction: it may be as large as the upload, so it is never held.
import { z } from 'zod';
import { insertChunks } from '../files/blobs.ts';
import { chunkBytes } from '../files/pieces.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** A text that grows. `append` puts a comma between pieces; `close` completes the blob. */
export type SavedList = {
  readonly blobId: string;
  append(tx: Transaction, text: string): Promise<void>;
  close(tx: Transaction): Promise<void>;
};

const BlobIdRow = z.strictObject({ id: column.text });

/** Begins a blob that is filled in pieces within the transaction; as a file by itself (`isFile`) it is put in braces. Holds one chunk at most. */
export async function openSaved(tx: Transaction, isFile: boolean): Promise<SavedList> {
  const { id } = await tx.one(sql.type(BlobIdRow)`
    INSERT INTO blob (file_name, media_type) VALUES ('saved.json', 'application/json') RETURNING id`);
  let pending = Buffer.from(isFile ? '{' : '');
  let chunks = 0;
  let sizeBytes = pending.length;
  let isEmpty = true;
  const write = async (on: Transaction, isLast: boolean): Promise<void> => {
    const full = isLast ? pending.length : pending.length - (pending.length % chunkBytes);
    const whole = pending.subarray(0, full);
    pending = pending.subarray(full);
    chunks += await insertChunks(on, id, chunks, whole);
  };
  return {
    blobId: id,
    append: async (on, text) => {
      if (text === '') return;
      const bytes = Buffer.from(isEmpty ? text : `,${text}`);
      isEmpty = false;
      sizeBytes += bytes.length;
      pending = Buffer.concat([pending, bytes]);
      await write(on, false);
    },
    close: async (on) => {
      if (isFile) {
        pending = Buffer.concat([pending, Buffer.from('}')]);
        sizeBytes += 1;
      }
      await write(on, true);
      await on.run(sql`UPDATE blob SET complete = true, size_bytes = ${sizeBytes} WHERE id = ${id}`);
    },
  };
}

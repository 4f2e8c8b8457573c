// The bytes of a file in order: what is missing of it is an error, and never left out, wherever it is while it is read.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readUpload } from '#store/batch-import/read-upload.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import type { ReadSource } from '#store/connection/replicas/replica-reader.ts';
import { sql } from '#store/connection/sql.ts';
import { readBlob, writeBlob } from '#store/files/blobs.ts';
import { moveToDatabase, moveToStorage, removeCutOff } from '#store/files/move.ts';
import { sweepObjects } from '#store/files/objects.ts';
import { chunkBytes } from '#store/files/pieces.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';
import type { S3Server } from '#test/support/s3-server.ts';
import { startS3, storageOf } from '#test/support/s3-server.ts';
import { fileStream } from '../../../../apps/api/reply/file-stream.ts';

let s3: S3Server;
let testDatabase: TestDatabase;
/** New files are its rows; the storage is there. */
let database: Database;
beforeAll(async () => {
  [s3, testDatabase] = await Promise.all([startS3(), createDatabase()]);
  const files = storageOf({ ...s3.environment(), MUNIMENT_FILES_NEW: 'database', MUNIMENT_FILES_KEEP_DAYS: '0' });
  database = new Database({ url: testDatabase.url, poolSize: 4, files });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await testDatabase.drop();
  await s3[Symbol.asyncDispose]();
});

const bytes = randomBytes(6 * chunkBytes + 5);
const written = async (): Promise<{ readonly id: string; readonly sizeBytes: number }> => writeBlob(database, [bytes]);
const never = new AbortController().signal;
function withDatabase<T>(work: Parameters<Database['transaction']>[0]): Promise<T> {
  return database.transaction(work) as Promise<T>;
}
const KeyRow = z.strictObject({ key: column.text });
const toStorage = async (file: { readonly id: string; readonly sizeBytes: number }): Promise<string> => {
  const { files: storage } = database.settings;
  expect(await moveToStorage(database, storage ?? storageOf({}), file, withDatabase, never)).toBe(true);
  const { key } = await database.reader.one(sql.type(KeyRow)`SELECT object_key AS key FROM blob WHERE id = ${file.id}`);
  return (await s3.objects()).find((object) => object.key.endsWith(key))?.path ?? '';
};
const toDatabase = async (file: { readonly id: string; readonly sizeBytes: number }): Promise<void> =>
  expect(await moveToDatabase(database, file, withDatabase)).toBe(true);
const run = (query: ReturnType<typeof sql>): Promise<number> => database.transaction((tx) => tx.run(query));
const chunksOf = async (id: string): Promise<number> =>
  (await database.reader.one(sql.type(NumberRow)`SELECT count(*) AS n FROM blob_chunk WHERE blob_id = ${id}`)).n;

describe.each([
  ['readBlob', readBlob],
  ['readUpload', readUpload],
] as const)('%s', (_name, read) => {
  const given = async (id: string): Promise<{ readonly count: number; readonly code: unknown }> => {
    let count = 0;
    try {
      for await (const piece of read(database, id)) count += piece.byteLength;
    } catch (error) {
      return { count, code: (error as { readonly code?: unknown }).code };
    }
    return { count, code: null };
  };

  test.each([0, 1, 3, 5, 6])(
    'a file whose chunk %i is gone is damaged, and nothing after the gap is given',
    async (n) => {
      const { id } = await written();
      await run(sql`DELETE FROM blob_chunk WHERE blob_id = ${id} AND n = ${n}`);
      expect(await given(id)).toEqual({ count: n * chunkBytes, code: 'file_damaged' });
    },
  );

  test.each([0, 2, 6])('a file whose chunk %i is too short, or too long, is damaged', async (n) => {
    const { id } = await written();
    await run(sql`UPDATE blob_chunk SET bytes = substring(bytes FROM 2) WHERE blob_id = ${id} AND n = ${n}`);
    expect(await given(id)).toEqual({ count: n * chunkBytes, code: 'file_damaged' });
    await run(sql`UPDATE blob_chunk SET bytes = bytes || bytes WHERE blob_id = ${id} AND n = ${n}`);
    expect(await given(id)).toEqual({ count: n * chunkBytes, code: 'file_damaged' });
  });

  test('a reader who began in the database and goes on in the storage gets no altered end', async () => {
    const file = await written();
    const reading = read(database, file.id);
    let count = (await reading.next()).value?.byteLength ?? 0;
    const path = await toStorage(file);
    const altered = Buffer.from(bytes);
    altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1;
    await writeFile(path, altered);
    const rest = async (): Promise<void> => {
      for await (const piece of reading) count += piece.byteLength;
    };
    await expect(rest()).rejects.toMatchObject({ code: 'file_damaged' });
    expect(count).toBeLessThan(bytes.length);
  });

  test('a reader who began in the storage and goes on in the database gets no altered end, and the right one whole', async () => {
    for (const isAltered of [false, true]) {
      const large = randomBytes(17 * chunkBytes);
      const file = await writeBlob(database, [large]);
      await toStorage(file);
      const reading = read(database, file.id);
      const got = [(await reading.next()).value ?? Buffer.alloc(0)];
      await toDatabase(file);
      await sweepObjects(database);
      if (isAltered)
        await run(
          sql`UPDATE blob_chunk SET bytes = set_byte(bytes, 0, 255 - get_byte(bytes, 0)) WHERE blob_id = ${file.id} AND n = 16`,
        );
      const rest = async (): Promise<void> => {
        for await (const piece of reading) got.push(piece);
      };
      if (isAltered) await expect(rest()).rejects.toMatchObject({ code: 'file_damaged' });
      else await rest();
      expect(Buffer.concat(got).equals(large)).toBe(!isAltered);
    }
  });
});

test('a replica that has not heard of a move is no damage: the primary is asked', async () => {
  const file = await written();
  // What the replica has is what was there before: its own rows of the file are gone, as if it answered between two moves.
  await using behind = await createDatabase();
  await using replica = new Database({ url: behind.url, poolSize: 2 });
  await replica.transaction((tx) =>
    tx.run(sql`INSERT INTO blob (id, complete, size_bytes) VALUES (${file.id}, true, ${bytes.length})`),
  );
  const source: ReadSource = {
    url: behind.url,
    isInUse: true,
    reader: replica.reader,
    transaction: (work, options) => replica.transaction(work, options),
    leaveOut: () => undefined,
  };
  await toStorage(file);
  const reading = readBlob(
    database.readingFrom(source, () => undefined),
    file.id,
  );
  expect(Buffer.concat(await Array.fromAsync(reading)).equals(bytes)).toBe(true);
});

describe('moving', () => {
  test('chunks of a move that failed are removed at once, and those of one that was killed before the next', async () => {
    const file = await written();
    await toStorage(file);
    let commits = 0;
    const failing = <T>(work: Parameters<Database['transaction']>[0]): Promise<T> => {
      commits += 1;
      return commits === 4 ? Promise.reject(new Error('canceled')) : withDatabase<T>(work);
    };
    await expect(moveToDatabase(database, file, failing)).rejects.toThrow('canceled');
    expect(await chunksOf(file.id)).toBe(0);
    // As a process leaves them that is killed.
    await run(sql`INSERT INTO blob_chunk (blob_id, n, bytes) VALUES (${file.id}, 3, 'x')`);
    const other = await written();
    expect(await database.transaction((tx) => removeCutOff(tx))).toBe(1);
    expect([await chunksOf(file.id), await chunksOf(other.id)]).toEqual([0, 7]);
    await toDatabase(file);
    expect(Buffer.concat(await Array.fromAsync(readBlob(database, file.id))).equals(bytes)).toBe(true);
  });

  test('a file whose chunks were removed before the last step stays in the storage', async () => {
    const file = await written();
    await toStorage(file);
    let commits = 0;
    const robbed = async <T>(work: Parameters<Database['transaction']>[0]): Promise<T> => {
      commits += 1;
      if (commits === 8) await run(sql`DELETE FROM blob_chunk WHERE blob_id = ${file.id} AND n = 2`);
      return withDatabase<T>(work);
    };
    await expect(moveToDatabase(database, file, robbed)).rejects.toMatchObject({ code: 'internal' });
    expect(Buffer.concat(await Array.fromAsync(readBlob(database, file.id))).equals(bytes)).toBe(true);
  });

  test('one that is canceled while the copy is read again leaves the file in the database', async () => {
    const file = await written();
    const canceled = AbortSignal.abort(new Error('canceled'));
    const { files: storage } = database.settings;
    await expect(moveToStorage(database, storage ?? storageOf({}), file, withDatabase, canceled)).rejects.toThrow(
      'canceled',
    );
    expect(await chunksOf(file.id)).toBe(7);
  });
});

describe('as a reply', () => {
  test('a file that cannot be read is an error before the reply begins; one that can be is streamed whole', async () => {
    const { id } = await written();
    expect(Buffer.concat(await Array.fromAsync(await fileStream(database, id))).equals(bytes)).toBe(true);
    const empty = await writeBlob(database, []);
    expect(await Array.fromAsync(await fileStream(database, empty.id))).toEqual([]);
    await run(sql`DELETE FROM blob_chunk WHERE blob_id = ${id} AND n = 0`);
    await expect(fileStream(database, id)).rejects.toMatchObject({ code: 'file_damaged' });
    const cut = await written();
    await run(sql`DELETE FROM blob_chunk WHERE blob_id = ${cut.id} AND n = 3`);
    await expect(Array.fromAsync(await fileStream(database, cut.id))).rejects.toMatchObject({ code: 'file_damaged' });
  });
});

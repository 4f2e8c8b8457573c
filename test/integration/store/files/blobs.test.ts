// Blobs: streams in and out in chunks of 256 KB.
import { createHash, randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { pruneBlobs, readBlob, readBlobDescription, writeBlob } from '#store/files/blobs.ts';
import { chunkBytes } from '#store/files/pieces.ts';
import { Database } from '#store/connection/database.ts';
import { NumberRow, column } from '#store/connection/columns.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createDatabase();
  database = new Database({ url: testDatabase.url, poolSize: 4 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await testDatabase.drop();
});

const count = async (): Promise<number> =>
  (await database.reader.one(sql.type(NumberRow)`SELECT count(*) AS n FROM blob_chunk`)).n;
const read = async (id: string): Promise<Buffer> => Buffer.concat(await Array.fromAsync(readBlob(database, id)));

describe('writing and reading', () => {
  test.each([0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes])(
    'keeps %i bytes as they are, however they come',
    async (size) => {
      const bytes = randomBytes(size);
      const pieces = async function* () {
        for (let at = 0; at < size;) {
          const end = Math.min(size, at + 1 + Math.floor(Math.random() * 200_000));
          yield bytes.subarray(at, end);
          at = end;
        }
      };
      const blob = await writeBlob(database, pieces(), { fileName: 'a.bin', mediaType: 'application/octet-stream' });
      expect(blob).toEqual({ id: blob.id, fileName: 'a.bin', mediaType: 'application/octet-stream', sizeBytes: size });
      expect(await readBlobDescription(database, blob.id)).toEqual(blob);
      expect((await read(blob.id)).equals(bytes)).toBe(true);
    },
  );

  test('holds a few chunks of a large file in memory and not the file', async () => {
    const piece = randomBytes(1024 * 1024);
    const hash = createHash('sha256');
    // What is left after a collection is what is held.
    setFlagsFromString('--expose-gc');
    const collect: unknown = runInNewContext('gc');
    const held = (): number => {
      // Twice: buffers of the first are swept in the background. A collection takes a second in a process that has run many tests.
      if (typeof collect === 'function') for (const _ of [1, 2]) collect();
      return process.memoryUsage().arrayBuffers;
    };
    const before = held();
    const most = { writing: 0, reading: 0 };
    const source = function* () {
      for (let n = 0; n < 32; n++) {
        hash.update(piece);
        yield piece;
        if (n === 16 || n === 31) most.writing = Math.max(most.writing, held() - before);
      }
    };
    const { id } = await writeBlob(database, source());
    const back = createHash('sha256');
    let n = 0;
    for await (const chunk of readBlob(database, id)) {
      back.update(chunk);
      if (++n === 64 || n === 127) most.reading = Math.max(most.reading, held() - before);
    }
    expect(back.digest('hex')).toBe(hash.digest('hex'));
    expect(most.writing).toBeLessThan(6 * 1024 * 1024);
    expect(most.reading).toBeLessThan(6 * 1024 * 1024);
  });
});

describe('refusing', () => {
  test('leaves nothing of a stream that fails', async () => {
    const before = await count();
    const broken = async function* () {
      yield randomBytes(2 * chunkBytes);
      throw new Error('the client is gone');
    };
    await expect(writeBlob(database, broken())).rejects.toThrow('the client is gone');
    expect(await count()).toBe(before);
  });

  test('refuses a file over the limit', async () => {
    await expect(writeBlob(database, [randomBytes(1001)], { maxBytes: 1000 })).rejects.toMatchObject({
      code: 'too_large',
    });
  });

  test('does not read a blob that is not there or not complete', async () => {
    const [{ id } = { id: '' }] = await database.write(sql.type(z.strictObject({ id: column.text }))`
      INSERT INTO blob (file_name) VALUES ('half') RETURNING id`);
    await expect(read(id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await readBlobDescription(database, id)).toBeNull();
  });
});

test('removes after a day what was never completed or is named by no job', async () => {
  const old = await writeBlob(database, [randomBytes(10)]);
  const young = await writeBlob(database, [randomBytes(10)]);
  await database.write(sql.type(AnyRow)`
    UPDATE blob SET create_time = now() - interval '25 hours' WHERE id = ${old.id}`);
  expect(await pruneBlobs(database)).toBe(1);
  expect(await readBlobDescription(database, old.id)).toBeNull();
  expect(await readBlobDescription(database, young.id)).not.toBeNull();
});

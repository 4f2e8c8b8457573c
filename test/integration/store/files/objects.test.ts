// Files as objects of a real S3-compatible server: written, read, removed, and what becomes of them where either side dies.
import { randomBytes } from 'node:crypto';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { deleteUpload, readUpload } from '#store/batch-import/read-upload.ts';
import { Database } from '#store/connection/database.ts';
import { column, NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { pruneBlobs, readBlob, readBlobDescription, writeBlob } from '#store/files/blobs.ts';
import { beginObject, readFilePlaces, readWaitingObjects, sweepObjects } from '#store/files/objects.ts';
import { chunkBytes } from '#store/files/pieces.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';
import { openNetwork } from '#test/support/network.ts';
import type { S3Server } from '#test/support/s3-server.ts';
import { impatientStorageOf, startS3, storageOf } from '#test/support/s3-server.ts';

let s3: S3Server;
let testDatabase: TestDatabase;
let database: Database;
const opened: Database[] = [];
/** The same database, with files by these variables. */
const withFiles = (environment: { readonly [name: string]: string }): Database => {
  const one = new Database({ url: testDatabase.url, poolSize: 4, files: storageOf(environment) });
  opened.push(one);
  return one;
};
beforeAll(async () => {
  [s3, testDatabase] = await Promise.all([startS3(), createDatabase()]);
  database = withFiles({ ...s3.environment(), MUNIMENT_FILES_KEEP_DAYS: '0' });
});
afterAll(async () => {
  for (const one of opened) await one[Symbol.asyncDispose]();
  await testDatabase.drop();
  await s3[Symbol.asyncDispose]();
});

const pieces = async function* (bytes: Uint8Array, most = 300_000) {
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + 1 + Math.floor(Math.random() * most));
    yield bytes.subarray(at, end);
    at = end;
  }
};
const read = async (id: string, from = database): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(readBlob(from, id)));
const Row = z.strictObject({ key: column.maybeText, chunks: column.int });
const rowOf = async (id: string) =>
  database.reader.one(sql.type(Row)`
    SELECT object_key AS key, (SELECT count(*) FROM blob_chunk WHERE blob_id = b.id) AS chunks FROM blob b WHERE id = ${id}`);
/** The states of what the list has, but of that which was removed once and is looked after for a day. */
const listed = async (): Promise<readonly string[]> =>
  (
    await database.reader.any(
      sql.type(
        z.strictObject({ state: column.text }),
      )`SELECT state FROM stored_object WHERE removed IS NULL ORDER BY 1`,
    )
  ).map(({ state }) => state);
const aDayLater = () =>
  database.transaction((tx) => tx.run(sql`UPDATE stored_object SET sent = sent - interval '25 hours'`));
const countOfLines = async (): Promise<number> =>
  (await database.reader.one(sql.type(NumberRow)`SELECT count(*) AS n FROM stored_object`)).n;
const pathOf = async (id: string): Promise<string> => {
  const { key } = await rowOf(id);
  const found = (await s3.objects()).find((object) => object.key === `muniment/${key}`);
  if (found === undefined) throw new Error('no such object');
  return found.path;
};
const clear = async (): Promise<void> => {
  await database.transaction((tx) => tx.run(sql`DELETE FROM blob`));
  await sweepObjects(database);
  expect([await s3.objects(), await listed()]).toEqual([[], []]);
};

describe('writing and reading', () => {
  test.each([0, 1, chunkBytes, 16 * chunkBytes, 16 * chunkBytes + 1, 9 * 1024 * 1024 + 7])(
    'keeps %i bytes as they are, outside of the database',
    async (size) => {
      const bytes = randomBytes(size);
      const blob = await writeBlob(database, pieces(bytes), { fileName: 'a.bin' });
      expect(blob).toMatchObject({ fileName: 'a.bin', sizeBytes: size });
      expect(await readBlobDescription(database, blob.id)).toEqual(blob);
      expect((await read(blob.id)).equals(bytes)).toBe(true);
      expect(Buffer.concat(await Array.fromAsync(readUpload(database, blob.id))).equals(bytes)).toBe(true);
      const row = await rowOf(blob.id);
      expect(row).toEqual({ key: expect.stringMatching(/^files\/\d{4}-\d\d\/[\w-]{32}$/), chunks: 0 });
      expect((await readFile(await pathOf(blob.id))).equals(bytes)).toBe(true);
    },
  );

  test('reads files that are in the database already, and tells how many are where', async () => {
    await clear();
    const bytes = randomBytes(chunkBytes + 1);
    const before = await writeBlob(withFiles({ ...s3.environment(), MUNIMENT_FILES_NEW: 'database' }), [bytes]);
    await writeBlob(database, [bytes]);
    expect(await rowOf(before.id)).toEqual({ key: null, chunks: 2 });
    expect((await read(before.id)).equals(bytes)).toBe(true);
    const each = { files: 1, bytes: chunkBytes + 1 };
    expect(await readFilePlaces(database.reader)).toEqual([
      { storage: null, ...each },
      { storage: 's3://archive/muniment', ...each },
    ]);
  });

  test('says that the storage is missing where a process does not know of it', async () => {
    const { id } = await writeBlob(database, [Buffer.from('abc')]);
    await using without = new Database({ url: testDatabase.url, poolSize: 2 });
    await expect(read(id, without)).rejects.toMatchObject({
      code: 'unavailable',
      cause: expect.objectContaining({ message: expect.stringContaining('MUNIMENT_FILES_URL is not set') }),
    });
  });
});

describe('what is not stored', () => {
  const nothing = async (): Promise<void> => {
    expect(await database.reader.any(sql.type(Row.pick({ key: true }))`SELECT object_key AS key FROM blob`)).toEqual(
      [],
    );
    await sweepObjects(database);
    expect([await s3.objects(), await listed()]).toEqual([[], []]);
  };

  test('a stream that fails, or is too large, leaves nothing', async () => {
    await clear();
    const broken = async function* () {
      yield* pieces(randomBytes(9 * 1024 * 1024));
      throw new Error('the client is gone');
    };
    await expect(writeBlob(database, broken())).rejects.toThrow('the client is gone');
    await expect(writeBlob(database, [randomBytes(1001)], { maxBytes: 1000 })).rejects.toMatchObject({
      code: 'too_large',
    });
    await nothing();
  });

  test('an upload whose process died is removed after a day, and cannot become a file any more', async () => {
    await clear();
    const bytes = randomBytes(100);
    const release = Promise.withResolvers<void>();
    const slow = async function* () {
      yield bytes;
      await release.promise;
    };
    const writing = writeBlob(database, slow());
    await expect.poll(listed).toEqual(['begun']);
    // Another died after it had sent its object.
    const key = await beginObject(database, storageOf(s3.environment()));
    await storageOf(s3.environment()).put(key, pieces(bytes));
    expect(await sweepObjects(database)).toBe(0);
    expect(await s3.objects()).toHaveLength(1);
    await database.transaction((tx) => tx.run(sql`UPDATE stored_object SET since = now() - interval '25 hours'`));
    await database.transaction((tx) => tx.run(sql`UPDATE blob SET create_time = now() - interval '25 hours'`));
    expect(await pruneBlobs(database)).toBe(1);
    expect(await sweepObjects(database)).toBe(2);
    expect([await s3.objects(), await listed()]).toEqual([[], []]);
    release.resolve();
    await expect(writing).rejects.toMatchObject({ code: 'unavailable' });
    await nothing();
  });
});

describe('what comes too late', () => {
  test('a request that was given up and is carried out after the object was removed leaves nothing', async () => {
    await clear();
    await aDayLater();
    await sweepObjects(database);
    expect(await countOfLines()).toBe(0);
    await using network = await openNetwork({ host: '127.0.0.1', port: s3.port });
    const impatient = impatientStorageOf(s3.environment(network.port), { limitMs: 300, tries: 1 });
    const slow = new Database({ url: testDatabase.url, poolSize: 4, files: impatient });
    opened.push(slow);
    network.silence();
    await expect(writeBlob(slow, [Buffer.from('late')])).rejects.toMatchObject({ code: 'unavailable' });
    expect(await sweepObjects(database)).toBe(1);
    expect(await s3.objects()).toEqual([]);
    network.heal();
    await expect.poll(async () => (await s3.objects()).length).toBe(1);
    // It may still come within the day, so the line is kept until then, and waits for nobody else.
    expect(await sweepObjects(database)).toBe(0);
    expect([await countOfLines(), (await readWaitingObjects(database.reader, 0)).objects]).toEqual([1, 0]);
    await aDayLater();
    expect(await sweepObjects(database)).toBe(0);
    expect([await s3.objects(), await countOfLines()]).toEqual([[], 0]);
  });

  test('an object that was sent long ago is removed once, and its line with it', async () => {
    await clear();
    const { id } = await writeBlob(database, [Buffer.from('abc')]);
    await aDayLater();
    await database.transaction((tx) => tx.run(sql`DELETE FROM blob WHERE id = ${id}`));
    const before = await countOfLines();
    expect(await sweepObjects(database)).toBe(1);
    expect([await s3.objects(), before - (await countOfLines())]).toEqual([[], before]);
  });
});

describe('removing', () => {
  test('the object goes after the commit that removes its file, and stays where that is rolled back', async () => {
    await clear();
    const { id } = await writeBlob(database, [Buffer.from('abc')]);
    await expect(
      database.transaction(async (tx) => {
        await tx.run(sql`DELETE FROM blob WHERE id = ${id}`);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await sweepObjects(database)).toBe(0);
    expect((await read(id)).toString()).toBe('abc');
    await database.transaction((tx) => tx.run(sql`DELETE FROM blob WHERE id = ${id}`));
    expect(await s3.objects()).toHaveLength(1);
    await s3.kill();
    await expect(sweepObjects(database)).rejects.toMatchObject({ code: 'unavailable' });
    await s3.start();
    expect(await sweepObjects(database)).toBe(1);
    expect(await s3.objects()).toEqual([]);
  });

  test('it stays for the days that a backup may be old, but for what no backup needs', async () => {
    const keeping = withFiles({ ...s3.environment(), MUNIMENT_FILES_KEEP_DAYS: '2' });
    const [kept, temporary] = [
      await writeBlob(keeping, [Buffer.from('a')]),
      await writeBlob(keeping, [Buffer.from('b')]),
    ];
    await keeping.transaction((tx) => tx.run(sql`DELETE FROM blob WHERE id = ${kept.id}`));
    await deleteUpload(keeping, temporary.id);
    expect(await sweepObjects(keeping)).toBe(1);
    await keeping.transaction((tx) => tx.run(sql`UPDATE stored_object SET since = since - interval '47 hours'`));
    expect(await sweepObjects(keeping)).toBe(0);
    await keeping.transaction((tx) => tx.run(sql`UPDATE stored_object SET since = since - interval '2 hours'`));
    expect(await sweepObjects(keeping)).toBe(1);
  });
});

describe('a storage that fails', () => {
  test('an object that was altered, cut or removed is not given as the file, nor its last piece', async () => {
    const bytes = randomBytes(5 * 1024 * 1024);
    const { id } = await writeBlob(database, [bytes]);
    const path = await pathOf(id);
    const given = async (): Promise<number> => {
      let count = 0;
      try {
        for await (const piece of readBlob(database, id)) count += piece.length;
      } catch (error) {
        expect(error).toMatchObject({ code: 'file_damaged' });
        return count;
      }
      throw new Error('it was given');
    };
    const altered = Buffer.from(bytes);
    altered[77] = (altered[77] ?? 0) ^ 1;
    await writeFile(path, altered);
    expect(await given()).toBeLessThan(bytes.length);
    await writeFile(path, bytes.subarray(0, -1));
    await given();
    await writeFile(path, bytes);
    await appendFile(path, 'x');
    await given();
    await writeFile(path, bytes);
    expect((await read(id)).equals(bytes)).toBe(true);
    await rm(path);
    expect(await given()).toBe(0);
  });

  test('a wrong key and a wrong bucket are told apart from a missing file', async () => {
    const { id } = await writeBlob(database, [Buffer.from('abc')]);
    const wrong = [
      [{ MUNIMENT_FILES_SECRET_ACCESS_KEY: 'wrong' }, 'SignatureDoesNotMatch'],
      [{ MUNIMENT_FILES_URL: `s3://elsewhere/muniment?endpoint=http://127.0.0.1:${s3.port}` }, 'NoSuchBucket'],
    ] as const;
    for (const [variables, name] of wrong) {
      const other = withFiles({ ...s3.environment(), ...variables });
      const told = { code: 'unavailable', cause: expect.objectContaining({ message: expect.stringContaining(name) }) };
      await expect(read(id, other)).rejects.toMatchObject(told);
      await expect(writeBlob(other, [Buffer.from('abc')])).rejects.toMatchObject(told);
      await expect(other.settings.files?.probe()).rejects.toMatchObject(told);
    }
  });

  test('a connection that breaks off while a file is read costs nothing', async () => {
    await using network = await openNetwork({ host: '127.0.0.1', port: s3.port });
    const through = withFiles(s3.environment(network.port));
    const bytes = randomBytes(12 * 1024 * 1024);
    const { id } = await writeBlob(through, [bytes]);
    network.slow(2);
    const reading = read(id, through);
    for (let n = 0; n < 3; n++) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      network.cut();
    }
    expect((await reading).equals(bytes)).toBe(true);
  });

  test('a server that is killed in the middle of an upload fails it with 503, and the next goes well', async () => {
    await clear();
    const bytes = randomBytes(18 * 1024 * 1024);
    const dying = async function* () {
      yield bytes.subarray(0, 10 * 1024 * 1024);
      await s3.kill();
      yield bytes.subarray(10 * 1024 * 1024);
    };
    await expect(writeBlob(database, dying())).rejects.toMatchObject({ code: 'unavailable', status: 503 });
    await s3.start();
    const { id } = await writeBlob(database, [bytes]);
    expect((await read(id)).equals(bytes)).toBe(true);
    await sweepObjects(database);
    expect(await listed()).toEqual(['kept']);
    expect(await s3.objects()).toHaveLength(1);
  });
});

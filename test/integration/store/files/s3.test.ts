// The storage by itself: what it says where a setting is wrong, and what a server that answers badly gets out of it.
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '#domain/config.ts';
import { Failure } from '#domain/errors.ts';
import { Database } from '#store/connection/database.ts';
import { openFileStorage } from '#store/files/open-storage.ts';
import { s3Storage } from '#store/files/s3.ts';
import { keyStart } from '#store/files/storage.ts';
import type { S3Server } from '#test/support/s3-server.ts';
import { freePort, impatientStorageOf, startS3, storageOf } from '#test/support/s3-server.ts';
import { tellOfStorage } from '../../../../apps/open.ts';

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(async () => s3[Symbol.asyncDispose]());

const secret = 'a-secret-that-nobody-may-see';
const key = `${keyStart}2026-11/abc`;
async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

describe('opening', () => {
  test('is nothing without an address, and what the variables say with one', () => {
    expect(openFileStorage(readConfig({}))).toBeNull();
    const variables = { MUNIMENT_FILES_NEW: 'database', MUNIMENT_FILES_KEEP_DAYS: '3' };
    expect(storageOf({ ...s3.environment(), ...variables })).toMatchObject({
      name: 's3://archive/muniment',
      takesNew: false,
      keepDays: 3,
    });
    expect(storageOf(s3.environment())).toMatchObject({ takesNew: true, keepDays: 7 });
  });

  test.each([
    [{ MUNIMENT_FILES_SECRET_ACCESS_KEY: secret }, 'MUNIMENT_FILES_SECRET_ACCESS_KEY is not the secret'],
    [{ MUNIMENT_FILES_ACCESS_KEY_ID: 'nobody' }, 'MUNIMENT_FILES_ACCESS_KEY_ID is not known there'],
    [{ MUNIMENT_FILES_URL: 's3://elsewhere?endpoint=http://127.0.0.1:PORT' }, 'MUNIMENT_FILES_URL names a bucket that'],
    [
      { MUNIMENT_FILES_URL: 's3://archive?endpoint=http://127.0.0.1:FREE' },
      'nobody answers at the endpoint of MUNIMENT',
    ],
  ])('the log is told at the start which setting is wrong, and no secret: %j', async (variables, words) => {
    const free = String(await freePort());
    const given = Object.fromEntries(
      Object.entries({ ...s3.environment(), ...variables }).map(([name, value]) => [
        name,
        value.replace('PORT', String(s3.port)).replace('FREE', free),
      ]),
    );
    const files = impatientStorageOf(given, { limitMs: 5000, tries: 1 });
    // It is not connected to.
    await using database = new Database({ url: 'postgresql://127.0.0.1:9/none', poolSize: 2, files });
    const told = Promise.withResolvers<{ readonly event: string; readonly storage: string; readonly err: Error }>();
    tellOfStorage(database, { error: told.resolve });
    const { event, storage, err } = await told.promise;
    expect([event, storage]).toEqual(['file_storage_fails', files.name]);
    expect(err).toMatchObject({ code: 'unavailable', message: 'The storage of files cannot be reached' });
    expect((err.cause as Error).message).toContain(words);
    expect(inspect(err, { depth: 20, showHidden: true })).not.toMatch(
      new RegExp(`${secret}|AWS4-HMAC|signature=`, 'i'),
    );
  });

  test('the log is told nothing where all is well, or where there is no storage', async () => {
    const files = storageOf(s3.environment());
    for (const name of ['a', 'b']) await files.put(`${keyStart}2026-11/${name}`, one(Buffer.from(name)));
    const lines: unknown[] = [];
    const log = { error: (line: unknown) => void lines.push(line) };
    await using database = new Database({ url: 'postgresql://127.0.0.1:9/none', poolSize: 2, files });
    await using none = new Database({ url: 'postgresql://127.0.0.1:9/none', poolSize: 2 });
    tellOfStorage(none, log);
    tellOfStorage(database, log);
    await files.probe();
    await files.probe();
    expect(lines).toEqual([]);
  });
});

describe('a server that answers badly', () => {
  /** A storage at a server that answers everything like this. */
  async function at(answer: RequestListener) {
    const server = createServer(answer);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A TCP server has an address of this form.
    const { port } = server.address() as AddressInfo;
    return {
      storage: impatientStorageOf(s3.environment(port), { limitMs: 1000, tries: 2 }),
      [Symbol.asyncDispose]: async () => {
        server.close();
        server.closeAllConnections();
        await once(server, 'close');
      },
    };
  }

  test('more bytes than were asked for are not held, and are no file', async () => {
    let sent = 0;
    await using bad = await at((_request, response) => {
      response.writeHead(206, { 'content-range': 'bytes 0-9/1000' });
      const more = (): void => {
        if (response.destroyed) return;
        sent += 65_536;
        response.write(Buffer.alloc(65_536), () => setImmediate(more));
      };
      more();
    });
    expect(await bad.storage.read(key, 0, 10, 1000)).toBeNull();
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('another size, another range, and a page of another server are no file, or a failure', async () => {
    await using other = await at((_request, response) => {
      response.writeHead(206, { 'content-range': 'bytes 0-9/999' });
      response.end(Buffer.alloc(10));
    });
    expect(await other.storage.read(key, 0, 10, 1000)).toBeNull();
    await using whole = await at((_request, response) => void response.end(Buffer.alloc(10)));
    expect(await whole.storage.read(key, 0, 10, 1000)).toBeNull();
    await using page = await at((_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html' });
      response.end('<html>not here</html>');
    });
    await expect(page.storage.read(key, 0, 10, 1000)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test.each([
    ['says nothing', (() => undefined) satisfies RequestListener],
    [
      'never comes to an end',
      ((_request, response) => {
        response.writeHead(206, { 'content-range': 'bytes 0-9/1000' });
        response.write('a');
      }) satisfies RequestListener,
    ],
  ])('one that %s is given up', async (_how, answer) => {
    await using bad = await at(answer);
    await expect(bad.storage.read(key, 0, 10, 1000)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(bad.storage.put(key, one(Buffer.from('abc')))).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('an error of the source is thrown as it is, and one of the storage is not taken for it', async () => {
    const storage = storageOf(s3.environment());
    const broken = async function* () {
      yield Buffer.alloc(10);
      throw new RangeError('the sender is gone');
    };
    await expect(storage.put(key, broken())).rejects.toThrow(RangeError);
    await using bad = await at((request, response) => {
      request.resume();
      response.writeHead(403);
      response.end('<Error><Code>AccessDenied</Code><Message>no</Message></Error>');
    });
    const refused = await bad.storage.put(key, one(Buffer.alloc(20 * 1024 * 1024))).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Failure);
    expect((refused as Failure).cause).toMatchObject({
      message: expect.stringContaining('may not do that in the bucket'),
    });
  });
});

test('the key of a machine is looked for where no key is set, and its lack is told', async () => {
  const { MUNIMENT_FILES_URL: address } = readConfig(s3.environment());
  if (address === undefined) throw new Error('no address');
  const before = { ...process.env };
  Object.assign(process.env, {
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/none',
    AWS_SHARED_CREDENTIALS_FILE: '/none',
  });
  try {
    const storage = s3Storage(address, { credentials: null, takesNew: true, keepDays: 0, limitMs: 5000, tries: 1 });
    await expect(storage.probe()).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining('MUNIMENT_FILES_ACCESS_KEY_ID is not set') }),
    });
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
});

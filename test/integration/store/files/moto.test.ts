// The storage of files on a second server of another make: moto (Debian: python3-moto), which lists unfinished uploads and ends them.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { freePort, storageOf } from '#test/support/s3-server.ts';

const variables = (port: number) => ({
  MUNIMENT_FILES_URL: `s3://archive/muniment?endpoint=http://127.0.0.1:${port}`,
  MUNIMENT_FILES_ACCESS_KEY_ID: 'key',
  MUNIMENT_FILES_SECRET_ACCESS_KEY: 'secret',
});

/** Starts moto; null where the machine has none. */
async function startMoto(): Promise<(AsyncDisposable & { readonly port: number }) | null> {
  const port = await freePort();
  const server = spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  // An error comes in place of it where there is no such program.
  const isThere = await once(server, 'spawn').then(
    () => true,
    () => false,
  );
  if (!isThere) return null;
  while (server.exitCode === null) {
    if (
      await fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      )
    )
      break;
    await sleep(50);
  }
  if (server.exitCode !== null) return null;
  const end = async (): Promise<void> => {
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  return { port, [Symbol.asyncDispose]: end };
}

describe('on moto', () => {
  test('stores, reads by ranges, lists, removes, and ends what was begun', async (context) => {
    await using moto = await startMoto();
    if (moto === null) return context.skip('SKIPPED: there is no moto_server on this machine (Debian: python3-moto)');
    const Bucket = 'archive';
    const client = new S3Client({
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${moto.port}`,
      forcePathStyle: true,
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    });
    const storage = storageOf(variables(moto.port));
    await expect(storage.probe()).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringContaining('NoSuchBucket') }),
    });
    await client.send(new CreateBucketCommand({ Bucket }));
    await storage.probe();
    const bytes = randomBytes(18 * 1024 * 1024 + 5);
    await storage.put('files/a', pieces(bytes));
    expect(await storage.sizeOf('files/a')).toBe(bytes.length);
    const part = await storage.read('files/a', 9_000_000, 9_000_100, bytes.length);
    expect(part?.equals(bytes.subarray(9_000_000, 9_000_100))).toBe(true);
    expect(await storage.read('files/a', 0, 10, bytes.length + 1)).toBeNull();
    expect(await storage.read('files/b', 0, 10, 10)).toBeNull();
    expect(await Array.fromAsync(storage.list())).toEqual([['files/a']]);
    // What a process that died has left.
    await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'muniment/files/b' }));
    await client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'muniment/files/bc' }));
    await storage.remove('files/b');
    await storage.remove('files/a');
    expect(await storage.sizeOf('files/a')).toBeNull();
    const left = await client.send(new ListMultipartUploadsCommand({ Bucket }));
    expect(left.Uploads?.map(({ Key }) => Key)).toEqual(['muniment/files/bc']);
    client.destroy();
  });
});

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 300_000) yield bytes.subarray(at, at + 300_000);
}

// A real S3-compatible server for tests, in this process, on a folder of its own; it checks signatures. It can be ended at once and started again.
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '#domain/config.ts';
import { readConfig } from '#domain/config.ts';
import { openFileStorage } from '#store/files/open-storage.ts';
import { s3Storage } from '#store/files/s3.ts';
import type { FileStorage } from '#store/files/storage.ts';

/** The server. Dispose to end it and remove what it holds. */
export type S3Server = AsyncDisposable & {
  readonly port: number;
  readonly bucket: string;
  /** Variables by which the service uses it; `port` another way to it. */
  environment(port?: number): { readonly [name: string]: string };
  /** Ends it at once: connections break off, with what is under way. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** The paths of the objects in the bucket, and of their bytes on disk. */
  objects(): Promise<readonly { readonly key: string; readonly path: string }[]>;
};

/** What is used of the package, which brings no types. */
type Koa = {
  silent: boolean;
  readonly middleware: Middleware[];
  readonly logger: { silent: boolean; readonly exceptions: { unhandle(): void } };
  readonly httpServer: Server;
  run(): Promise<unknown>;
};
type Middleware = (
  context: { readonly path: string; readonly state: object; mountPath?: string },
  next: () => Promise<unknown>,
) => Promise<unknown>;
type Program = new (options: {
  readonly directory: string;
  readonly address: string;
  readonly port: number;
  readonly silent: boolean;
  readonly vhostBuckets: boolean;
  readonly configureBuckets: readonly { readonly name: string; readonly configs: readonly string[] }[];
}) => Koa;

/** What the server knows its one user by. */
const key = 'S3RVER';
const bucket = 'archive';

/** Starts the server on a free port of this machine. */
export async function startS3(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'muniment-s3-'));
  const port = await freePort();
  let running: Server | null = null;
  const start = async (): Promise<void> => {
    running = await run(directory, port);
  };
  const kill = async (): Promise<void> => {
    const server = running;
    running = null;
    if (server === null) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  await start();
  return {
    port,
    bucket,
    environment: (through = port) => ({
      MUNIMENT_FILES_URL: `s3://${bucket}/muniment?endpoint=http://127.0.0.1:${through}`,
      MUNIMENT_FILES_ACCESS_KEY_ID: key,
      MUNIMENT_FILES_SECRET_ACCESS_KEY: key,
    }),
    kill,
    start,
    objects: async () => {
      const root = join(directory, bucket);
      const suffix = '._S3rver_object';
      const found = await readdir(root, { recursive: true });
      return found
        .filter((path) => path.endsWith(suffix))
        .map((path) => ({ key: path.slice(0, -suffix.length), path: join(root, path) }));
    },
    [Symbol.asyncDispose]: async () => {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const ignored = (): void => {
  // The server says itself whether a name stands for a bucket.
};

async function run(directory: string, port: number): Promise<Server> {
  // The package has no types; `Program` says what is used of it.
  const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as Program;
  const server = new S3rver({
    directory,
    address: '127.0.0.1',
    port,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  server.silent = true;
  // Its log would take the process's exceptions for itself.
  server.logger.exceptions.unhandle();
  server.logger.silent = true;
  // Clients of today ask a bucket as /bucket/ and sign that; the server checks their signature of /bucket, but where a name of its own stands for it.
  server.middleware.unshift(async (context, next) => {
    if (/^\/[^/]+\/$/.test(context.path)) {
      Object.defineProperty(context.state, 'vhost', { get: () => true, set: ignored });
      context.mountPath = '/';
    }
    return next();
  });
  await server.run();
  return server.httpServer;
}

/** The storage of files that variables name. */
export const storageOf = (environment: { readonly [name: string]: string }): FileStorage => {
  const storage = openFileStorage(readConfig(environment) satisfies Config);
  if (storage === null) throw new Error('the variables name no storage of files');
  return storage;
};

/** The same storage with a patience of its own: milliseconds for a request, and how often it is sent. */
export const impatientStorageOf = (
  environment: { readonly [name: string]: string },
  patience: { readonly limitMs: number; readonly tries: number },
): FileStorage => {
  const {
    MUNIMENT_FILES_URL: address,
    MUNIMENT_FILES_ACCESS_KEY_ID: accessKeyId = '',
    MUNIMENT_FILES_SECRET_ACCESS_KEY: secretAccessKey = '',
  } = readConfig(environment);
  if (address === undefined) throw new Error('the variables name no storage of files');
  return s3Storage(address, {
    credentials: { accessKeyId, secretAccessKey },
    takesNew: true,
    keepDays: 0,
    ...patience,
  });
};

/** A port that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

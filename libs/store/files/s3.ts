// Files as objects of an S3-compatible storage, by the client of AWS, which signs, sends parts of a large object, and tries again what failed. What
// it lacks is here: a limit for what does not come to an end, another try where the body of an answer breaks off, and errors of our own.
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type * as Library from '@aws-sdk/client-s3';
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import type { FileStorageAddress } from '#domain/configuration/files.ts';
import { Failure, fail } from '#domain/errors.ts';
import type { FileStorage } from './storage.ts';
import { keyStart } from './storage.ts';

/** Who asks, and what the operator chose. `credentials` null: what the client finds by itself. Times are milliseconds. */
export type S3Settings = Pick<FileStorage, 'takesNew' | 'keepDays'> & {
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  /** How long one request may take, with its answer. */
  readonly limitMs?: number;
  /** How often a request is sent, at most. */
  readonly tries?: number;
};

// Two parts of an upload are on their way at once. Ten thousand of them are the most that a storage takes: 84 GB.
const partBytes = 8 * 1024 * 1024;
const partsAtOnce = 2;
const pauseMs = 200;

/** Makes the storage. The client is loaded by those alone who have one, at the first request. */
export function s3Storage(address: FileStorageAddress, settings: S3Settings): FileStorage {
  const { takesNew, keepDays, limitMs = 30_000, tries = 4 } = settings;
  const { name, bucket: Bucket } = address;
  const load = async () => {
    const library = await import('@aws-sdk/client-s3');
    return { library, client: new library.S3Client(optionsOf(address, settings)) };
  };
  let loaded: ReturnType<typeof load> | undefined;
  const keyOf = (key: string): string => `${address.prefix}${key}`;

  /** Asks once, within the limit; null for what is not there. */
  const ask = async <T>(
    what: string,
    call: (on: Awaited<ReturnType<typeof load>>, signal: AbortSignal) => Promise<T>,
  ) => {
    const signal = AbortSignal.timeout(limitMs);
    try {
      return await call(await (loaded ??= load()), signal);
    } catch (error) {
      if (isAbsence(what, error)) return null;
      throw failureOf(what, signal.aborted ? new Error(`no answer within ${limitMs} ms`) : error);
    }
  };
  const sizeOf: FileStorage['sizeOf'] = async (key) => {
    const head = await ask('head', async ({ library, client }, abortSignal) =>
      client.send(new library.HeadObjectCommand({ Bucket, Key: keyOf(key) }), { abortSignal }),
    );
    return head?.ContentLength ?? null;
  };

  return {
    name,
    takesNew,
    keepDays,
    sizeOf,
    put: async (key, source) => {
      const { client } = await (loaded ??= load());
      const { Upload } = await import('@aws-sdk/lib-storage');
      let ofSource: { readonly error: unknown } | null = null;
      const watched = async function* (): AsyncGenerator<Uint8Array> {
        let isTaken = false;
        try {
          for await (const piece of source) {
            isTaken = true;
            yield piece;
            isTaken = false;
          }
        } catch (error) {
          // What is thrown while a piece is with the client is the end of an upload that failed.
          if (!isTaken) ofSource = { error };
          throw error;
        }
      };
      const params = {
        Bucket,
        Key: keyOf(key),
        Body: Readable.from(watched()),
        ContentType: 'application/octet-stream',
      };
      const upload = new Upload({ client, params, partSize: partBytes, queueSize: partsAtOnce });
      try {
        await upload.done();
      } catch (error) {
        // The compiler does not see that the generator has set it.
        throw (ofSource as { readonly error: unknown } | null)?.error ?? failureOf('put', error);
      }
    },
    read: async (key, from, to, sizeBytes) => {
      for (let attempt = 1; ; attempt++) {
        let isBroken = false;
        try {
          return await ask('get', async ({ library, client }, abortSignal) => {
            const command = new library.GetObjectCommand({ Bucket, Key: keyOf(key), Range: `bytes=${from}-${to - 1}` });
            const { Body, ContentRange } = await client.send(command, { abortSignal });
            // The client has tried again what got no answer; not that whose answer broke off.
            isBroken = !abortSignal.aborted;
            // In Node the client gives a Readable.
            const bytes = await bytesOf(Body as Readable, to - from, abortSignal);
            return ContentRange?.endsWith(`/${sizeBytes}`) === true && bytes?.length === to - from ? bytes : null;
          });
        } catch (error) {
          if (!isBroken || attempt >= tries) throw error;
          await sleep(pauseMs * attempt);
        }
      }
    },
    remove: async (key) => {
      await ask('delete', async ({ library, client }, abortSignal) =>
        client.send(new library.DeleteObjectCommand({ Bucket, Key: keyOf(key) }), { abortSignal }),
      );
      await endUploads(await (loaded ??= load()), Bucket, keyOf(key));
    },
    async *list() {
      let token: string | undefined;
      do {
        const continued = token;
        const page = await ask('list', async ({ library, client }, abortSignal) =>
          client.send(
            new library.ListObjectsV2Command({
              Bucket,
              Prefix: keyOf(keyStart),
              ...(continued === undefined ? {} : { ContinuationToken: continued }),
            }),
            { abortSignal },
          ),
        );
        yield (page?.Contents ?? []).map(({ Key = '' }) => Key.slice(address.prefix.length));
        token = page?.IsTruncated === true ? page.NextContinuationToken : undefined;
      } while (token !== undefined);
    },
    probe: async () => {
      // No key begins like this: an empty list is what costs least. HEAD of the bucket would not say what is wrong.
      const Prefix = keyOf(`${keyStart}-`);
      await ask('probe', async ({ library, client }, abortSignal) =>
        client.send(new library.ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 }), { abortSignal }),
      );
    },
  };
}

type Loaded = { readonly library: typeof Library; readonly client: S3Client };

/** Ends what a process that died has sent of an object. Storages that cannot list it forget it by a rule of the bucket, or keep it. */
async function endUploads({ library, client }: Loaded, Bucket: string, Key: string): Promise<void> {
  try {
    const { Uploads = [] } = await client.send(new library.ListMultipartUploadsCommand({ Bucket, Prefix: Key }));
    for (const { Key: named, UploadId } of Uploads)
      if (named === Key) await client.send(new library.AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  } catch (error) {
    if (![403, 404, 405, 501].includes(statusOf(error) ?? 0)) throw failureOf('end of an upload', error);
  }
}

function optionsOf(
  { region, endpoint, pathStyle }: FileStorageAddress,
  { credentials, limitMs = 30_000, tries = 4 }: S3Settings,
): S3ClientConfig {
  return {
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    forcePathStyle: pathStyle,
    ...(credentials === null ? {} : { credentials }),
    maxAttempts: tries,
    // Others than AWS do not know its newer checksums; ours is checked at every reading.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: Math.min(5000, limitMs),
      requestTimeout: limitMs,
      throwOnRequestTimeout: true,
      socketTimeout: limitMs,
    },
  };
}

/** The bytes of an answer; null where there are more than were asked for, which nobody need hold. */
async function bytesOf(body: Readable, most: number, signal: AbortSignal): Promise<Buffer | null> {
  const end = (): void => void body.destroy(new Error('cut off'));
  signal.addEventListener('abort', end, { once: true });
  try {
    const parts: Buffer[] = [];
    // The body of an answer gives Buffers.
    let held = 0;
    for await (const part of body as AsyncIterable<Buffer>) {
      held += part.length;
      // Leaving the loop ends the connection.
      if (held > most) return null;
      parts.push(part);
    }
    return Buffer.concat(parts);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Whether an answer says that there is no such object: a bucket that is not there, or another server's 404, does not. HEAD has no body to say it. */
const isAbsence = (what: string, error: unknown): boolean =>
  statusOf(error) === 404 && nameOf(error) === (what === 'head' ? 'NotFound' : 'NoSuchKey');

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

/** The status of an answer that the client took for an error; undefined: there was none. */
function statusOf(error: unknown): number | undefined {
  const of = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return of instanceof Error && '$metadata' in of
    ? (of.$metadata as { readonly httpStatusCode?: number } | undefined)?.httpStatusCode
    : undefined;
}

/** What the operator has to see to, by the name of the error, or of what the system says. */
const advice: { readonly [name: string]: string } = {
  NoSuchBucket: 'MUNIMENT_FILES_URL names a bucket that is not there',
  PermanentRedirect: 'the bucket of MUNIMENT_FILES_URL is in another region',
  AuthorizationHeaderMalformed: 'the bucket of MUNIMENT_FILES_URL is in another region',
  InvalidAccessKeyId: 'MUNIMENT_FILES_ACCESS_KEY_ID is not known there',
  SignatureDoesNotMatch: 'MUNIMENT_FILES_SECRET_ACCESS_KEY is not the secret of MUNIMENT_FILES_ACCESS_KEY_ID',
  AccessDenied: 'the key of MUNIMENT_FILES_ACCESS_KEY_ID may not do that in the bucket of MUNIMENT_FILES_URL',
  CredentialsProviderError: 'MUNIMENT_FILES_ACCESS_KEY_ID is not set, and this machine has no role',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
  ENOTFOUND: 'the endpoint of MUNIMENT_FILES_URL is not known',
  ECONNREFUSED: 'nobody answers at the endpoint of MUNIMENT_FILES_URL',
};

/** The failure for the client of our API, who learns nothing of the storage; the log does. The error itself stays behind: it has the request in it, with what signs it. */
function failureOf(what: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const words = advice[nameOf(error)] ?? advice[code];
  return fail(
    'unavailable',
    'The storage of files cannot be reached',
    {},
    new Error(`Storage of files, ${what}: ${text.slice(0, 500)}${words === undefined ? '' : ` (${words})`}`),
  );
}

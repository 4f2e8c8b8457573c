// Multipart bodies: fields become parameters, files go to the disk until the reply is sent.
import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
// The plug-in adds request.parts() to Fastify's types.
import type {} from '@fastify/multipart';
import { Failure } from '#domain/errors.ts';
import type { UploadedFile } from './body.ts';
import { gatherForm } from './form.ts';
import type { FormValues } from './form.ts';
import type { Incoming } from './incoming.ts';
import { trouble } from './json-text.ts';
import type { Limits } from './limits.ts';
import { drain, tooLarge } from './bytes.ts';

/** A multipart body as read. `remove` deletes the files; it may be called more than once. */
export type Multipart = {
  readonly fields: FormValues;
  readonly files: readonly UploadedFile[];
  readonly remove: () => Promise<void>;
};

/** Reads a multipart body; files are kept only where `keepsFiles`. Throws `too_large`, `malformed_body` and `unavailable`. */
export async function readMultipart(incoming: Incoming, keepsFiles: boolean): Promise<Multipart> {
  const { raw } = incoming.request;
  const stop = new AbortController();
  const idle = setTimeout(() => {
    // Silence counts only while it is the client that we wait for.
    if (raw.isPaused()) idle.refresh();
    else stop.abort(trouble('the body did not arrive in time'));
  }, incoming.limits.idleMs);
  const refresh = (): void => void idle.refresh();
  raw.on('data', refresh);
  try {
    const stopped = new Promise<never>((_, reject) =>
      stop.signal.addEventListener('abort', () => reject(stop.signal.reason)),
    );
    return await Promise.race([gatherParts(incoming, keepsFiles, stop.signal), stopped]);
  } catch (error) {
    // Stalled or not, what is still read ends here, and its file with it.
    stop.abort(error);
    drain(raw, incoming.limits);
    throw toMultipartFailure(error, incoming.limits);
  } finally {
    clearTimeout(idle);
    raw.off('data', refresh);
  }
}

/** The parts, read until the signal ends it; whatever ends it, no file is left. */
async function gatherParts(
  { request, limits, held }: Incoming,
  keepsFiles: boolean,
  signal: AbortSignal,
): Promise<Multipart> {
  const pairs: (readonly [string, string])[] = [];
  const files: { readonly place: string; readonly file: UploadedFile }[] = [];
  let kept: FileHandle | undefined;
  let fieldBytes = 0;
  let fileBytes = 0;
  const remove = async (): Promise<void> => kept?.close();
  // Sums over all files: the limit is of the upload, not of each file.
  const counter = (): Transform =>
    new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        fileBytes += chunk.length;
        done(fileBytes > limits.uploadBytes ? tooLarge(limits.uploadBytes) : null, chunk);
      },
    });
  try {
    const parts = request.parts({
      limits: {
        fileSize: limits.uploadBytes + 1,
        fieldSize: limits.bodyBytes,
        fields: 10_000,
        parts: 20_000,
        files: 10_000,
      },
    });
    for await (const part of parts) {
      signal.throwIfAborted();
      if (part.type === 'field') {
        const value = typeof part.value === 'string' ? part.value : JSON.stringify(part.value ?? '');
        fieldBytes += value.length;
        if (part.valueTruncated || fieldBytes > limits.bodyBytes) throw tooLarge(limits.bodyBytes);
        held.add(value.length);
        pairs.push([part.fieldname, value]);
      } else if (keepsFiles) {
        const handle = (kept ??= await openNameless());
        const from = fileBytes;
        const append = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
          for await (const chunk of chunks) await handle.appendFile(chunk);
        };
        await pipeline(part.file, counter(), append, { signal });
        const to = fileBytes;
        const [, field = part.fieldname, place = ''] = /^(.*)\[(\d*)\]$/.exec(part.fieldname) ?? [];
        files.push({
          place,
          file: {
            field,
            filename: part.filename,
            mediaType: part.mimetype,
            sizeBytes: to - from,
            open: () => Readable.from(readRange(handle, from, to), { objectMode: false }),
          },
        });
      } else {
        part.file.resume();
      }
    }
    // Files with numbers (`files[0]`) go by those as text (contract trees-and-jobs 3.3), others as they came.
    const inOrder = files
      .toSorted((a, b) => (a.place < b.place ? -1 : Number(a.place > b.place)))
      .map(({ file }) => file);
    return { fields: gatherForm(pairs), files: inOrder, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A file for all that an upload brings, one behind the other. It has no name any more: it is gone with its handle, also where the process is killed. */
async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `muniment-upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  return handle;
}

const readBytes = 64 * 1024;

/** The bytes from `from` up to `to` (not included), wherever the handle stands. */
async function* readRange(handle: FileHandle, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to;) {
    const length = Math.min(readBytes, to - at);
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead === 0) throw new Error('an uploaded file is shorter than what was written');
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function toMultipartFailure(error: unknown, limits: Limits): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  if (/LIMIT|TOO_LARGE/.test(code)) return tooLarge(limits.uploadBytes);
  // A full disk and the like are ours; everything that the parser says is about what the client sent.
  if (/^E[A-Z]+$/.test(code) && code !== 'ECONNRESET') return error;
  return trouble(error.message);
}

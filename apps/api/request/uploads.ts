// Multipart bodies: fields become parameters, files go to a temporary folder until the reply is sent.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
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
export async function readMultipart({ request, limits, held }: Incoming, keepsFiles: boolean): Promise<Multipart> {
  const pairs: (readonly [string, string])[] = [];
  const files: { readonly place: string; readonly file: UploadedFile }[] = [];
  let folder: string | undefined;
  let fieldBytes = 0;
  let fileBytes = 0;
  const remove = async (): Promise<void> => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  // Sums over all files: the limit is of the upload, not of each file.
  const counter = (): Transform =>
    new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        fileBytes += chunk.length;
        done(fileBytes > limits.uploadBytes ? tooLarge(limits.uploadBytes) : null, chunk);
      },
    });
  const idle = setTimeout(() => request.raw.destroy(trouble('the body did not arrive in time')), limits.idleMs);
  const refresh = (): void => void idle.refresh();
  request.raw.on('data', refresh);
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
      if (part.type === 'field') {
        const value = typeof part.value === 'string' ? part.value : JSON.stringify(part.value ?? '');
        fieldBytes += value.length;
        if (part.valueTruncated || fieldBytes > limits.bodyBytes) throw tooLarge(limits.bodyBytes);
        held.add(value.length);
        pairs.push([part.fieldname, value]);
      } else if (keepsFiles) {
        folder ??= await mkdtemp(join(tmpdir(), 'muniment-upload-'));
        const path = join(folder, String(files.length));
        const before = fileBytes;
        await pipeline(part.file, counter(), createWriteStream(path));
        const [, field = part.fieldname, place = ''] = /^(.*)\[(\d*)\]$/.exec(part.fieldname) ?? [];
        files.push({
          place,
          file: {
            field,
            filename: part.filename,
            mediaType: part.mimetype,
            sizeBytes: fileBytes - before,
            open: () => createReadStream(path),
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
    drain(request.raw, limits);
    throw toMultipartFailure(error, limits);
  } finally {
    clearTimeout(idle);
    request.raw.off('data', refresh);
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

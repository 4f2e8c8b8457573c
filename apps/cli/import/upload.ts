// Files on their way to the server: streamed from disk with a count of the bytes, alone or as part of a form.
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { Sending } from '../client.ts';
import type { ImportFile } from './files.ts';

type Body = NonNullable<Sending['body']>;

/** The file as the whole body. `onBytes` hears how many bytes have gone. */
export function fileBody(file: ImportFile, contentType: string, onBytes: (sent: number) => void): Body {
  return { contentType, bytes: () => ReadableStream.from(counted(file, onBytes)) };
}

/** The files under `files[]` of a form, after the given fields. `onBytes` hears how many bytes of all have gone. */
export function formBody(
  fields: { readonly [name: string]: string },
  files: readonly ImportFile[],
  onBytes: (sent: number) => void,
): Body {
  const boundary = `muniment-${randomUUID()}`;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const head = Object.entries(fields)
      .map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('');
    yield Buffer.from(head);
    let before = 0;
    for (const file of files) {
      // As browsers write names of files: quotes and line breaks in percent form.
      const fileName = basename(file.name).replace(/["\r\n]/g, encodeURIComponent);
      yield Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="files[]"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
      );
      const already = before;
      yield* counted(file, (sent) => onBytes(already + sent));
      before += file.sizeBytes;
      yield Buffer.from('\r\n');
    }
    yield Buffer.from(`--${boundary}--\r\n`);
  }
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes: () => ReadableStream.from(bytes()) };
}

async function* counted(file: ImportFile, onBytes: (sent: number) => void): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of createReadStream(file.path, { highWaterMark: 262_144 })) {
    // A read stream without an encoding gives buffers.
    const piece = chunk as Buffer;
    sent += piece.byteLength;
    yield piece;
    onBytes(sent);
  }
}

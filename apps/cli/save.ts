// Documents of the service on their way to a file or to standard output, piece by piece.
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readPieces } from './client.ts';
import type { Call } from './environment.ts';
import { CliFailure } from './failure.ts';

/**
 * Writes the body of a reply to a file, which appears when all of it is there; gives its path and its bytes. A link keeps leading to its file,
 * and what is no file (a pipe, /dev/stdout) is written to and not replaced: renamed over, the device itself would be gone.
 */
export async function saveAs(
  { client, environment }: Call,
  response: Response,
  file: string,
): Promise<{ readonly path: string; readonly bytes: number }> {
  const path = resolve(environment.cwd, file);
  const there = await stat(path).catch(() => null);
  if (there?.isDirectory() === true) throw new CliFailure(`${path} cannot be used: it is a folder.`);
  const isWrittenInto = there !== null && !there.isFile();
  const target = there === null || isWrittenInto ? path : await realpath(path);
  // Of its own: two at once would write into each other's, and a file of the user's may have a name like it.
  const part = isWrittenInto ? path : `${target}.${randomBytes(4).toString('hex')}.part`;
  const stream = createWriteStream(part);
  try {
    await pipeline(readPieces(response, client.url, environment.signal), stream);
    if (!isWrittenInto) await rename(part, target);
  } catch (error) {
    if (!isWrittenInto) await rm(part, { force: true });
    throw error;
  }
  return { path, bytes: stream.bytesWritten };
}

/** Writes the body of a reply to standard output. */
export async function print({ client, environment }: Call, response: Response): Promise<void> {
  const { stdout } = environment.streams;
  await pipeline(readPieces(response, client.url, environment.signal), stdout, { end: false });
}

/** The name that a reply gives its file, without any folders; null where it gives none. */
export function fileNameOf(response: Response): string | null {
  const told = response.headers.get('content-disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(told)?.[1];
  const plain = /filename="([^"]*)"/i.exec(told)?.[1];
  const name = basename((encoded === undefined ? undefined : decoded(encoded)) ?? plain ?? '').replace(
    /[\u0000-\u001f\\]/g,
    '_',
  );
  return name === '' || name === '.' || name === '..' ? null : name;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // Not as RFC 8187 writes it: the plain name counts.
  }
}

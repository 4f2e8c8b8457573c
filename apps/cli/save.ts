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
 * Writes the body of a reply to a file, which appears when all of it is there; gives its path and its bytes.
 */
export async function saveAs(
  { client, environment }: Call,
  response: Response,
  file: string,
): Promise<{ readonly path: string; readonly bytes: number }> {
  const path = resolve(environment.cwd, file);
  const place = await placeOf(path);
  const stream = createWriteStream(place.part);
  try {
    await pipeline(readPieces(response, client.url, environment.signal), stream);
    await place.keep();
  } finally {
    await place.drop();
  }
  return { path, bytes: stream.bytesWritten };
}

/** Where a file is written that is to appear as a whole: into `part`, which `keep` makes the file, and `drop` removes where that did not come to be. */
export type Place = {
  readonly part: string;
  readonly keep: () => Promise<void>;
  readonly drop: () => Promise<void>;
};

/**
 * The place of a file. A link keeps leading to its file, and what is no file (a pipe, /dev/stdout) is written to and not replaced: renamed over,
 * the device itself would be gone.
 */
export async function placeOf(path: string): Promise<Place> {
  const there = await stat(path).catch(() => null);
  if (there?.isDirectory() === true) throw new CliFailure(`${path} cannot be used: it is a folder.`);
  const nothing = async (): Promise<void> => undefined;
  if (there !== null && !there.isFile()) return { part: path, keep: nothing, drop: nothing };
  const target = there === null ? path : await realpath(path);
  // Of its own: two at once would write into each other's, and a file of the user's may have a name like it.
  const part = `${target}.${randomBytes(4).toString('hex')}.part`;
  return { part, keep: () => rename(part, target), drop: () => rm(part, { force: true }) };
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

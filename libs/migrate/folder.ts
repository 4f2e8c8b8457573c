// The folder of what was read: a file of lines for each kind, and a manifest (docs/guides/migrating.md). Whatever is killed while it writes leaves at
// most half a line at the end of a file, which the next run cuts off.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, readdir, rename, stat, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { MigrationFailure, WrongFolder } from './failures.ts';
import type { Release } from './source.ts';

/** What a folder says of itself: where it comes from and how far it is. Times are ISO 8601; `since` is in epoch seconds. */
export type Manifest = {
  readonly format: 1;
  readonly source: { readonly url: string; readonly release: Release; readonly version: string };
  readonly started: string;
  readonly finished: string | null;
  readonly since: number | null;
  /** While the folder is brought up to date: when that began. */
  readonly updating?: string;
  /** The address of the service that it was loaded into last; what was read since then is in the folder `changes`. */
  readonly loaded?: string;
  /** A load that was sent, and whose end no run saw yet: its service, its mark there, and whether it is one of changes. */
  readonly sending?: { readonly service: string; readonly mark: string; readonly update: boolean };
  /** Lists that the last update could not read, or the delete feed that nobody could, and from when on what has changed in them is not known; all others: from `started`. */
  readonly behind?: { readonly [list: string]: string };
  readonly files: { readonly [file: string]: { readonly records: number; readonly complete: boolean } };
};

const manifestFile = 'manifest.json';
/** What a manifest is written as before it has its name: of a folder whose first one was cut off, by a kill or a full disk, it is all there is. */
const unnamedManifest = `${manifestFile}.new`;

/** In a folder that is read into by the command line: who does, and that nobody else may. */
export const heldFile = '.muniment-migrate.lock';

/** Below a folder that was loaded: what has changed since, in files of the same names. The last of several lines of an address counts. */
export const changesFolder = 'changes';

/** The name of the folder of a source among those of others: readable, and of this address alone. */
export function folderOfSource(url: string): string {
  const digest = createHash('sha256').update(url).digest('hex').slice(0, 12);
  return `${new URL(url).hostname.replace(/[^\w.-]/g, '_')}-${digest}`;
}

/** The path of a file of lines. */
export const linesFile = (folder: string, file: string): string => join(folder, `${file}.ndjson`);

/** The manifest, or null where the folder has none: it does not exist, or is empty. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch(missing);
  if (text === null) {
    const names = await readdir(folder).catch(missing);
    if (names?.some((name) => name !== heldFile && name !== unnamedManifest) === true)
      throw new WrongFolder(`${folder} holds files, but no ${manifestFile}: give another folder.`);
    return null;
  }
  const manifest: unknown = JSON.parse(text);
  if (!isObject(manifest) || manifest['format'] !== 1 || !isObject(manifest['source']) || !isObject(manifest['files']))
    throw new MigrationFailure(`${join(folder, manifestFile)} is no manifest of format 1.`);
  // Its shape is that of the format, which is all that writes it.
  return manifest as unknown as Manifest;
}

/** Writes the manifest, as a whole or not at all; makes the folder where there is none. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await mkdir(folder, { recursive: true });
  const beside = join(folder, unnamedManifest);
  await writeFile(beside, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
  await rename(beside, join(folder, manifestFile));
}

/** A line of a file: its bytes without the line end, and where they begin. */
export type Line = { readonly bytes: Buffer; readonly at: number };

/** The complete lines of a file, in order; none where there is no file. A line at the end that was not ended is left out. */
export async function* readLines(path: string): AsyncGenerator<Line> {
  if ((await stat(path).catch(missing)) === null) return;
  let rest: Buffer[] = [];
  let at = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 })) {
    const piece: Buffer = chunk;
    let from = 0;
    for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, from)) {
      const bytes = Buffer.concat([...rest, piece.subarray(from, end)]);
      rest = [];
      if (bytes.length > 0) yield { bytes, at };
      at += bytes.length + 1;
      from = end + 1;
    }
    if (from < piece.length) rest.push(piece.subarray(from));
  }
}

/** The records of a file, in order. */
export async function* readRecords(path: string): AsyncGenerator<JsonObject> {
  for await (const { bytes, at } of readLines(path)) yield recordOf(bytes, path, at);
}

/** The record of a line. Throws a MigrationFailure that names the place where it is none. */
export function recordOf(bytes: Buffer, path: string, at: number): JsonObject {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  throw new MigrationFailure(`${path}: the line at byte ${at} is no record.`);
}

const lineEnd = Buffer.from('\n');

/** A file that lines are appended to. */
export class LinesWriter {
  readonly #file: FileHandle;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Opens a file, and cuts off what stands after `end` bytes: half a line. */
  static async open(path: string, end: number): Promise<LinesWriter> {
    const file = await open(path, 'a');
    await file.truncate(end);
    return new LinesWriter(file);
  }

  /** Appends records, a line each. */
  async write(records: readonly unknown[]): Promise<void> {
    if (records.length > 0)
      await this.#file.appendFile(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }

  /** Appends lines as they are. */
  async writeLines(lines: readonly Buffer[]): Promise<void> {
    if (lines.length > 0) await this.#file.appendFile(Buffer.concat(lines.flatMap((line) => [line, lineEnd])));
  }

  /** Ends it, when all is on the disk. */
  async close(): Promise<void> {
    await this.#file.datasync();
    await this.#file.close();
  }
}

/** Null for what does not exist. */
function missing(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}

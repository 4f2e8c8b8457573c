// The lines of a folder as a load takes them: all that was read, or what has changed since the folder was loaded.
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable, pipeline } from 'node:stream';
import { constants, createGunzip, createGzip } from 'node:zlib';
import { MigrationFailure, WrongFolder } from './failures.ts';
import { changesFolder, linesFile, readRecords } from './folder.ts';
import { deletedFile } from './read-into.ts';
import { uriOf } from './reading.ts';
import { sortedRecords } from './sorted-records.ts';
import { UriSet } from './uri-set.ts';

// What tells of the reading, and history that nobody loads.
const notRecords = /^(problems|jobs)\.ndjson(\.gz)?$/;

/** What there is to load of a folder: how many files, their bytes as they stand, and their lines, in pieces; each call reads them anew. */
export type LoadedLines = {
  readonly files: number;
  readonly bytes: number;
  /** `onBytes` hears how many bytes of the files were read so far. */
  readonly lines: (onBytes?: (read: number) => void) => AsyncGenerator<Uint8Array>;
};

/** All lines of a folder, or with `isUpdate` what has changed since it was loaded. Throws a WrongFolder where there is none. */
export async function linesToLoad(folder: string, isUpdate: boolean): Promise<LoadedLines> {
  const files = await listRecordFiles(isUpdate ? join(folder, changesFolder) : folder);
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return {
    files: files.length,
    bytes: sizes.reduce((sum, each) => sum + each, 0),
    lines: (onBytes) =>
      isUpdate ? changedLines(join(folder, changesFolder)) : wholeLines(files, onBytes ?? (() => undefined)),
  };
}

/** Lines packed with gzip, at the least effort: what goes over the network and is kept as the upload is a tenth then, for a few microseconds a record. */
export function packed(lines: AsyncGenerator<Uint8Array>): Readable {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  // An error of the lines ends the stream with it, which whoever reads it hears.
  return pipeline(Readable.from(lines, { objectMode: false }), gzip, () => undefined);
}

async function listRecordFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder).catch(() => {
    if (basename(folder) === changesFolder) return [];
    throw new WrongFolder(`${folder} is no folder that can be read.`);
  });
  const files = entries.filter((entry) => /\.ndjson(\.gz)?$/.test(entry) && !notRecords.test(entry)).toSorted();
  return files.map((file) => join(folder, file));
}

/** The lines of what has changed: of each record the last one, unless the source has deleted it. */
async function* changedLines(folder: string): AsyncGenerator<Uint8Array> {
  const gone = new UriSet();
  for await (const record of readRecords(linesFile(folder, deletedFile))) gone.add(uriOf(record));
  for (const path of await listRecordFiles(folder))
    for await (const record of sortedRecords(path))
      if (path === linesFile(folder, deletedFile) || !gone.has(uriOf(record)))
        yield Buffer.from(`${JSON.stringify(record)}\n`);
}

const lineFeed = 0x0a;

/** The whole lines of the files, one file after the other; half a line at the end of a file is left out. */
async function* wholeLines(files: readonly string[], onBytes: (sent: number) => void): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for (const file of files) {
    const raw = createReadStream(file, { highWaterMark: 262_144 });
    // Either stream gives buffers, and ends with the other: with its error, and when nobody reads on.
    const bytes: AsyncIterable<Buffer> = file.endsWith('.gz') ? pipeline(raw, createGunzip(), () => undefined) : raw;
    let rest: Buffer[] = [];
    try {
      for await (const piece of bytes) {
        const end = piece.lastIndexOf(lineFeed);
        if (end === -1) {
          rest.push(piece);
          continue;
        }
        yield Buffer.concat([...rest, piece.subarray(0, end + 1)]);
        rest = [piece.subarray(end + 1)];
        onBytes(sent + raw.bytesRead);
      }
    } catch (error) {
      const says = error instanceof Error ? error.message : String(error);
      throw new MigrationFailure(`${file} cannot be read: ${says}.`, { cause: error });
    }
    sent += raw.bytesRead;
  }
}

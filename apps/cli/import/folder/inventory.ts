// What a folder holds: each file with its import type, as its beginning tells, and the digest by which a changed one is known.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileType } from '#domain/formats/file-type.ts';
import { usage } from '../../failure.ts';
import type { ImportFile } from '../files.ts';
import { readStart } from '../files.ts';

/** A file that can be imported. `name` is its path below the folder, with `/`. */
export type FolderFile = ImportFile & { readonly type: string; readonly sha256: string };

/** A file that is not imported. `isWanted`: it looks like one that should have been. */
export type PassedOver = { readonly file: string; readonly why: string; readonly isWanted: boolean };

/** A folder, sorted by name. */
export type Inventory = { readonly files: readonly FolderFile[]; readonly passedOver: readonly PassedOver[] };

const wantedNames = /\.(xml|csv|mrc|marc|json)$/i;

/** Reads a folder and those below it; hidden files and folders are left out, and so are the files named in `except` (whole paths). */
export async function takeInventory(
  folder: string,
  except: ReadonlySet<string>,
  onFile: (done: number) => void,
): Promise<Inventory> {
  const about = await stat(folder).catch(() => null);
  if (about?.isDirectory() !== true) throw usage(`${folder} is no folder that can be read.`);
  const files: FolderFile[] = [];
  const passedOver: PassedOver[] = [];
  for (const path of await pathsBelow(folder)) {
    if (except.has(path)) continue;
    const name = relative(folder, path).split(sep).join('/');
    const start = await readStart(path);
    const type = fileType(start, name);
    if (type === null || type === 'json') {
      const isWanted = wantedNames.test(name);
      passedOver.push({ file: name, why: whyNot(type, start, isWanted), isWanted });
      continue;
    }
    files.push({ name, path, type, sizeBytes: (await stat(path)).size, sha256: await digestOf(path) });
    onFile(files.length);
  }
  return { files, passedOver };
}

async function pathsBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) =>
        !relative(folder, path)
          .split(sep)
          .some((part) => part.startsWith('.')),
    )
    .toSorted();
}

function whyNot(type: string | null, start: Uint8Array, isWanted: boolean): string {
  if (type === 'json') return 'an array of records: import it by itself';
  if (start.length === 0) return 'empty';
  // The leader of ISO 2709: length, status, type.
  if (/^\d{5}[acdnp][a-z]/.test(Buffer.from(start.subarray(0, 24)).toString('latin1')))
    return 'MARC 21 in its binary form: turn it into MARCXML';
  return isWanted
    ? 'its beginning does not tell what it is: import it by itself with --type'
    : 'no format of the service';
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  // A read stream without an encoding gives buffers.
  for await (const piece of createReadStream(path, { highWaterMark: 262_144 })) hash.update(piece as Buffer);
  return hash.digest('hex');
}

// What a folder holds: each file with its import type, as its beginning tells, and the digest by which a changed one is known.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileType } from '#domain/formats/file-type.ts';
import { usage } from '../../failure.ts';
import type { ImportFile } from '../files.ts';
import { isHiddenBelow, readStart } from '../files.ts';

/** A file that can be imported. `name` is its path below the folder, with `/`. */
export type FolderFile = ImportFile & { readonly type: string; readonly sha256: string };

/** A file that is not imported. `isWanted`: it looks like one that should have been. */
export type PassedOver = { readonly file: string; readonly why: string; readonly isWanted: boolean };

/** A folder, sorted by name. */
export type Inventory = { readonly files: readonly FolderFile[]; readonly passedOver: readonly PassedOver[] };

const wantedNames = /\.(xml|csv|mrc|marc|json)$/i;

/** Reads a folder and those below it; hidden files and folders are left out, links are passed over, and left out are the files named in `except` (whole paths). */
export async function takeInventory(
  folder: string,
  except: ReadonlySet<string>,
  onFile: (done: number) => void,
): Promise<Inventory> {
  const about = await stat(folder).catch(() => null);
  if (about?.isDirectory() !== true) throw usage(`${folder} is no folder that can be read.`);
  const files: FolderFile[] = [];
  const passedOver: PassedOver[] = [];
  for (const { path, isLink } of await entriesBelow(folder)) {
    if (except.has(path)) continue;
    const name = relative(folder, path).split(sep).join('/');
    if (isLink) {
      // One that leads to a folder may lead back here.
      passedOver.push({ file: name, why: 'a link: import what it leads to', isWanted: wantedNames.test(name) });
      continue;
    }
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

/** The files, and the links, which are told as passed over. */
async function entriesBelow(folder: string): Promise<readonly { readonly path: string; readonly isLink: boolean }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => ({ path: join(entry.parentPath, entry.name), isLink: entry.isSymbolicLink() }))
    .filter(({ path }) => !isHiddenBelow(folder, path))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
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

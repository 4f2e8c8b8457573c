// The folder of real public finding aids and authority records that tests use where it is present (it is not in the repository):
// `shared/realdata` beside the project, or MUNIMENT_REAL_DATA. Reads the archives in memory; writes nothing.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A file of an archive. */
export type ArchiveFile = { readonly name: string; readonly bytes: Uint8Array };

/** A line of MANIFEST.tsv, by column name. */
export type ManifestRow = Readonly<Record<string, string>>;

/** The folder, or undefined (with a warning that says so) where it is absent. */
export function realDataFolder(): string | undefined {
  const folder = process.env['MUNIMENT_REAL_DATA'] ?? resolve(import.meta.dirname, '../../../shared/realdata');
  if (existsSync(resolve(folder, 'MANIFEST.tsv'))) return folder;
  console.warn(`SKIPPED: no real data at ${folder}; set MUNIMENT_REAL_DATA to the folder that holds MANIFEST.tsv.`);
  return undefined;
}

/** The files of a .tar.gz in the folder, in archive order, names without their folder. */
export function readArchive(folder: string, name: string): readonly ArchiveFile[] {
  return untar(gunzipSync(readFileSync(resolve(folder, name))));
}

/** The rows of MANIFEST.tsv of one kind (`ead`, `marcxml`, `eac`). */
export function readManifest(folder: string, kind: string): readonly ManifestRow[] {
  const [header = '', ...lines] = readFileSync(resolve(folder, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n');
  const columns = header.split('\t');
  return lines
    .map((line) => line.split('\t'))
    .map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])))
    .filter((row) => row['kind'] === kind);
}

/** Bytes as a stream of chunks, as an upload gives them. */
export async function* inChunks(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

/** Regular files of a ustar archive: 512-byte headers, name at 0, octal size at 124, type at 156. */
function untar(archive: Uint8Array): readonly ArchiveFile[] {
  const files: ArchiveFile[] = [];
  const text = (from: number, length: number): string =>
    Buffer.from(archive.subarray(from, from + length))
      .toString('utf8')
      .replace(/\0.*$/s, '');
  for (let at = 0; at + 512 <= archive.length;) {
    const size = Number.parseInt(text(at + 124, 12).trim() || '0', 8);
    const type = text(at + 156, 1);
    const name = text(at, 100).split('/').at(-1) ?? '';
    if ((type === '0' || type === '') && name !== '')
      files.push({ name, bytes: archive.subarray(at + 512, at + 512 + size) });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

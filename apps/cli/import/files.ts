// Which files an import is given, and what is in each of them: told by their beginnings, not by their names alone.
import { open, readdir, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { fileType } from '#domain/formats/file-type.ts';
import { beginningBytes } from '#domain/formats/reading/beginning.ts';
import { CliFailure, usage } from '../failure.ts';

/** A file to import. `name` is how it was called on the command line. */
export type ImportFile = { readonly name: string; readonly path: string; readonly sizeBytes: number };

/** The files of the arguments in order; a folder stands for what can be imported below it, sorted by name. Fails as wrong use where one is missing. */
export async function listFiles(
  given: readonly string[],
  cwd: string,
  type: string | undefined,
): Promise<readonly ImportFile[]> {
  const wanted =
    type?.endsWith('_csv') === true
      ? /\.csv$/i
      : type === undefined
        ? /\.(xml|json)$/i
        : type === 'json'
          ? /\.json$/i
          : /\.xml$/i;
  const found: ImportFile[] = [];
  for (const name of given) {
    const path = resolve(cwd, name);
    const about = await stat(path).catch((error: unknown) => {
      throw usage(
        `${name} cannot be read: ${error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'there is no such file' : String(error)}.`,
      );
    });
    if (about.isDirectory()) {
      const below = await filesBelow(name, path, wanted);
      if (below.length === 0)
        throw usage(`${name} holds no files that can be imported (${wanted.source.replace(/[\\$()]/g, '')}).`);
      found.push(...below);
    } else if (about.isFile()) found.push({ name, path, sizeBytes: about.size });
    else throw usage(`${name} is neither a file nor a folder.`);
  }
  return found;
}

async function filesBelow(name: string, path: string, wanted: RegExp): Promise<readonly ImportFile[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && wanted.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !isHiddenBelow(path, file))
    .sort();
  return Promise.all(
    paths.map(async (file) => ({
      name: join(name, file.slice(path.length + 1)),
      path: file,
      sizeBytes: (await stat(file)).size,
    })),
  );
}

/** Whether a file, or a folder that it is in below the given one, is hidden: `.git`, a wastebasket, snapshots of a file server. */
export const isHiddenBelow = (folder: string, path: string): boolean =>
  relative(folder, path)
    .split(sep)
    .some((part) => part.startsWith('.'));

/** The import type of a file by its beginning. Fails where nothing tells. */
export async function detectType(file: ImportFile): Promise<string> {
  const type = fileType(await readStart(file.path), file.name);
  if (type === null) throw new CliFailure(`${file.name}: its beginning does not tell what it is; name it with --type.`);
  return type;
}

/** The first bytes of a file, as many as tell what it is. */
export async function readStart(path: string): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

// Which files an import is given, and what is in each of them: told by their beginnings, not by their names alone.
import { open, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CliFailure, usage } from '../failure.ts';

/** A file to import. `name` is how it was called on the command line. */
export type ImportFile = { readonly name: string; readonly path: string; readonly sizeBytes: number };

const beginningBytes = 65_536;

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
  const entries = (await readdir(path, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && wanted.test(entry.name) && !entry.name.startsWith('.'),
  );
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Promise.all(
    paths.map(async (file) => ({
      name: join(name, file.slice(path.length + 1)),
      path: file,
      sizeBytes: (await stat(file)).size,
    })),
  );
}

/** The import type of a file by its beginning. Fails where nothing tells. */
export async function detectType(file: ImportFile): Promise<string> {
  const handle = await open(file.path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0);
    const type = sniff(buffer.subarray(0, bytesRead), file.name);
    if (type === null)
      throw new CliFailure(`${file.name}: its beginning does not tell what it is; name it with --type.`);
    return type;
  } finally {
    await handle.close();
  }
}

/** What the beginning of a file is: 'json', an import type, or null where that cannot be told. */
export function sniff(beginning: Uint8Array, name: string): string | null {
  const isUtf16 = (beginning[0] === 0xff && beginning[1] === 0xfe) || (beginning[0] === 0xfe && beginning[1] === 0xff);
  const text = new TextDecoder(isUtf16 ? (beginning[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8')
    .decode(beginning)
    .trimStart();
  if (text.startsWith('[')) return 'json';
  if (!text.startsWith('<')) return null;
  // Declaration, comments and document type come before the root element.
  const bare = text.replace(/<\?[\s\S]*?\?>|<!--[\s\S]*?-->/g, '').replace(/<!DOCTYPE[^[>]*(\[[\s\S]*?\]\s*)?>/i, '');
  const root = /<(?:[\w.-]+:)?([\w.-]+)/.exec(bare)?.[1]?.toLowerCase();
  if (root === 'ead') return 'ead_xml';
  if (root === 'eac-cpf') return 'eac_xml';
  if ((root === 'collection' || root === 'record') && /loc\.gov\/MARC21\/slim/i.test(bare)) {
    // Type of record z, position 6 of the leader: authority data.
    return /<(?:[\w.-]+:)?leader[^>]*>.{6}z/.test(bare) ? 'marcxml_auth_agent' : 'marcxml';
  }
  return /\.xml$/i.test(name) && root === undefined ? 'ead_xml' : null;
}

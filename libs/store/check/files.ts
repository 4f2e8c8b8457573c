// Whether every file that is kept outside of the database has its object, and every object its file.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { column } from '../connection/columns.ts';
import type { Database } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';
import type { FileStorage } from '../files/storage.ts';
import { readBlob } from '../files/blobs.ts';
import type { Violation } from './invariant.ts';
import { mostExamples } from './invariant.ts';

const Kept = z.strictObject({
  id: column.text,
  key: column.text,
  storage: column.text,
  sizeBytes: column.int,
  sha256: column.text,
});
type Kept = z.infer<typeof Kept>;

/** What is found: broken files, and how many objects of the storage the database knows nothing of, such as those that came after a backup. */
export type FileCheck = { readonly violations: readonly Violation[]; readonly unknownObjects: number };

/** Places that are collected for a violation. */
class Found {
  #count = 0;
  readonly #examples: string[] = [];
  add(example: string): void {
    this.#count += 1;
    if (this.#examples.length < mostExamples) this.#examples.push(example);
  }
  as(says: string): readonly Violation[] {
    return this.#count === 0 ? [] : [{ says, count: this.#count, examples: this.#examples }];
  }
}

const atOnce = 8;

/**
 * Asks the storage for every file that is kept there; `reads`: reads each of them and compares its digest. `storage` null: there is none, so that
 * files outside are broken. It may run beside a service at work.
 */
export async function checkFiles(database: Database, storage: FileStorage | null, reads: boolean): Promise<FileCheck> {
  const missing = new Found();
  const otherwise = new Found();
  const unreachable = new Found();
  // Listed first: whatever was listed then has been written down before.
  const unknownObjects = storage === null ? 0 : await countUnknown(database, storage);
  const look = async (file: Kept): Promise<void> => {
    const example = `${file.id} (${file.key}, written to ${file.storage})`;
    if (storage === null) return unreachable.add(example);
    const size = await storage.sizeOf(file.key);
    if (size !== null && size === file.sizeBytes && (!reads || (await digestOf(database, file)) === file.sha256))
      return;
    // Removed, or moved, meanwhile.
    if (!(await isKept(database, file))) return;
    (size === null ? missing : otherwise).add(example);
  };
  for (let after = ''; ;) {
    const files: readonly Kept[] = await database.reader.any(sql.type(Kept)`
      SELECT b.id, o.key, o.storage, b.size_bytes AS "sizeBytes", encode(b.sha256, 'hex') AS sha256
      FROM blob b JOIN stored_object o ON o.key = b.object_key WHERE o.key > ${after} ORDER BY o.key LIMIT 1000`);
    for (let n = 0; n < files.length; n += atOnce) await Promise.all(files.slice(n, n + atOnce).map(look));
    const last = files.at(-1);
    if (last === undefined) break;
    after = last.key;
  }
  return {
    violations: [
      ...unreachable.as('files outside of the database, and MUNIMENT_FILES_URL is not set'),
      ...missing.as('files whose object is not in the storage'),
      ...otherwise.as('files whose object is not what was stored'),
    ],
    unknownObjects,
  };
}

async function digestOf(database: Database, { id }: Kept): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const piece of readBlob(database, id)) hash.update(piece);
    return hash.digest('hex');
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['file_damaged', 'not_found'].includes(String(error.code)))
      return null;
    throw error;
  }
}

const isKept = async (database: Database, { id, key }: Kept): Promise<boolean> =>
  (
    await database.reader.any(
      sql.type(z.strictObject({ id: column.text }))`SELECT id FROM blob WHERE id = ${id} AND object_key = ${key}`,
    )
  ).length === 1;

async function countUnknown(database: Database, storage: FileStorage): Promise<number> {
  let unknown = 0;
  for await (const keys of storage.list()) {
    const { n } = await database.reader.one(sql.type(z.strictObject({ n: column.int }))`
      SELECT count(*) AS n FROM unnest(${sql.array(keys, 'text')}) AS u (key) WHERE NOT EXISTS (SELECT FROM stored_object o WHERE o.key = u.key)`);
    unknown += n;
  }
  return unknown;
}

// Space on the disk of the database, where that is a disk of this machine: PostgreSQL ends where its log finds none, and then nobody reads or
// writes until somebody makes some. What writes much asks first, and stops while there is a reserve for what others write.
import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** The disk space of a database. */
export type DiskSpace = {
  /** Fails with `disk_full` where fewer bytes are free than these and the reserve. Nothing where the disk is not ours to look at. */
  require(bytes?: number): Promise<void>;
};

// What a batch of records takes for each byte of its upload: rows and indexes, and the log until it is used again.
const importFactor = 3.25;

/** The bytes that importing a stored upload takes. */
export const spaceOfImport = (uploadBytes: number): number => importFactor * uploadBytes;

/** The same, for an upload that is still to be stored. */
export const spaceOfUpload = (bytes: number): number => bytes + spaceOfImport(bytes);

/** The disk space of the database behind a connection. `reserveBytes` 0: never fails. */
export async function openDiskSpace(reader: Reader, reserveBytes: number): Promise<DiskSpace> {
  const folder = reserveBytes === 0 ? null : await ownFolder(reader);
  return {
    require: async (bytes = 0) => {
      if (folder === null) return;
      const free = await freeBytesOf(folder);
      if (free >= bytes + reserveBytes) return;
      throw fail(
        'disk_full',
        `The disk of the database has ${megabytes(free)} left. ${bytes === 0 ? '' : `This needs some ${megabytes(bytes)}, and `}${megabytes(reserveBytes)} are kept for other work.`,
      );
    },
  };
}

/** The bytes that are free on the disk of the database, or on that of its log where that has less; null where it is no disk of this machine. */
export async function readFreeBytes(reader: Reader): Promise<number | null> {
  const folder = await ownFolder(reader);
  return folder === null ? null : freeBytesOf(folder);
}

/** Of a server's folder; its log may be on a disk of its own. */
async function freeBytesOf(folder: string): Promise<number> {
  return Math.min(...(await Promise.all([folder, join(folder, 'pg_wal')].map(freeBytes))));
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

const Server = z.strictObject({ folder: column.text, port: column.int, started: column.int });
type Server = z.infer<typeof Server>;

/** Where the server keeps its data, if this process sees that folder and it is that server's; null otherwise, also where the user may not know. */
async function ownFolder(reader: Reader): Promise<string | null> {
  const server = await reader.maybeOne(sql.type(Server)`
    SELECT f.setting AS folder, current_setting('port')::int AS port, extract(epoch FROM pg_postmaster_start_time())::bigint AS started
    FROM pg_settings f WHERE f.name = 'data_directory' AND f.setting <> ''`);
  if (server === null) return null;
  // Another machine may have a folder of the same name. Lines of the file: process, folder, start, port.
  const [, , started, port] = (await readFile(join(server.folder, 'postmaster.pid'), 'utf8').catch(() => ''))
    .split('\n')
    .map(Number);
  const isOurs = port === server.port && Math.abs((started ?? 0) - server.started) < 60;
  return isOurs ? server.folder : null;
}

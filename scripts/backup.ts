// `npm run backup -- <file>`: everything that the service keeps, as one file, while it runs. Reads the database that the configuration
// names: DATABASE_URL, or the embedded server of MUNIMENT_DATA_DIR, which is started for the time where the service does not run.
import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { writeBackup } from '#store/backup/backup.ts';
import { Database } from '#store/connection/database.ts';
import { noteBackup } from '#store/doctor/work.ts';
import { startEmbedded } from '#store/embedded/server.ts';
import { wordsOfOutside } from './files-outside.ts';
import { endOfFailed, interrupted } from './end-of-failed.ts';
import { callersFolder } from '../apps/cli/callers-folder.ts';
import { readServiceConfig } from '../apps/service-config.ts';

const [given, ...others] = process.argv.slice(2);
if (given === undefined || given.startsWith('-') || others.length > 0) {
  process.stderr.write('Usage: npm run backup -- <file>\n');
  process.exit(2);
}
const file = resolve(callersFolder('backup'), given);
// Under its name only when it is whole; each run writes a part of its own, or two at once would write into each other's.
const part = `${file}.part-${randomBytes(4).toString('hex')}`;
// One that is written to has a younger time, wherever its process may run.
const abandonedMs = 3_600_000;
const signal = interrupted();
try {
  const config = readServiceConfig(process.env);
  const external = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  const embedded =
    external === undefined
      ? await startEmbedded({
          dataDir: config.MUNIMENT_DATA_DIR,
          mustExist: true,
          isCommand: true,
          log: () => undefined,
        })
      : null;
  try {
    signal.throwIfAborted();
    const url = external ?? embedded?.url ?? '';
    await removeRemains(file);
    // Opened by itself: the stream would tell of a wrong name before anything listens to it.
    const target = (await open(part, 'w', 0o600)).createWriteStream({ flush: true });
    const { at, tables, rows, outside } = await writeBackup(url, target, signal);
    await rename(part, file);
    const { size } = await stat(file);
    process.stdout.write(`${file}: ${rows} rows of ${tables} tables as of ${at}, ${size} bytes\n`);
    process.stdout.write(wordsOfOutside(outside, 'Back them up where they are, after this.'));
    await note(url, at, size);
  } finally {
    // Stops nothing that the service started.
    await embedded?.stop();
  }
} catch (error) {
  await rm(part, { force: true });
  endOfFailed('No backup was made', error, signal);
}

/** Removes what runs left that were killed. */
async function removeRemains(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    if (/^(.+)\.part-[0-9a-f]{8}$/.exec(name)?.[1] !== basename(path)) continue;
    const found = await stat(join(folder, name)).catch(() => null);
    if (found !== null && found.mtimeMs < Date.now() - abandonedMs) await rm(join(folder, name), { force: true });
  }
}

/** Notes the backup for `muniment doctor`. It is made, whether or not that can be noted, such as on a replica that takes no writes. */
async function note(url: string, at: string, size: number): Promise<void> {
  await using database = new Database({ url, poolSize: 1, applicationName: 'muniment backup' });
  await noteBackup(database, at, size).catch((error: unknown) => {
    process.stderr.write(`The backup could not be noted: ${error instanceof Error ? error.message : String(error)}\n`);
  });
}

// `npm run restore -- <file>`: fills the database that the configuration names with a backup. It must be empty: a new MUNIMENT_DATA_DIR,
// or a new database under DATABASE_URL. Start the service afterwards.
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { kinds } from '#domain/kinds/index.ts';
import { startEmbedded } from '#store/embedded/server.ts';
import { restoreBackup, RestoreUnfinished } from '#store/backup/restore.ts';
import { wordsOfOutside } from './files-outside.ts';
import { endOfFailed, interrupted } from './end-of-failed.ts';
import { callersFolder } from '../apps/cli/callers-folder.ts';
import { readServiceConfig } from '../apps/service-config.ts';

const [given, ...others] = process.argv.slice(2);
if (given === undefined || given.startsWith('-') || others.length > 0) {
  process.stderr.write('Usage: npm run restore -- <file>\n');
  process.exit(2);
}
const file = resolve(callersFolder('restore'), given);
const signal = interrupted();
try {
  const config = readServiceConfig(process.env);
  await access(file);
  const external = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  const embedded =
    external === undefined
      ? await startEmbedded({ dataDir: config.MUNIMENT_DATA_DIR, isCommand: true, log: () => undefined })
      : null;
  try {
    signal.throwIfAborted();
    const { at, tables, rows, outside } = await restoreBackup({
      url: external ?? embedded?.url ?? '',
      // What was read to its end is restored, and that is said: the signal ends the reading alone.
      source: createReadStream(file, { signal }),
      migrations: new URL('../db/migrations/', import.meta.url),
      kinds: [...kinds.values()],
    });
    process.stdout.write(
      `${rows} rows of ${tables} tables restored, as of ${at}. Users and passwords are those of the backup.\n`,
    );
    process.stdout.write(
      wordsOfOutside(
        outside,
        'Set MUNIMENT_FILES_URL before you start; muniment check --data looks whether every file has its object.',
      ),
    );
  } finally {
    await embedded?.stop();
  }
} catch (error) {
  const says =
    error instanceof RestoreUnfinished
      ? 'The data came in, and what is done behind it failed; restore into another new data folder or database'
      : 'Nothing was restored';
  endOfFailed(says, error, signal);
}

// `npm run backup -- <file>`: everything that the service keeps, as one file, while it runs. Reads the database that the configuration
// names: DATABASE_URL, or the embedded server of MUNIMENT_DATA_DIR, which is started for the time where the service does not run.
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { writeBackup } from '#store/backup/backup.ts';
import { startEmbedded } from '#store/embedded/server.ts';
import { readServiceConfig } from '../apps/service-config.ts';

const [file] = process.argv.slice(2);
if (file === undefined || file.startsWith('-')) {
  process.stderr.write('Usage: npm run backup -- <file>\n');
  process.exit(2);
}
// Under its name only when it is whole.
const part = `${file}.part`;
try {
  const config = readServiceConfig(process.env);
  const external = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  const embedded =
    external === undefined ? await startEmbedded({ dataDir: config.MUNIMENT_DATA_DIR, log: () => undefined }) : null;
  try {
    const { at, tables, rows } = await writeBackup(
      external ?? embedded?.url ?? '',
      createWriteStream(part, { mode: 0o600, flush: true }),
    );
    await rename(part, file);
    process.stdout.write(`${file}: ${rows} rows of ${tables} tables as of ${at}, ${(await stat(file)).size} bytes\n`);
  } finally {
    // Stops nothing that the service started.
    await embedded?.stop();
  }
} catch (error) {
  await rm(part, { force: true });
  process.stderr.write(`No backup was made: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

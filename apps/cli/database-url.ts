// The database that commands look into which do without the service.
import { existsSync } from 'node:fs';
import { readServiceConfig } from '../service-config.ts';
import type { Environment } from './environment.ts';
import { CliFailure } from './failure.ts';

/** Finds the database as the service does: the url given, DATABASE_URL, or the embedded server, started for the time where it does not run. */
export async function withDatabaseUrl<T>(
  environment: Pick<Environment, 'env'>,
  database: string | undefined,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const config = readServiceConfig(environment.env);
  const url = database ?? config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if (url !== undefined) return work(url);
  if (!existsSync(config.MUNIMENT_DATA_DIR))
    throw new CliFailure(
      `There is no data folder ${config.MUNIMENT_DATA_DIR}: name it in MUNIMENT_DATA_DIR, or a database in DATABASE_URL.`,
    );
  const { startEmbedded } = await import('#store/embedded/server.ts');
  const embedded = await startEmbedded({ dataDir: config.MUNIMENT_DATA_DIR, log: () => undefined });
  try {
    return await work(embedded.url);
  } finally {
    // Stops nothing that the service started.
    await embedded.stop();
  }
}

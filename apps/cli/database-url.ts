// The database that commands look into which do without the service.
import { existsSync } from 'node:fs';
import { isDatabaseUrl } from '#domain/configuration/values.ts';
import { readServiceConfig } from '../service-config.ts';
import { explainDatabase } from '../start-failure.ts';
import type { Environment } from './environment.ts';
import { CliFailure, usage } from './failure.ts';

/**
 * Finds the database as the service does: the url given, DATABASE_URL, or the embedded server, started for the time where it does not run. Ctrl-C ends the waiting
 * for the work, and stops a server that was started for it.
 */
export async function withDatabaseUrl<T>(
  environment: Pick<Environment, 'env' | 'signal'>,
  database: string | undefined,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const config = readServiceConfig(environment.env);
  const url = database ?? config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if (database !== undefined && !isDatabaseUrl(database))
    throw usage('--database takes an address such as postgresql://user:password@host:5432/name.');
  if (url !== undefined) {
    const namedBy =
      database !== undefined
        ? '--database'
        : config.DATABASE_DIRECT_URL !== undefined
          ? 'DATABASE_DIRECT_URL'
          : 'DATABASE_URL';
    try {
      return await untilInterrupted(work(url), environment.signal);
    } catch (error) {
      // The store says that it is not reachable, and keeps to itself why.
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : null;
      const says = cause === null ? null : explainDatabase(cause, url, namedBy);
      throw says === null ? error : new CliFailure(`The database is not reachable. ${says}`, { cause: error });
    }
  }
  if (!existsSync(config.MUNIMENT_DATA_DIR))
    throw new CliFailure(
      `There is no data folder ${config.MUNIMENT_DATA_DIR}: name it in MUNIMENT_DATA_DIR, or a database in DATABASE_URL.`,
    );
  const { startEmbedded } = await import('#store/embedded/server.ts');
  const embedded = await startEmbedded({
    dataDir: config.MUNIMENT_DATA_DIR,
    mustExist: true,
    isCommand: true,
    log: () => undefined,
  });
  try {
    return await untilInterrupted(work(embedded.url), environment.signal);
  } finally {
    // Stops nothing that the service started.
    await embedded.stop();
  }
}

async function untilInterrupted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: interrupted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

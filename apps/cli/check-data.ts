// `muniment check --data`: whether what the database holds is in itself right. The one command that asks the database and not the service,
// so that it can be trusted where the service cannot, and used on a restored copy.
import type { Config } from '#domain/config.ts';
import { Failure, operatorWords } from '#domain/errors.ts';
import type { FileCheck } from '#store/check/files.ts';
import { readServiceConfig } from '../service-config.ts';
import type { Environment } from './environment.ts';
import { withDatabaseUrl } from './database-url.ts';
import { exitCodes, toCliFailure } from './failure.ts';
import { count, makeOutput } from './output.ts';

/** The options of the command: the url of a database; absent, the one that the configuration names. */
export type CheckDataOptions = { readonly database?: string; readonly json?: boolean; readonly readFiles?: true };

/** Checks and tells each broken invariant with examples; exit code 1 where there is any. */
export async function checkData(environment: Environment, options: CheckDataOptions): Promise<void> {
  const output = makeOutput(environment.streams, options.json === true);
  try {
    const config = readServiceConfig(environment.env);
    const { violations: found, unknownObjects } = await withDatabaseUrl(environment, options.database, (url) =>
      lookInto(url, config, { ...options, signal: environment.signal }, (what) => output.note(`checking: ${what}`)),
    );
    // After a backup was restored this is right; whoever removes them must know that no other installation has them.
    if (unknownObjects > 0)
      output.note(`${unknownObjects} objects in the storage of files are not known to the database; they do no harm.`);
    const lines =
      found.length === 0
        ? ['Everything is as it should be.']
        : found.flatMap(({ says, count: times, examples }) => [
            `${count(times)} ${says}`,
            ...examples.map((example) => `    ${example}`),
          ]);
    output.result(
      {
        ok: found.length === 0,
        unknown_objects: unknownObjects,
        violations: found.map(({ says, count: times, examples }) => ({ says, count: times, examples: [...examples] })),
      },
      lines,
    );
    environment.end(found.length === 0 ? exitCodes.done : exitCodes.failed);
  } catch (error) {
    const failure = toCliFailure(error);
    output.failure(failure);
    environment.end(failure.exitCode);
  }
}

async function lookInto(
  url: string,
  config: Config,
  { readFiles, signal }: CheckDataOptions & { readonly signal: AbortSignal },
  onStep: (what: string) => void,
): Promise<FileCheck> {
  // Loaded here, since every other command does without the store.
  const [{ Database }, { checkDatabase }, { checkFiles }, { openFileStorage }] = await Promise.all([
    import('#store/connection/database.ts'),
    import('#store/check/check-database.ts'),
    import('#store/check/files.ts'),
    import('#store/files/open-storage.ts'),
  ]);
  const files = openFileStorage(config);
  await using pool = new Database({ url, poolSize: 1, applicationName: 'muniment check', anyServer: true, files });
  // A statement reads a whole table: canceled, it does not go on in the server when nobody waits for it.
  const database = pool.until(signal);
  const violations = await checkDatabase(database, onStep);
  onStep('files');
  const checked = await checkFiles(database, files, readFiles === true).catch(unanswered);
  return { ...checked, violations: [...violations, ...checked.violations] };
}

/** A storage that does not answer hides nothing of what the database was found to be: it is one violation more. */
function unanswered(error: unknown): FileCheck {
  if (!(error instanceof Failure) || error.code !== 'unavailable') throw error;
  const says = 'storages of files that do not answer, so that files outside of the database were not checked';
  return { violations: [{ says, count: 1, examples: [operatorWords(error)] }], unknownObjects: 0 };
}

// `muniment check --data`: whether what the database holds is in itself right. The one command that asks the database and not the service,
// so that it can be trusted where the service cannot, and used on a restored copy.
import type { Violation } from '#store/check/check-database.ts';
import type { Environment } from './environment.ts';
import { withDatabaseUrl } from './database-url.ts';
import { exitCodes, toCliFailure } from './failure.ts';
import { count, makeOutput } from './output.ts';

/** The options of the command: the url of a database; absent, the one that the configuration names. */
export type CheckDataOptions = { readonly database?: string; readonly json?: boolean };

/** Checks and tells each broken invariant with examples; exit code 1 where there is any. */
export async function checkData(environment: Environment, options: CheckDataOptions): Promise<void> {
  const output = makeOutput(environment.streams, options.json === true);
  try {
    const found = await withDatabaseUrl(environment, options.database, (url) =>
      violationsOf(url, (what) => output.note(`checking: ${what}`)),
    );
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

async function violationsOf(url: string, onStep: (what: string) => void): Promise<readonly Violation[]> {
  // Loaded here, since every other command does without the store.
  const [{ Database }, { checkDatabase }] = await Promise.all([
    import('#store/connection/database.ts'),
    import('#store/check/check-database.ts'),
  ]);
  await using database = new Database({ url, poolSize: 1, applicationName: 'muniment check', anyServer: true });
  return await checkDatabase(database, onStep);
}

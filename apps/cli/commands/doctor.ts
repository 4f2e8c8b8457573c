// `muniment doctor`: what is wrong with an installation, what will be, and what to do. It asks the database and not the service, so that it
// tells most where the service tells nothing.
import type { Command } from 'commander';
import { withDatabaseUrl } from '../database-url.ts';
import type { Environment } from '../environment.ts';
import { runCommand } from '../environment.ts';
import { exitCodes } from '../failure.ts';
import { diagnoseInstallation } from '../../diagnosis.ts';
import { readServiceConfig } from '../../service-config.ts';

type Options = { readonly database?: string; readonly json?: boolean };

/** Adds the command. */
export function addDoctor(program: Command, environment: Environment): void {
  program
    .command('doctor')
    .summary('say what is wrong with an installation, or will be')
    .description(
      'Looks into the database that the service would use (DATABASE_URL, or MUNIMENT_DATA_DIR) and at the settings, and says what is wrong, what will be, and what to do: migrations, disk, vacuum, connections, workers, jobs, index, webhooks, replication, backups, clocks. Run it with the variables of the service, on its machine. It reads figures and no records, and changes nothing. Exit code 1 where there is a problem or a warning.',
    )
    .addHelpText(
      'after',
      `
Examples:
  $ muniment doctor
  $ muniment doctor --json
  $ muniment doctor --database postgresql://muniment@db.internal/muniment`,
    )
    .option('--database <url>', 'the database to look into')
    .option('--json', 'JSON on standard output and nothing else there')
    .action((options: Options) =>
      runCommand(environment, options.json === true, async (output) => {
        const config = readServiceConfig(environment.env);
        const pooledUrl = options.database ?? config.DATABASE_URL;
        const { ok, findings, facts } = await withDatabaseUrl(environment, options.database, (url) =>
          diagnoseInstallation(
            // Replicas of another database would be found to be of other data.
            options.database === undefined ? config : { ...config, DATABASE_REPLICA_URL: undefined },
            { url, pooledUrl: pooledUrl ?? url },
            environment.env,
          ),
        );
        output.result(
          { ok, findings: findings.map((each) => ({ ...each })), facts: JSON.parse(JSON.stringify(facts)) },
          [
            ...findings.flatMap(({ level, id, says, advice }) => [
              `${level.padEnd(8)} ${id}`,
              `         ${says}`,
              `         → ${advice}`,
            ]),
            ...(findings.length === 0 ? ['Nothing is wrong.'] : ok ? ['Nothing else is wrong.'] : []),
          ],
        );
        return ok ? exitCodes.done : exitCodes.failed;
      }),
    );
}

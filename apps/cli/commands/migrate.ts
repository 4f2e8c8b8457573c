// `muniment migrate`: the records of a running service of the incumbent, into a folder.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Environment } from '../environment.ts';
import { runCommand } from '../environment.ts';
import { usage } from '../failure.ts';
import type { ReadingOptions } from '../migrate/run-reading.ts';
import { addReadingOptions, runReading, sourcePassword, sourceUrl, tellReading } from '../migrate/run-reading.ts';

type MigrateOptions = ReadingOptions & {
  readonly from: string;
  readonly user: string;
  readonly passwordFile?: string;
  readonly into?: string;
  readonly json?: boolean;
};

/** Adds the command. */
export function addMigrate(program: Command, environment: Environment): void {
  const command = program
    .command('migrate')
    .summary('move in from an ArchivesSpace')
    .description(
      'Reads all records of a running ArchivesSpace into a folder, by its interface for clients alone. What was interrupted goes on when the same command is run again.',
    )
    .requiredOption('--from <url>', 'address of its interface for clients, as https://archives.example.org/api')
    .option('--user <name>', 'a user of the source who may see everything', 'admin')
    .option('--password-file <file>', 'file with the password (otherwise MUNIMENT_SOURCE_PASSWORD, or it is asked for)')
    .option('--into <folder>', 'folder for what is read')
    .option('--json', 'JSON on standard output and nothing else there')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment migrate --from https://archives.example.org/api --user admin --into archive
  $ muniment migrate --from http://10.0.0.5:8089 --password-file secret --into archive --requests-a-second 5
  $ muniment migrate --from https://archives.example.org/api --into changes --since archive`,
    );
  addReadingOptions(command);
  command.action((options: MigrateOptions) =>
    runCommand(environment, options.json === true, async (output) => {
      const url = sourceUrl(options.from);
      if (options.into === undefined) throw usage('--into names the folder for what is read.');
      const password = await sourcePassword(environment, options.user, url, options.passwordFile);
      const outcome = await runReading(
        environment,
        output,
        { url, user: options.user, password },
        options.into,
        options,
      );
      return tellReading(output, resolve(environment.cwd, options.into), outcome);
    }),
  );
}

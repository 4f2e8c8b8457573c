// `muniment export-all`: all records of a Muniment, into a folder of JSON lines.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions, readCredentials } from '../credentials.ts';
import type { Environment } from '../environment.ts';
import { runCommand } from '../environment.ts';
import type { ReadingOptions } from '../migrate/run-reading.ts';
import { addReadingOptions, runReading, tellReading } from '../migrate/run-reading.ts';

/** Adds the command. */
export function addExportAll(program: Command, environment: Environment): void {
  const command = program
    .command('export-all')
    .summary('write all records into a folder')
    .description(
      'Writes all records as JSON, a file of lines for each kind: a copy that people and programs can read. What was interrupted goes on when the same command is run again.',
    )
    .argument('<folder>', 'folder for what is written')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment export-all archive
  $ muniment export-all changes --since archive`,
    );
  addConnectionOptions(command);
  addReadingOptions(command);
  command.action((folder: string, options: ConnectionOptions & ReadingOptions) =>
    runCommand(environment, options.json === true, async (output) => {
      const outcome = await runReading(environment, output, readCredentials(options, environment), folder, options);
      return tellReading(output, resolve(environment.cwd, folder), outcome);
    }),
  );
}

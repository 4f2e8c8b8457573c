// `muniment repositories`: the repositories that there are, with the ids and codes that other commands take.
import type { Command } from 'commander';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions } from '../credentials.ts';
import type { Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import { shown, table } from '../output.ts';
import { listRepositories } from '../repository.ts';

/** Adds the command. */
export function addRepositories(program: Command, environment: Environment): void {
  const command = program
    .command('repositories')
    .summary('list repositories')
    .description('Lists the repositories with their ids and codes.')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment repositories
  $ muniment repositories --json`,
    );
  addConnectionOptions(command);
  command.action((options: ConnectionOptions) =>
    withClient(environment, options, async ({ client, output }) => {
      const all = await listRepositories(client);
      output.result(
        [...all],
        all.length === 0
          ? ['There is no repository yet.']
          : table(
              ['ID', 'CODE', 'NAME'],
              all.map(({ id, code, name }) => [String(id), shown(code), shown(name)]),
            ),
      );
    }),
  );
}

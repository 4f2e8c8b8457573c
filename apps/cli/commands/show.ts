// `muniment show`: one record as the service gives it.
import type { Command } from 'commander';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions } from '../credentials.ts';
import type { Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import { usage } from '../failure.ts';
import { printable } from '../output.ts';

type ShowOptions = ConnectionOptions & { readonly resolve?: string };

/** Adds the command. */
export function addShow(program: Command, environment: Environment): void {
  const command = program
    .command('show')
    .summary('show a record')
    .description('Shows a record as JSON: indented, or on one line with --json.')
    .argument('<uri>', 'uri of the record, as /repositories/2/resources/1')
    .option('--resolve <names>', 'references to show with what they refer to, separated by commas')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment show /repositories/2/resources/1
  $ muniment show /repositories/2/archival_objects/7 --resolve subjects,linked_agents,ancestors
  $ muniment show /agents/people/3 --json`,
    );
  addConnectionOptions(command);
  command.action((uri: string, options: ShowOptions) =>
    withClient(environment, options, async ({ client, output }) => {
      if (!uri.startsWith('/')) throw usage(`${uri} is no uri: it should look like /repositories/2/resources/1.`);
      const names = options.resolve
        ?.split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '');
      const record = await client.ask(uri, { query: { resolve: names } });
      output.result(record, [printable(JSON.stringify(record, null, 2))]);
    }),
  );
}

// `muniment purge`: erases what a record was, and keeps what it is.
import type { Command } from 'commander';
import { isObject } from '#domain/json.ts';
import { confirm, isPlainUri } from '../confirm.ts';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions } from '../credentials.ts';
import type { Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import { usage } from '../failure.ts';

type PurgeOptions = ConnectionOptions & { readonly yes?: boolean };

/** Adds the command. */
export function addPurge(program: Command, environment: Environment): void {
  const command = program
    .command('purge')
    .summary('erase the history of a record')
    .description(
      'Erases the earlier versions of a record, there or deleted, of those that were merged into it, and what undoing those merges would need. The record itself stays as it is. There is no way back. Asks first on a terminal; elsewhere --yes is needed.',
    )
    .argument('<uri>', 'uri of the record')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment purge /agents/people/7
  $ muniment purge /repositories/2/accessions/4 --yes`,
    );
  addConnectionOptions(command);
  command.action((uri: string, options: PurgeOptions) =>
    withClient(environment, options, async ({ client, output }) => {
      if (!isPlainUri(uri)) throw usage(`${uri} is no uri: it should look like /agents/people/7.`);
      if (options.yes !== true) {
        if (!environment.stdin.isTTY || output.isJson)
          throw usage(`This erases the history of ${uri} for good: say so with --yes.`);
        await confirm(environment, `Erase the history of ${uri} for good? Type yes: `, 'Nothing was erased.');
      }
      const reply = await client.ask(`${uri}/history/purge`, { method: 'POST' });
      const count = isObject(reply) ? String(reply['revisions'] ?? '') : '';
      output.result(reply, [`Erased the history of ${uri}: ${count} earlier versions`]);
    }),
  );
}

// `muniment delete`: one record and, where it is a root or node of a tree, all below it.
import type { Command } from 'commander';
import { confirm, isPlainUri } from '../confirm.ts';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions } from '../credentials.ts';
import type { Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import { usage } from '../failure.ts';
import { followJob, jobFailure } from '../follow.ts';
import { shown } from '../output.ts';
import { isObject, textOf } from '#domain/json.ts';

type DeleteOptions = ConnectionOptions & { readonly yes?: boolean };

/** Adds the command. */
export function addDelete(program: Command, environment: Environment): void {
  const command = program
    .command('delete')
    .summary('delete a record')
    .description(
      'Deletes a record; of a resource or a component also everything below it. What was deleted stays in its history until it is purged. Asks first on a terminal; elsewhere --yes is needed.',
    )
    .argument('<uri>', 'uri of the record')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment delete /repositories/2/accessions/4
  $ muniment delete /repositories/2/resources/1 --yes`,
    );
  addConnectionOptions(command);
  command.action((uri: string, options: DeleteOptions) =>
    withClient(environment, options, async ({ client, output }) => {
      if (!isPlainUri(uri)) throw usage(`${uri} is no uri: it should look like /repositories/2/resources/1.`);
      if (options.yes !== true) {
        if (!environment.stdin.isTTY || output.isJson)
          throw usage(`This deletes ${uri} and all below it: say so with --yes.`);
        const record = await client.ask(uri);
        const title = isObject(record) ? shown(textOf(record, 'display_string') ?? textOf(record, 'title')) : '';
        await confirm(
          environment,
          `Delete ${uri}${title === '' ? '' : ` (${title})`} and all below it? Type yes: `,
          'Nothing was deleted.',
        );
      }
      const reply = await client.ask(uri, { method: 'DELETE' });
      // Much below it takes longer than a request waits: then the job that goes on is all that was told.
      const job = isObject(reply) && textOf(reply, 'status') === 'Accepted' ? textOf(reply, 'uri') : undefined;
      if (job !== undefined) {
        const end = await followJob(client, job, { signal: environment.signal });
        if (end.status !== 'completed') throw jobFailure(`${uri} is not deleted: ${end.status}.`, end, []);
      }
      output.result(job === undefined ? reply : { status: 'Deleted', job }, [`Deleted ${uri}`]);
    }),
  );
}

// `muniment login`: a session token for other commands and other programs.
import type { Command } from 'commander';
import { isObject, textOf } from '#domain/json.ts';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions, readCredentials } from '../credentials.ts';
import { connect } from '../client.ts';
import type { Environment } from '../environment.ts';
import { withClient } from '../environment.ts';

type LoginOptions = ConnectionOptions & { readonly long?: boolean };

/** Adds the command. */
export function addLogin(program: Command, environment: Environment): void {
  const command = program
    .command('login')
    .summary('print a session token')
    .description(
      'Logs in and prints the session token, for MUNIMENT_SESSION, --session, or the header X-Service-Session of other programs. It ends after an hour without use; end it sooner with `logout`.',
    )
    .option('--long', 'a session that ends after a week without use')
    .addHelpText(
      'after',
      `
Examples:
  $ export MUNIMENT_SESSION=$(npm run --silent muniment -- login --user archivist)
  $ muniment login --long --json`,
    );
  addConnectionOptions(command);
  command.action((options: LoginOptions) =>
    withClient(environment, options, async ({ output }) => {
      // A client of its own that is not closed: closing would end the session that was just made.
      const client = connect({ ...readCredentials(options, environment), session: undefined }, environment.signal);
      const session = await client.login(options.long === true);
      output.result({ session, user: client.user, url: client.url }, [session]);
    }),
  );
  const logout = program
    .command('logout')
    .summary('end a session')
    .description('Ends the session of --session or MUNIMENT_SESSION.')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment logout --session "$MUNIMENT_SESSION"`,
    );
  addConnectionOptions(logout);
  logout.action((options: ConnectionOptions) =>
    withClient(environment, options, async ({ client, output }) => {
      const reply = await client.ask('/logout', { method: 'POST' });
      const status = isObject(reply) ? (textOf(reply, 'status') ?? '') : '';
      output.result(reply, [status === 'session_logged_out' ? 'The session has ended.' : 'There was no such session.']);
    }),
  );
}

// `muniment login`: a session token for other commands and other programs.
import type { Command } from 'commander';
import { isObject, textOf } from '#domain/json.ts';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions, readCredentials, readFirstLine } from '../credentials.ts';
import { connect } from '../client.ts';
import { keepSession, keptSession } from '../profiles.ts';
import type { Environment } from '../environment.ts';
import { withClient } from '../environment.ts';

type LoginOptions = ConnectionOptions & {
  readonly long?: boolean;
  readonly keep?: boolean;
  readonly passwordStdin?: boolean;
};

/** Adds the command. */
export function addLogin(program: Command, environment: Environment): void {
  const command = program
    .command('login')
    .summary('print a session token')
    .description(
      'Logs in and prints the session token, for MUNIMENT_SESSION, --session, or the header X-Service-Session of other programs. It ends after an hour without use; end it sooner with `logout`.',
    )
    .option('--long', 'a session that ends after a week without use')
    .option(
      '--keep',
      'keep the session for the commands that follow, in a file that only you can read, and do not print it',
    )
    .option('--password-stdin', 'read the password from standard input')
    .addHelpText(
      'after',
      `
Examples:
  $ export MUNIMENT_SESSION=$(npm run --silent muniment -- login --user archivist)
  $ muniment login --long --json
  $ muniment login --profile reading-room --keep --long --password-stdin < password.txt`,
    );
  addConnectionOptions(command);
  command.action((options: LoginOptions) =>
    withClient(environment, options, async ({ output }) => {
      const given = options.passwordStdin === true ? await readFirstLine(environment) : undefined;
      const credentials = readCredentials(given === undefined ? options : { ...options, password: given }, environment);
      // A client of its own that is not closed: closing would end the session that was just made.
      const client = connect({ ...credentials, session: undefined }, environment.signal);
      const session = await client.login(options.long === true);
      const { user, url } = client;
      if (options.keep !== true) return output.result({ session, user, url }, [session]);
      const file = keepSession(environment.env, { user, url }, session);
      output.result({ user, url, file }, [`${user} is logged in at ${url}; the session is kept in ${file}.`]);
    }),
  );
  const logout = program
    .command('logout')
    .summary('end a session')
    .description(
      'Ends the session of --session or MUNIMENT_SESSION, or the one that `login --keep` kept, which is forgotten.',
    )
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
      const { user, url } = client;
      if (keptSession(environment.env, { user, url }) !== undefined)
        keepSession(environment.env, { user, url }, undefined);
      const status = isObject(reply) ? (textOf(reply, 'status') ?? '') : '';
      output.result(reply, [status === 'session_logged_out' ? 'The session has ended.' : 'There was no such session.']);
    }),
  );
}

// `muniment user create`: a user with a password, given on standard input or generated.
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { isObject, textOf } from '#domain/json.ts';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions } from '../credentials.ts';
import type { Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import { usage } from '../failure.ts';

type UserOptions = ConnectionOptions & {
  readonly fullName?: string;
  readonly email?: string;
  readonly admin?: boolean;
  readonly group?: readonly string[];
  readonly passwordStdin?: boolean;
};

/** Adds the command. */
export function addUser(program: Command, environment: Environment): void {
  const user = program.command('user').summary('make users').description('Users of the service.');
  const command = user
    .command('create')
    .summary('make a user')
    .description('Makes a user. Without --password-stdin a password is generated and printed, this once.')
    .argument('<name>', 'the name to log in with')
    .option('--full-name <text>', 'the name of the person (otherwise the login name)')
    .option('--email <address>', 'mail address')
    .option('--admin', 'an administrator of the whole service')
    .option('--group <uri...>', 'groups to join, as /repositories/2/groups/5')
    .option('--password-stdin', "read the new user's password from standard input")
    .addHelpText(
      'after',
      `
Examples:
  $ muniment user create archivist --full-name "Anna Archivist"
  $ muniment user create archivist --group /repositories/2/groups/5
  $ muniment user create archivist --password-stdin < password.txt`,
    );
  addConnectionOptions(command);
  command.action((name: string, options: UserOptions) =>
    withClient(environment, options, async ({ client, output }) => {
      const given = options.passwordStdin === true ? await readFirstLine(environment) : undefined;
      const password = given ?? randomBytes(15).toString('base64url');
      const record = {
        jsonmodel_type: 'user',
        username: name,
        name: options.fullName ?? name,
        is_admin: options.admin === true,
        ...(options.email === undefined ? {} : { email: options.email }),
      };
      const reply = await client.ask('/users', {
        method: 'POST',
        query: { password, groups: options.group ?? [] },
        json: record,
      });
      const uri = isObject(reply) ? (textOf(reply, 'uri') ?? '') : '';
      output.result({ uri, username: name, ...(given === undefined ? { password } : {}) }, [
        `Made user ${name}: ${uri}`,
        ...(given === undefined ? [`Password: ${password}`] : []),
      ]);
    }),
  );
}

async function readFirstLine({ stdin }: Environment): Promise<string> {
  let text = '';
  for await (const chunk of stdin) text += String(chunk);
  const line = text.split(/\r?\n/, 1)[0] ?? '';
  if (line === '') throw usage('--password-stdin was given, but standard input is empty.');
  return line;
}

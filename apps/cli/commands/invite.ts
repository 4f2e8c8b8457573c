// `muniment users invite` and `accept`: accounts without a password get tokens, and their people choose passwords with them.
import { closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { csvLine } from '#domain/formats/csv/write.ts';
import type { JsonObject } from '#domain/json.ts';
import { isObject, objectsIn, textOf } from '#domain/json.ts';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions, readFirstLine } from '../credentials.ts';
import type { Call, Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import { CliFailure, exitCodes, toCliFailure, usage } from '../failure.ts';
import { table } from '../output.ts';
import { positive } from './jobs.ts';

type InviteOptions = ConnectionOptions & { readonly all?: boolean; readonly csv?: string; readonly hours?: number };
type AcceptOptions = ConnectionOptions & { readonly token: string };

type Invited = {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly token: string;
  readonly expires_at: string;
};

/** Adds the commands to those of users. */
export function addInvitations(users: Command, environment: Environment): void {
  addInvite(users, environment);
  addAccept(users, environment);
}

function addInvite(users: Command, environment: Environment): void {
  const command = users
    .command('invite')
    .summary('let users without a password choose one')
    .description(
      'Makes a token for each user that has no password, such as those that came from another service. With it the user chooses a password, once. It is shown this once; another one ends it.',
    )
    .argument('[name...]', 'names to log in with')
    .option('--all', 'all users who may log in and have no password')
    .option('--csv <file>', 'write the tokens into this file, which only you can read, in place of showing them')
    .option('--hours <number>', 'how long the tokens are good (otherwise 72)', positive)
    .addHelpText(
      'after',
      `
Examples:
  $ muniment users invite archivist
  $ muniment users invite --all --csv invitations.csv`,
    );
  addConnectionOptions(command);
  command.action((names: readonly string[], options: InviteOptions) =>
    withClient(environment, options, (call) => invite(call, names, options)),
  );
}

async function invite(call: Call, names: readonly string[], options: InviteOptions): Promise<number> {
  const { client, output, environment } = call;
  if (names.length > 0 === (options.all === true)) throw usage('Give names of users, or --all.');
  const reply = await client.ask('/users/without-password');
  const waiting = objectsIn(reply);
  // Before tokens are made: with nowhere to write them they would be lost, and would have ended earlier ones.
  const csv = options.csv === undefined ? null : openNew(resolve(environment.cwd, options.csv));
  const invited: Invited[] = [];
  const failed: string[] = [];
  for (const user of options.all === true ? waiting : [...new Set(names)].map((name) => findNamed(waiting, name))) {
    if (typeof user === 'string') {
      failed.push(user);
      continue;
    }
    try {
      invited.push(await inviteOne(call, user, options.hours));
    } catch (error) {
      // What was made so far is not to be lost: nobody shows a token again.
      failed.push(`${textOf(user, 'username') ?? ''}: ${toCliFailure(error).message}`);
    }
  }
  const columns = ['username', 'name', 'email', 'token', 'expires_at'] as const;
  const rows = invited.map((each) => columns.map((column) => each[column]));
  if (csv !== null) {
    writeSync(csv, [columns, ...rows].map(csvLine).join(''));
    closeSync(csv);
  }
  const shown = options.csv === undefined ? invited : invited.map(({ token: _token, ...rest }) => rest);
  output.result({ invited: shown, failed }, [
    ...(options.csv === undefined && rows.length > 0 ? table(columns, rows) : []),
    `${invited.length} invited${options.csv === undefined ? '' : `; the tokens are in ${options.csv}`}`,
  ]);
  for (const line of failed) output.note(line);
  return failed.length === 0 ? exitCodes.done : exitCodes.failed;
}

/** Opens a file that is not there yet, for its owner alone. */
function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    throw new CliFailure(`${path} cannot be made: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function findNamed(waiting: readonly JsonObject[], name: string): JsonObject | string {
  const wanted = name.trim().toLowerCase();
  return (
    waiting.find((user) => textOf(user, 'username') === wanted) ??
    `${name}: no user of this name without a password who may log in`
  );
}

async function inviteOne({ client }: Call, user: JsonObject, hours: number | undefined): Promise<Invited> {
  const made = await client.ask(`${textOf(user, 'uri') ?? ''}/invitation`, { method: 'POST', query: { hours } });
  const token = isObject(made) ? textOf(made, 'token') : undefined;
  if (!isObject(made) || token === undefined) throw new CliFailure('The service gave no token.');
  return {
    username: textOf(made, 'username') ?? '',
    name: textOf(user, 'name') ?? '',
    email: textOf(user, 'email') ?? '',
    token,
    expires_at: textOf(made, 'expires_at') ?? '',
  };
}

function addAccept(users: Command, environment: Environment): void {
  const command = users
    .command('accept')
    .summary('choose a password with an invitation')
    .description('Chooses the password of a user who was invited. It is read from standard input; no login is needed.')
    .argument('<name>', 'the name to log in with')
    .requiredOption('--token <token>', 'the token of the invitation')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment users accept archivist --token 5f… < password.txt`,
    );
  addConnectionOptions(command);
  command.action((name: string, options: AcceptOptions) =>
    withClient(environment, options, async ({ client, output }) => {
      const password = await readFirstLine(environment.stdin);
      const path = `/users/${encodeURIComponent(name.trim().toLowerCase())}/accept-invitation`;
      await client.ask(path, { method: 'POST', form: { token: options.token, password }, isPublic: true });
      output.result({ username: name, accepted: true }, [`${name} has a password now, and can log in with it.`]);
    }),
  );
}

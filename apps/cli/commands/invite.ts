// `muniment users invite` and `accept`: accounts without a password get tokens, and their people choose passwords with them.
import { appendFileSync, closeSync, openSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { csvLine } from '#domain/formats/csv/write.ts';
import type { JsonObject } from '#domain/json.ts';
import { isObject, objectsIn, textOf } from '#domain/json.ts';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions, readFirstLine } from '../credentials.ts';
import type { Call, Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import { CliFailure, Interrupted, NotLoggedIn, Unreachable, exitCodes, toCliFailure, usage } from '../failure.ts';
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
  const waiting = objectsIn(await client.ask('/users/without-password'));
  const found = options.all === true ? waiting : [...new Set(names)].map((name) => findNamed(waiting, name));
  const users = found.filter((user) => typeof user !== 'string');
  const failed = found.filter((user) => typeof user === 'string');
  // Before tokens are made: with nowhere to write them they would be lost, and would have ended earlier ones.
  const csv = options.csv === undefined ? null : openNew(resolve(environment.cwd, options.csv));
  const invited: Invited[] = [];
  let end: CliFailure | null = null;
  try {
    for (const user of users) {
      try {
        const one = await inviteOne(call, user, options.hours);
        csv?.add(one);
        invited.push(one);
      } catch (error) {
        const failure = toCliFailure(error);
        if (endsAll(failure)) {
          end = failure;
          break;
        }
        failed.push(`${textOf(user, 'username') ?? ''}: ${failure.message}`);
      }
    }
  } finally {
    csv?.close();
  }
  const isInFile = options.csv !== undefined && invited.length > 0;
  const shown = isInFile ? invited.map(({ token: _token, ...rest }) => rest) : invited;
  const words = [
    ...(!isInFile && invited.length > 0 ? table(columns, invited.map(cellsOf)) : []),
    `${invited.length} invited${isInFile ? `; the tokens are in ${options.csv}` : ''}`,
  ];
  if (end === null || !output.isJson) output.result({ invited: shown, failed }, words);
  for (const line of failed) output.note(line);
  if (end !== null) throw stoppedAfter(end, { invited: shown, failed }, users.length);
  return failed.length === 0 ? exitCodes.done : exitCodes.failed;
}

/** What would be the same for all users that follow: Ctrl-C, a service that is away or lets nobody in, a file that cannot be written. */
const endsAll = (failure: CliFailure): boolean =>
  failure instanceof Interrupted ||
  failure instanceof Unreachable ||
  failure instanceof NotLoggedIn ||
  failure instanceof NotWritten;

/** The end before the last user: what was made so far is not to be lost, for nobody shows a token again. */
function stoppedAfter(
  end: CliFailure,
  made: { readonly invited: readonly JsonObject[]; readonly failed: readonly string[] },
  of: number,
): CliFailure {
  const { exitCode, status } = end;
  return new CliFailure(
    `${end.message} Of ${of} users ${made.invited.length} were invited. Invite the others by name: --all makes new tokens for these, too, which end the first ones.`,
    {
      exitCode,
      ...(status === undefined ? {} : { status }),
      details: { invited: [...made.invited], failed: [...made.failed] },
      cause: end,
    },
  );
}

const columns = ['username', 'name', 'email', 'token', 'expires_at'] as const;
const cellsOf = (one: Invited): readonly string[] => columns.map((column) => one[column]);

/** The file of tokens cannot be written. */
class NotWritten extends CliFailure {}

/**
 * Opens a file that is not there yet, for its owner alone. Each token is written when it is made, with the headings before the first: whoever kills
 * the command has those that were made. Closed without one, the file is gone again.
 */
function openNew(path: string): { add(one: Invited): void; close(): void } {
  const act = <T>(what: string, run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw new NotWritten(`${path} cannot be ${what}: ${error instanceof Error ? error.message : String(error)}.`);
    }
  };
  const file = act('made', () => openSync(path, 'wx', 0o600));
  let written = 0;
  return {
    add: (one) => {
      const text = [...(written === 0 ? [columns] : []), cellsOf(one)].map(csvLine).join('');
      act('written', () => appendFileSync(file, text));
      written += 1;
    },
    close: () => {
      closeSync(file);
      if (written === 0) rmSync(path, { force: true });
    },
  };
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
      const password = await readFirstLine(environment);
      const path = `/users/${encodeURIComponent(name.trim().toLowerCase())}/accept-invitation`;
      await client.ask(path, { method: 'POST', form: { token: options.token, password }, isPublic: true });
      output.result({ username: name, accepted: true }, [`${name} has a password now, and can log in with it.`]);
    }),
  );
}

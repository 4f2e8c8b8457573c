// `muniment users`: users made, given another password, kept out and let in again.
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { toPage, walkPages } from '#client/lists.ts';
import type { JsonObject } from '#domain/json.ts';
import { isObject, textOf } from '#domain/json.ts';
import type { ConnectionOptions } from '../credentials.ts';
import { addConnectionOptions, readCredentials, readFirstLine } from '../credentials.ts';
import type { Call, Environment } from '../environment.ts';
import { withClient } from '../environment.ts';
import { CliFailure } from '../failure.ts';
import { addTakePasswords } from '../source-passwords.ts';
import { addInvitations } from './invite.ts';

type UserOptions = ConnectionOptions & {
  readonly fullName?: string;
  readonly email?: string;
  readonly admin?: boolean;
  readonly group?: readonly string[];
  readonly passwordStdin?: boolean;
};

/** Adds the commands. */
export function addUsers(program: Command, environment: Environment): void {
  const user = program
    .command('users')
    .alias('user')
    .summary('make users, change their passwords, keep them out')
    .description('Users of the service.');
  addCreate(user, environment);
  addPasswd(user, environment);
  addInvitations(user, environment);
  addTakePasswords(user, environment);
  addSwitch(user, environment, 'disable');
  addSwitch(user, environment, 'enable');
}

function addCreate(user: Command, environment: Environment): void {
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
  $ muniment users create archivist --full-name "Anna Archivist"
  $ muniment users create archivist --group /repositories/2/groups/5
  $ muniment users create archivist --password-stdin < password.txt`,
    );
  addConnectionOptions(command);
  command.action((name: string, options: UserOptions) =>
    withClient(environment, options, async ({ client, output }) => {
      const given = options.passwordStdin === true ? await readFirstLine(environment) : undefined;
      const password = given ?? generated();
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

function addPasswd(user: Command, environment: Environment): void {
  const command = user
    .command('passwd')
    .summary('give a user another password')
    .description(
      "Gives a user another password, and ends the sessions of that user. Without --password-stdin one is generated and printed, this once. One's own is changed so, too, for which the current one must be given as for a login.",
    )
    .argument('<name>', 'the name to log in with')
    .option('--password-stdin', 'read the new password from standard input')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment users passwd archivist
  $ muniment users passwd archivist --password-stdin < password.txt`,
    );
  addConnectionOptions(command);
  command.action((name: string, options: UserOptions) =>
    withClient(environment, options, async (call) => {
      const given = options.passwordStdin === true ? await readFirstLine(environment) : undefined;
      const password = given ?? generated();
      const record = await findUser(call, name);
      const uri = textOf(record, 'uri') ?? '';
      // Whoever changes the own one is asked for the current one: it is what this command logged in with.
      const isOwn = textOf(record, 'username') === call.client.user.trim().toLowerCase();
      const current = isOwn ? readCredentials(options, environment).password : undefined;
      await call.client.ask(uri, { method: 'POST', query: { password, current_password: current }, json: record });
      call.output.result({ uri, username: name, ...(given === undefined ? { password } : {}) }, [
        `${name} has a new password; sessions made with the old one have ended.`,
        ...(given === undefined ? [`Password: ${password}`] : []),
      ]);
    }),
  );
}

function addSwitch(user: Command, environment: Environment, word: 'disable' | 'enable'): void {
  const isOff = word === 'disable';
  const command = user
    .command(word)
    .summary(isOff ? 'keep a user from logging in' : 'let a user log in again')
    .description(
      isOff
        ? 'Keeps a user from logging in and ends the sessions of that user; what the user made stays.'
        : 'Lets a user log in again who was kept from it.',
    )
    .argument('<name>', 'the name to log in with')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment users ${word} archivist`,
    );
  addConnectionOptions(command);
  command.action((name: string, options: ConnectionOptions) =>
    withClient(environment, options, async (call) => {
      const uri = textOf(await findUser(call, name), 'uri') ?? '';
      const record = await call.client.ask(`${uri}/${isOff ? 'deactivate' : 'activate'}`);
      const isActive = isObject(record) && record['is_active_user'] === true;
      call.output.result({ uri, username: name, is_active_user: isActive }, [
        isActive ? `${name} may log in.` : `${name} may no longer log in; the sessions of ${name} have ended.`,
      ]);
    }),
  );
}

const generated = (): string => randomBytes(15).toString('base64url');

/** The record of the user who logs in with this name: everybody may read the own one, others need to manage users. */
async function findUser({ client }: Call, name: string): Promise<JsonObject> {
  const wanted = name.trim().toLowerCase();
  const isWanted = (user: JsonObject): boolean => textOf(user, 'username')?.toLowerCase() === wanted;
  const own = await client.ask('/users/current-user');
  if (isObject(own) && isWanted(own)) return own;
  const read = async (page: number) => toPage(await client.ask('/users', { query: { page, page_size: 250 } }));
  for await (const { results } of walkPages(read)) {
    const found = results.find(isWanted);
    if (found !== undefined) return found;
  }
  throw new CliFailure(`There is no user ${name}.`, { status: 404 });
}

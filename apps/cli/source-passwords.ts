// Hashes of passwords from the source's database: `--passwords` of migrate, and `muniment users passwords`.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { isObject, objectsOf, textOf } from '#domain/json.ts';
import type { ConnectionOptions } from './credentials.ts';
import { addConnectionOptions } from './credentials.ts';
import type { Call, Environment } from './environment.ts';
import { withClient } from './environment.ts';
import { CliFailure } from './failure.ts';
import type { FilePassword } from './migrate/password-file.ts';
import { readPasswordFile } from './migrate/password-file.ts';
import { count, printable } from './output.ts';

const atOnce = 1000;

/** Adds the command to those of users. */
export function addTakePasswords(users: Command, environment: Environment): void {
  const command = users
    .command('passwords')
    .summary('take the passwords of users who came from another service')
    .description(
      "Users who have no password here log in with the one they had: their hashes come from the table auth_db of the source's database, as a dump of mysqldump or as CSV of username and pwhash. The first login stores our own hash in place of it. Needs an administrator.",
    )
    .argument('<file>', 'the dump, or CSV')
    .addHelpText('after', '\nExamples:\n  $ muniment users passwords auth_db.sql');
  addConnectionOptions(command);
  command.action((file: string, options: ConnectionOptions) =>
    withClient(environment, options, async (call) => sendPasswords(call, await readPasswords(environment, file))),
  );
}

/** Reads a file of hashes. */
export const readPasswords = (environment: Environment, file: string): Promise<readonly FilePassword[]> =>
  readPasswordFile(resolve(environment.cwd, file), file);

/** Sends hashes to the service, and shows how many were taken, and who is left. */
export async function sendPasswords({ client, output }: Call, passwords: readonly FilePassword[]): Promise<void> {
  let taken = 0;
  const refused: { readonly username: string; readonly reason: string }[] = [];
  for (let from = 0; from < passwords.length; from += atOnce) {
    const part = passwords.slice(from, from + atOnce);
    const reply = await client.ask('/users/password-hashes', {
      method: 'POST',
      json: part.map(({ username, hash }) => ({ username: username.slice(0, 255), hash: hash.slice(0, 255) })),
    });
    if (!isObject(reply) || typeof reply['taken'] !== 'number')
      throw new CliFailure('The service did not say what it took.');
    taken += reply['taken'];
    refused.push(
      ...objectsOf(reply, 'refused').map((one) => ({
        username: textOf(one, 'username') ?? '',
        reason: textOf(one, 'reason') ?? '',
      })),
    );
  }
  output.result({ taken, refused }, [
    `${count(taken)} users log in with the password they had; ${count(refused.length)} not taken.`,
    ...refused.slice(0, 100).map(({ username, reason }) => `  ${printable(username)}: ${reason}`),
  ]);
}

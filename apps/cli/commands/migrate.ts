// `muniment migrate`: the records of a running service of the incumbent, into a folder, and from there into this service.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ConnectionOptions } from '../credentials.ts';
import type { Environment } from '../environment.ts';
import { runCommand, withClient } from '../environment.ts';
import { readManifest } from '#migrate/folder.ts';
import { usage } from '../failure.ts';
import type { ServerMigration } from '../migrate/on-server.ts';
import { migrateOnServer } from '../migrate/on-server.ts';
import type { LoadOptions } from '../load-folder.ts';
import { addLoadOptions, loadFolder, settleLoad } from '../load-folder.ts';
import type { Output } from '../output.ts';
import { readPasswords, sendPasswords } from '../source-passwords.ts';
import type { ReadOutcome } from '#migrate/read-into.ts';
import type { ReadingOptions } from '../migrate/run-reading.ts';
import {
  addReadingOptions,
  isUrl,
  runReading,
  sourcePassword,
  sourceUrl,
  tellReading,
} from '../migrate/run-reading.ts';

type MigrateOptions = ReadingOptions &
  LoadOptions &
  Pick<ConnectionOptions, 'profile' | 'url' | 'session' | 'json'> & {
    readonly from: string;
    /** Of the source. */
    readonly user: string;
    readonly passwordFile?: string;
    readonly into?: string;
    /** Hashes of the source's users. */
    readonly passwords?: string;
    /** Whether the service reads, and not this machine. */
    readonly server?: boolean;
  };

/** Adds the command. */
export function addMigrate(program: Command, environment: Environment): void {
  const command = program
    .command('migrate')
    .summary('move in from an ArchivesSpace')
    .description(
      'Reads all records of a running ArchivesSpace into a folder, by its interface for clients alone, and loads them into this service with their addresses. With --into it reads only; with a folder after --from it loads only. What was interrupted goes on when the same command is run again.',
    )
    .requiredOption(
      '--from <url or folder>',
      'address of its interface for clients, as https://archives.example.org/api; or a folder that was read',
    )
    .option('--user <name>', 'a user of the source who may see everything', 'admin')
    .option('--password-file <file>', 'file with the password (otherwise MUNIMENT_SOURCE_PASSWORD, or it is asked for)')
    .option(
      '--passwords <file>',
      "let users in with the passwords they had: the table auth_db of the source's database, as mysqldump or CSV of username and pwhash",
    )
    .option('--into <folder>', 'folder for what is read; nothing is loaded')
    .option(
      '--server',
      'let the service itself read the source, one of its MUNIMENT_MIGRATION_SOURCES: nothing is kept on this machine, which may go away',
    )
    .option('--profile <name>', 'the service to load into: a server of `profiles`')
    .option('--url <url>', 'the service to load into: its address (environment: MUNIMENT_URL, MUNIMENT_USER, …)')
    .option('--session <token>', 'a session of that service')
    .option('--json', 'JSON on standard output and nothing else there')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment migrate --from https://archives.example.org/api --user admin
  $ muniment migrate --from https://archives.example.org/api --user admin --into archive
  $ muniment migrate --from archive
  $ muniment migrate --from https://archives.example.org/api --server
  $ muniment migrate --from http://10.0.0.5:8089 --password-file secret --into archive --requests-a-second 5
  $ muniment migrate --from https://archives.example.org/api --into changes --since archive`,
    );
  addReadingOptions(command);
  addLoadOptions(command);
  command.action((options: MigrateOptions) => runMigrate(environment, options));
}

async function runMigrate(environment: Environment, options: MigrateOptions): Promise<void> {
  const { from, into, json } = options;
  if (into !== undefined)
    return runCommand(environment, json === true, async (output) => {
      if (options.passwords !== undefined) throw usage('--passwords goes with a load: leave --into out.');
      const outcome = await readSource(environment, output, options, into);
      return tellReading(output, resolve(environment.cwd, into), outcome);
    });
  await withClient(environment, targetOf(options), async (call) => {
    // A file that cannot be read is said before anything is done.
    const passwords = options.passwords === undefined ? null : await readPasswords(environment, options.passwords);
    const finish = async (): Promise<void> => {
      if (passwords !== null) await sendPasswords({ ...call, output: asNotes(call.output) }, passwords);
    };
    if (!isUrl(from) && options.server === true) throw usage('--server reads a service: --from names its address.');
    if (!isUrl(from)) {
      await loadFolder(call, from, options);
      return finish();
    }
    if (options.server === true) {
      await migrateOnServer(call, await serverMigration(environment, options));
      return finish();
    }
    if (options.since !== undefined)
      throw usage('--since reads changes into a folder of their own: name it with --into.');
    // Before hours of reading: whether there is a service to load into, and whether it knows us.
    await call.client.ask('/users/current-user');
    const folder = usualFolder(from);
    // Before reading too: what is read now came after what was sent.
    await settleLoad({ ...call, output: asNotes(call.output) }, folder);
    tellReading(
      asNotes(call.output),
      resolve(environment.cwd, folder),
      await readSource(environment, call.output, { ...options, update: true }, folder),
    );
    const { loaded } = (await readManifest(resolve(environment.cwd, folder))) ?? {};
    await loadFolder(call, folder, { ...options, update: loaded === call.client.url });
    await finish();
  });
}

/** Where the records go; `--user` is that of the source. */
function targetOf({ profile, url, session, json }: MigrateOptions): ConnectionOptions {
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(url === undefined ? {} : { url }),
    ...(session === undefined ? {} : { session }),
    ...(json === undefined ? {} : { json }),
  };
}

async function readSource(
  environment: Environment,
  output: Output,
  options: MigrateOptions,
  into: string,
): Promise<ReadOutcome> {
  const url = sourceUrl(options.from);
  const password = await sourcePassword(environment, options.user, url, options.passwordFile);
  return runReading(environment, output, { url, user: options.user, password }, into, options);
}

async function serverMigration(environment: Environment, options: MigrateOptions): Promise<ServerMigration> {
  if (options.since !== undefined) throw usage('--since goes with --into, and that with a folder of this machine.');
  const source = sourceUrl(options.from);
  return {
    source,
    username: options.user,
    password: await sourcePassword(environment, options.user, source, options.passwordFile),
    into_filled: options.intoFilled === true,
    overwrite: options.overwrite === true,
    jobs: options.jobs !== false,
    requests_at_once: options.requestsAtOnce,
    requests_a_second: options.requestsASecond,
  };
}

/** The folder for a source where none is named: the same one each time, so that reading goes on in it. */
function usualFolder(url: string): string {
  return `from-${url
    .replace(/^https?:\/\//, '')
    .replace(/[^\w.]+/g, '-')
    .replace(/-$/, '')}`;
}

/** What comes before the result of a command is no result. */
const asNotes = (output: Output): Output => ({
  ...output,
  result: (_value, lines) => {
    for (const line of lines) output.note(line);
  },
});

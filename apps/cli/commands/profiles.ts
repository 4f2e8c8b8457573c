// `muniment profiles`: servers by name, for --profile.
import type { Command } from 'commander';
import { readCredentials } from '../credentials.ts';
import type { Environment } from '../environment.ts';
import { toCliFailure, usage } from '../failure.ts';
import type { Output } from '../output.ts';
import { makeOutput, printable, table } from '../output.ts';
import { findProfile, keepSession, keptSession, readProfiles, writeProfiles } from '../profiles.ts';

type AddOptions = { readonly url: string; readonly user: string; readonly use?: true; readonly json?: true };

/** Adds the commands. */
export function addProfiles(program: Command, environment: Environment): void {
  const { env } = environment;
  const command = program
    .command('profiles')
    .summary('list and name servers, for --profile')
    .description('Lists the servers that have a name; the one that is used where none is named has a star.')
    .enablePositionalOptions()
    .option('--json', 'JSON on standard output and nothing else there')
    .addHelpText(
      'after',
      `
Examples:
  $ muniment profiles
  $ muniment profiles add reading-room --url https://archives.example.org/api --user anna --use
  $ muniment search harbour --profile reading-room`,
    );
  act(command, environment, (output) => {
    const { current, all } = readProfiles(env);
    const rows = Object.entries(all).map(([name, { url, user }]) => [
      `${name === current ? '* ' : '  '}${name}`,
      user,
      keptSession(env, { url, user }) === undefined ? 'no' : 'yes',
      url,
    ]);
    output.result(
      Object.entries(all).map(([name, profile]) => ({ name, ...profile, current: name === current })),
      rows.length === 0
        ? ['There are no profiles yet: muniment profiles add makes one.']
        : table(['  NAME', 'USER', 'SESSION', 'ADDRESS'], rows).map(printable),
    );
  });
  const add = command
    .command('add')
    .summary('name a server')
    .description('Gives a server a name, or what is known under that name another address or user.')
    .argument('<name>', 'letters, digits, - and _')
    .requiredOption('--url <url>', 'address of the service')
    .option('--user <name>', 'who asks there', 'admin')
    .option('--use', 'use it where no other is named')
    .option('--json', 'JSON on standard output and nothing else there')
    .addHelpText(
      'after',
      `\nExamples:\n  $ muniment profiles add reading-room --url https://archives.example.org/api --user anna`,
    );
  act(add, environment, (output, name, options: AddOptions) => {
    if (!/^[\w-]{1,60}$/.test(name)) throw usage(`${name} is no name for a profile: letters, digits, - and _.`);
    const { current, all } = readProfiles(env);
    // The address and the user as the other commands read them, or refused as they would.
    const { url } = readCredentials({ url: options.url, user: options.user, password: '' }, environment);
    const profile = { url, user: options.user };
    const file = writeProfiles(env, {
      current: options.use === true ? name : current,
      all: { ...all, [name]: profile },
    });
    output.result({ name, ...profile, file }, [`${name}: ${profile.user} at ${url} (${file})`]);
  });
  const use = command
    .command('use')
    .summary('use a profile where none is named')
    .description('Uses this profile where none, and no address, is named.')
    .argument('<name>', 'name of the profile')
    .option('--json', 'JSON on standard output and nothing else there')
    .addHelpText('after', `\nExamples:\n  $ muniment profiles use reading-room`);
  act(use, environment, (output, name) => {
    const { url } = findProfile(env, name);
    writeProfiles(env, { ...readProfiles(env), current: name });
    output.result({ name, url }, [`Where no other is named, commands ask ${url}.`]);
  });
  const remove = command
    .command('remove')
    .summary('forget a profile')
    .description('Forgets a profile and the session that was kept for it.')
    .argument('<name>', 'name of the profile')
    .option('--json', 'JSON on standard output and nothing else there')
    .addHelpText('after', `\nExamples:\n  $ muniment profiles remove reading-room`);
  act(remove, environment, (output, name) => {
    const profile = findProfile(env, name);
    const { current, all } = readProfiles(env);
    const { [name]: _gone, ...others } = all;
    writeProfiles(env, { current: current === name ? null : current, all: others });
    if (keptSession(env, profile) !== undefined) keepSession(env, profile, undefined);
    output.result({ name }, [`${name} is forgotten.`]);
  });
}

/** Runs what asks no service: shows a failure and sets the exit code, as withClient does. */
function act(
  command: Command,
  environment: Environment,
  run: (output: Output, name: string, options: AddOptions) => void,
): void {
  command.action((...given: readonly unknown[]) => {
    const options = command.optsWithGlobals<AddOptions>();
    const output = makeOutput(environment.streams, options.json === true);
    try {
      run(output, typeof given[0] === 'string' ? given[0] : '', options);
    } catch (error) {
      const failure = toCliFailure(error);
      output.failure(failure);
      environment.end(failure.exitCode);
    }
  });
}

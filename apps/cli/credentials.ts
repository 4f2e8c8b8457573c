// Where the service is and who asks: options first, then the environment, then a profile of the user, then the password file that a first
// start generates.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { usage } from './failure.ts';
import type { Profile } from './profiles.ts';
import { findProfile, keptSession, readProfiles } from './profiles.ts';

/** The options that every command which asks the service has. */
export type ConnectionOptions = {
  readonly profile?: string;
  readonly url?: string;
  readonly user?: string;
  readonly password?: string;
  readonly session?: string;
  readonly json?: boolean;
};

/** A resolved connection. `passwordFrom` says in words where the password came from. */
export type Credentials = {
  /** Without a slash at the end. */
  readonly url: string;
  readonly user: string;
  readonly session: string | undefined;
  readonly password: string | undefined;
  readonly passwordFrom: string;
};

type Surroundings = { readonly env: { readonly [name: string]: string | undefined }; readonly cwd: string };

const defaultUrl = 'http://127.0.0.1:8089';

/** Adds the options of a connection, and --json, to a command. */
export function addConnectionOptions(command: Command): Command {
  return command
    .option('--profile <name>', 'a server of `profiles` (environment: MUNIMENT_PROFILE)')
    .option('--url <url>', `address of the service (environment: MUNIMENT_URL; otherwise ${defaultUrl})`)
    .option('--user <name>', 'user name (environment: MUNIMENT_USER; otherwise admin)')
    .option('--password <password>', 'password; others on this machine can see it: better in MUNIMENT_PASSWORD')
    .option('--session <token>', 'a session made by `login` (environment: MUNIMENT_SESSION), in place of a password')
    .option('--json', 'JSON on standard output and nothing else there');
}

/** Resolves the options of a connection. Fails as wrong use where the address is none, or a user or session is empty. */
export function readCredentials(options: ConnectionOptions, { env, cwd }: Surroundings): Credentials {
  const given = (name: string): string | undefined =>
    env[name] === undefined || env[name] === '' ? undefined : env[name];
  refuseEmpty(options);
  const profile = profileOf(options, given, env);
  // A profile on the command line is meant: an address, user or session left in the environment does not overrule it.
  const fromEnvironment = options.profile === undefined ? given : () => undefined;
  const url = toBaseUrl(options.url ?? fromEnvironment('MUNIMENT_URL') ?? profile?.url ?? defaultUrl);
  const user = options.user ?? fromEnvironment('MUNIMENT_USER') ?? profile?.user ?? 'admin';
  const address = url.href.replace(/\/+$/, '');
  // So are a user and a password: of other users' sessions none is taken.
  const isNamed = options.user !== undefined || options.password !== undefined;
  const namedSession = options.session ?? (isNamed ? undefined : fromEnvironment('MUNIMENT_SESSION'));
  const session =
    namedSession ?? (options.password === undefined ? keptSession(env, { url: address, user }) : undefined);
  const found = findPassword();
  return {
    url: address,
    user,
    session,
    password: found?.password,
    passwordFrom: found?.from ?? 'nowhere',
  };

  function findPassword(): { readonly password: string; readonly from: string } | undefined {
    if (options.password !== undefined) return { password: options.password, from: '--password' };
    const held = given('MUNIMENT_PASSWORD');
    if (held !== undefined && isForHere()) return { password: held, from: 'MUNIMENT_PASSWORD' };
    // Who names a session may be somebody else: when it has ended, nobody becomes admin by that.
    if (namedSession !== undefined || user !== 'admin' || !isLocal(url)) return undefined;
    const folder = given('MUNIMENT_DATA_DIR');
    const file =
      folder === undefined
        ? fileURLToPath(new URL('../../data/admin-password', import.meta.url))
        : join(resolve(cwd, folder), 'admin-password');
    const password = readIfAny(file);
    return password === undefined ? undefined : { password, from: file };
  }

  /** Whether the password of the environment belongs to this server: one that is named beside another address is not sent here. */
  function isForHere(): boolean {
    const named = given('MUNIMENT_URL');
    return options.profile === undefined || named === undefined || named.replace(/\/+$/, '') === address;
  }
}

/** A shell's variable that was not set: the service would take it for something else than a login, and show the password in what it says of it. */
function refuseEmpty(options: ConnectionOptions): void {
  for (const name of ['user', 'session'] as const) if (options[name]?.trim() === '') throw usage(`--${name} is empty.`);
}

/** The profile that counts: the one that is named, otherwise the user's own choice, unless an address is named. */
function profileOf(
  options: ConnectionOptions,
  given: (name: string) => string | undefined,
  env: Surroundings['env'],
): Profile | undefined {
  if (options.profile !== undefined) return findProfile(env, options.profile);
  if (options.url !== undefined || given('MUNIMENT_URL') !== undefined) return undefined;
  const name = given('MUNIMENT_PROFILE') ?? readProfiles(env).current;
  return name === null ? undefined : findProfile(env, name);
}

function toBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw usage(`${text} is no address: it should look like ${defaultUrl}`);
  if (url.username !== '' || url.password !== '')
    throw usage('The address holds a user or password: give them with --user and MUNIMENT_PASSWORD.');
  url.hash = '';
  url.search = '';
  return url;
}

/** The generated password belongs to the service on this machine: it is never sent to another one. */
function isLocal(url: URL): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

function readIfAny(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined; // Absent, or another user's: then a password has to be given.
  }
}

/** The first line of standard input; for passwords, which do not belong on a command line. Fails as wrong use where it is empty. */
export async function readFirstLine({
  stdin,
  signal,
}: {
  readonly stdin: NodeJS.ReadStream;
  readonly signal: AbortSignal;
}): Promise<string> {
  let text = '';
  try {
    // Ctrl-C is heard while nothing is typed, too.
    for await (const chunk of addAbortSignal(signal, stdin)) text += String(chunk);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
  const line = text.split(/\r?\n/, 1)[0] ?? '';
  if (line === '') throw usage('The password is read from standard input, which is empty.');
  return line;
}

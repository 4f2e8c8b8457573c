// Profiles: servers by name with who asks there, in a file of the user; and the sessions that `login --keep` made, in one that nobody else reads.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject } from '#domain/json.ts';
import { isObject, objectOf, textOf } from '#domain/json.ts';
import { usage } from './failure.ts';

/** A server by name. */
export type Profile = { readonly url: string; readonly user: string };

/** All profiles by name, and which of them counts where none is named. */
export type Profiles = { readonly current: string | null; readonly all: { readonly [name: string]: Profile } };

type Variables = { readonly [name: string]: string | undefined };

/** The file of profiles, or null where the user has no place for such things: $XDG_CONFIG_HOME, ~/.config, %APPDATA%. */
function profilesFile(env: Variables): string | null {
  return inFolder(env, 'XDG_CONFIG_HOME', '.config', 'profiles.json');
}

/** The file of sessions, beside nothing that is shared or backed up with the settings: $XDG_STATE_HOME, ~/.local/state, %APPDATA%. */
function sessionsFile(env: Variables): string | null {
  return inFolder(env, 'XDG_STATE_HOME', '.local/state', 'sessions.json');
}

function inFolder(env: Variables, variable: string, below: string, name: string): string | null {
  const given = env[variable];
  const home = env['HOME'];
  const folder =
    given !== undefined && given.startsWith('/')
      ? given
      : home === undefined || home === ''
        ? (env['APPDATA'] ?? '')
        : join(home, below);
  return folder === '' ? null : join(folder, 'muniment', name);
}

/** Reads the profiles; none where there is no file. Fails as wrong use where the file cannot be read as one. */
export function readProfiles(env: Variables): Profiles {
  const held = readJson(profilesFile(env));
  const all = Object.entries(objectOf(held, 'profiles') ?? {}).flatMap(([name, value]) => {
    const url = isObject(value) ? textOf(value, 'url') : undefined;
    return url === undefined || !isObject(value)
      ? []
      : [[name, { url, user: textOf(value, 'user') ?? 'admin' }] as const];
  });
  return { current: textOf(held, 'current') ?? null, all: Object.fromEntries(all) };
}

/** Writes all profiles in place of those that are there; gives the path of their file. Fails as wrong usage where no folder is known to put it in. */
export function writeProfiles(env: Variables, { current, all }: Profiles): string {
  const file = profilesFile(env);
  if (file === null) throw usage('There is no place for profiles: HOME and XDG_CONFIG_HOME are not set.');
  writeJson(file, { ...(current === null ? {} : { current }), profiles: all });
  return file;
}

/** The profile of this name. Fails as wrong use, with the names there are. */
export function findProfile(env: Variables, name: string): Profile {
  const { all } = readProfiles(env);
  const found = Object.entries(all).find(([each]) => each === name)?.[1];
  if (found !== undefined) return found;
  const names = Object.keys(all);
  throw usage(
    `There is no profile ${name}; ${names.length === 0 ? 'there is none yet (muniment profiles add makes one)' : `there are: ${names.join(', ')}`}.`,
  );
}

/** The session that was kept for a user at an address. */
export function keptSession(env: Variables, { url, user }: Profile): string | undefined {
  return textOf(readJson(sessionsFile(env)), keyOf(url, user));
}

/** Keeps the session of a user at an address; undefined forgets it. */
export function keepSession(env: Variables, { url, user }: Profile, session: string | undefined): string {
  const file = sessionsFile(env);
  if (file === null) throw usage('There is no place to keep a session: HOME and XDG_STATE_HOME are not set.');
  const { [keyOf(url, user)]: _before, ...others } = readJson(file);
  writeJson(file, session === undefined ? others : { ...others, [keyOf(url, user)]: session });
  return file;
}

const keyOf = (url: string, user: string): string => `${user}@${url.replace(/\/+$/, '')}`;

function readJson(file: string | null): JsonObject {
  let text: string;
  try {
    text = file === null ? '{}' : readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw usage(`${file} cannot be read: ${String(error)}.`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Said below, as of anything that is no object.
  }
  throw usage(`${file} is damaged: it should hold a JSON object. Mend it or remove it.`);
}

/** Written beside and moved into place, readable by the user alone from its first byte. */
function writeJson(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const part = `${file}.${process.pid}`;
  writeFileSync(part, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(part, file);
}

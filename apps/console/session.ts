// Who is at the console, and the connection that everything asks through. The session is in a cookie that no script can read; what the page
// knows is the token that must come with it. Where the session ends, requests wait for a new login and go on then, so nothing typed is lost.
import { signal } from '@preact/signals';
import type { Connection, Sending } from '../../libs/client/connection.ts';
import { openConnection } from '../../libs/client/connection.ts';
import { SessionGone } from '../../libs/client/errors.ts';
import type { Json, JsonObject } from '../../libs/domain/json.ts';
import { isObject, objectOf, textOf, textsOf } from '../../libs/domain/json.ts';

/** Whoever is logged in, with the codes of what they may do by repository. */
export type User = { readonly username: string; readonly name: string; readonly permissions: JsonObject };

/** Who is logged in; null: nobody; undefined: not known yet. */
export const user = signal<User | null | undefined>(undefined);

/** Whether the session of `user` has ended, and a login is waited for. */
export const hasEnded = signal(false);

let csrf = 'none';
let waiting: (() => void)[] = [];
let asking: Promise<void> | undefined;
const path = '/console/session';

const plain = openConnection({ url: location.origin, csrfToken: () => csrf });

const withSession = async <T>(work: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SessionGone)) throw error;
    }
    // Requests that find out together ask once.
    asking ??= renew().finally(() => {
      asking = undefined;
    });
    await asking;
  }
};

/** The connection of the console. Requests whose session has ended are answered when somebody has logged in again. */
export const service: Connection = {
  ...plain,
  send: (to: string, sending?: Sending) => withSession(() => plain.send(to, sending)),
  ask: (to: string, sending?: Sending) => withSession(() => plain.ask(to, sending)),
};

/** Asks who is logged in, at the start. */
export async function readSession(): Promise<void> {
  const state = await plain.ask(path, { isPublic: true });
  takeToken(state);
  user.value = userIn(state);
}

async function renew(): Promise<void> {
  // Somebody may have logged in again in another tab.
  const state = await plain.ask(path, { isPublic: true });
  if (isSameUser(userIn(state))) {
    takeToken(state);
    return;
  }
  hasEnded.value = true;
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
  });
}

/** Logs in; throws as the connection does where that is refused. */
export async function logIn(username: string, password: string): Promise<void> {
  const state = await plain.ask(path, {
    method: 'POST',
    form: { username, password },
    headers: { 'x-csrf-token': 'none' },
    isPublic: true,
  });
  const found = userIn(state);
  if (hasEnded.value && !isSameUser(found)) {
    // What is open belongs to somebody else.
    location.reload();
    return;
  }
  takeToken(state);
  user.value = found;
  hasEnded.value = false;
  for (const goOn of waiting) goOn();
  waiting = [];
}

/** Logs out. The session ends at the service too. */
export async function logOut(): Promise<void> {
  await plain.ask(path, { method: 'DELETE' }).catch((error: unknown) => {
    if (!(error instanceof SessionGone)) throw error;
  });
  csrf = 'none';
  user.value = null;
}

/** Whether somebody is who the page belongs to. The session of anybody else is none for it: what it asks would be asked in their name. */
const isSameUser = (found: User | null): boolean => found !== null && found.username === user.value?.username;

function takeToken(state: Json): void {
  // The token of a session that has ended stays: what is asked meanwhile is told so, and waits for the login too.
  csrf = (isObject(state) ? textOf(state, 'csrf_token') : undefined) ?? csrf;
}

function userIn(state: Json): User | null {
  const record = isObject(state) ? objectOf(state, 'user') : undefined;
  if (record === undefined) return null;
  return {
    username: textOf(record, 'username') ?? '',
    name: textOf(record, 'name') ?? '',
    permissions: objectOf(record, 'permissions') ?? {},
  };
}

/** Whether there is a place where the user has all of these permissions. */
export const mayAnywhere = (...codes: readonly string[]): boolean =>
  Object.keys(user.value?.permissions ?? {}).some((scope) => codes.every((code) => may(code, scope)));

/** Whether the user has a permission in a repository or everywhere; the service judges by itself all the same. */
export function may(code: string, repository: string | null): boolean {
  const permissions = user.value?.permissions ?? {};
  const scopes = repository === null ? ['/repositories/1', '_service'] : [repository, '/repositories/1', '_service'];
  return scopes.some((scope) => textsOf(permissions, scope).includes(code));
}

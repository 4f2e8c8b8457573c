// Whether somebody is who they say: a user name and a password, under the limits on failed logins. Refusals all sound alike.
import { fail } from '#domain/errors.ts';
import type { LoginUser } from '#store/access/users.ts';
import { findDearestHash, fitsSourceHash, useSourceHash } from '#store/access/source-passwords.ts';
import { findLogin, holdProven, setPassword } from '#store/access/users.ts';
import type { Transaction } from '#store/connection/database.ts';
import type { Call } from '../route.ts';
import { audit } from './audit.ts';

/** The failure of every login that is refused, whatever for. */
export const loginFailed = (): ReturnType<typeof fail> => fail('login_failed', 'Login failed');

type Proving = Pick<Call<unknown, unknown>, 'caller' | 'services' | 'address' | 'requestId' | 'log'>;

/**
 * The active user of this name and password, with the hash that the password fits. Fails with `login_failed`, also where a limit is used up; a wrong password is counted and told in the
 * audit log, a name that nobody has without the name: it may be a password in the wrong field.
 */
export async function proveLogin(call: Proving, username: string, password: string): Promise<LoginUser> {
  const { services, address, log } = call;
  const { database, loginLimit, passwords } = services;
  const attempt = { username, address };
  const refuseBlocked = async (): Promise<void> => {
    if (!(await loginLimit.isBlocked(database.reader, attempt))) return;
    log.warn({ event: 'login_throttled', username });
    throw loginFailed();
  };
  await refuseBlocked();
  const found = await findLogin(database.reader, username);
  const isOwn = await passwords.verify(password, found?.passwordHash ?? null);
  const brought = isOwn ? null : await provesBrought(call, found, password);
  const fits = isOwn || brought !== null;
  if (found === null || !fits || !found.isActive) {
    await database.transaction(async (tx) => {
      const isLast = await loginLimit.failed(tx, attempt);
      const subject = found === null ? {} : { subject: `/users/${found.id}` };
      await audit(tx, call, { event: 'login_failed', ...subject });
      if (isLast) await audit(tx, call, { event: 'login_blocked', ...subject });
    });
    log.info({ event: 'login_failed', username });
    throw loginFailed();
  }
  // Many that came at once all passed the first look: what they find out counts no more once the limit is used up.
  await refuseBlocked();
  return brought === null ? found : takeOver(call, found, password, brought);
}

/**
 * Proving takes a while, in which the password may be set anew or the account taken away, and the sessions with it. What is done for who proved to be
 * this user is done in a transaction that begins with this. Fails with `login_failed`.
 */
export async function demandStillProven(tx: Transaction, found: LoginUser, how: 'share' | 'change'): Promise<void> {
  if (!(await holdProven(tx, found, how))) throw loginFailed();
}

/**
 * The hash that the user brought from another service, where the password fits it; null: none, or it does not. While anybody has such a hash, every
 * login that fails costs what one of these does: how long it takes tells nobody whose name is known.
 */
async function provesBrought(
  { services: { database } }: Proving,
  found: LoginUser | null,
  password: string,
): Promise<string | null> {
  const hash = found?.broughtHash ?? null;
  const looked = hash ?? (await findDearestHash(database.reader));
  const fits = looked !== null && (await fitsSourceHash(password, looked));
  return fits ? hash : null;
}

/** Stores our own hash in place of the one that the user brought; gives the user with it. */
async function takeOver(call: Proving, found: LoginUser, password: string, brought: string): Promise<LoginUser> {
  const { database, passwords } = call.services;
  const hash = await passwords.hash(password);
  const isFirst = await database.transaction(async (tx) => {
    // Of logins that come together the first one does it.
    if (!(await useSourceHash(tx, found.id, brought))) return false;
    await setPassword(tx, found.id, hash);
    await audit(tx, call, { event: 'password_taken_over', subject: `/users/${found.id}` });
    return true;
  });
  if (isFirst) return { ...found, passwordHash: hash };
  // Another login did, or somebody set another password.
  const now = await findLogin(database.reader, found.username);
  if (now === null || !(await passwords.verify(password, now.passwordHash))) throw loginFailed();
  return now;
}

// Whether somebody is who they say: a user name and a password, under the limits on failed logins. Refusals all sound alike.
import { fail } from '#domain/errors.ts';
import type { LoginUser } from '#store/access/users.ts';
import { findLogin } from '#store/access/users.ts';
import type { Call } from '../route.ts';
import { audit } from './audit.ts';

/** The failure of every login that is refused, whatever for. */
export const loginFailed = (): ReturnType<typeof fail> => fail('login_failed', 'Login failed');

type Proving = Pick<Call<unknown, unknown>, 'caller' | 'services' | 'address' | 'requestId' | 'log'>;

/**
 * The active user of this name and password. Fails with `login_failed`, also where a limit is used up; a wrong password is counted and told in the
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
  const fits = await passwords.verify(password, found?.passwordHash ?? null);
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
  return found;
}

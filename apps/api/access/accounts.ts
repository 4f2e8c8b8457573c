// Changes of users, groups, repositories and controlled lists as routes make them: one transaction, and what this process
// remembers is fresh before the reply goes out. Other processes are told by NOTIFY. And what is asked of who manages users.
import type { Caller } from '#domain/access/caller.ts';
import { can } from '#domain/access/caller.ts';
import { longestPassword, passwordFault } from '#domain/access/password-rules.ts';
import { parseUri } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { commonPasswords } from '#store/access/common-passwords.ts';
import { isAdministrator } from '#store/access/grants.ts';
import type { LoginUser } from '#store/access/users.ts';
import { readUser } from '#store/access/users.ts';
import type { Transaction } from '#store/connection/database.ts';
import type { AgentContext } from '#store/repositories/service-agents.ts';
import type { Call } from '../route.ts';
import type { Services } from '../services.ts';
import { proveLogin } from './prove-login.ts';

type Options = { readonly statementTimeoutMs?: number };

/** Runs a transaction that changes users, groups or repositories; the next request of anybody sees it. */
export async function changeAccess<T>(
  services: Services,
  work: (tx: Transaction) => Promise<T>,
  options: Options = {},
): Promise<T> {
  const value = await services.database.transaction(work, options);
  services.sessionStore.forget();
  services.repositories.forget();
  return value;
}

/** Runs a transaction that changes controlled lists; the next body is checked against the new ones. */
export async function changeLists<T>(
  services: Services,
  work: (tx: Transaction) => Promise<T>,
  options: Options = {},
): Promise<T> {
  const value = await services.database.transaction(work, options);
  await services.enumerations.reload();
  return value;
}

/** What the agents that the service makes by itself are signed and checked with. */
export function agentContext(caller: Caller, services: Services): AgentContext {
  return { actor: caller.username, generatedValues: services.generatedValues, enumerations: services.enumerations };
}

/** The failure of somebody who may not do this to this account. */
export const denied = (): ReturnType<typeof fail> => fail('access_denied', 'Access denied');

type Calling = Pick<Call<unknown, unknown>, 'caller' | 'services'>;

/** Those who may manage users may not touch administrators unless they are one. Asked before anything is done; the transaction asks again (protectAdministrator). */
export async function refuseAdministrator({ caller, services }: Calling, userId: number): Promise<void> {
  if (can(caller, 'administer_system', null)) return;
  if (isAdministrator((await readUser(services.database.reader, userId)).grants)) throw denied();
}

/** Whose new password it is: `isOwn` where users choose it for themselves. */
type NewPassword = { readonly password: string; readonly username: string; readonly isOwn: boolean };

/** The hash of a new password. Fails with `bad_parameter` where it is not what the installation asks for. */
export function hashNewPassword({ config, passwords }: Services, given: NewPassword): Promise<string> {
  const { MUNIMENT_PASSWORD_RULES: rules, MUNIMENT_PASSWORD_MIN_LENGTH: least } = config;
  const isRuled = rules === 'all' || (rules === 'people' && given.isOwn);
  const fault = isRuled
    ? passwordFault(given.password, given.username, { least, common: commonPasswords() })
    : plainFault(given.password);
  if (fault !== null) throw fail('bad_parameter', { password: [fault] });
  return passwords.hash(given.password);
}

/** What is wrong with a password for which there are no rules: what nobody could log in with. */
const plainFault = (password: string): string | null =>
  password === '' ? 'Must not be empty' : password.length > longestPassword ? 'Is too long' : null;

/**
 * Refuses a change of the own password without the current one, as a login that failed, and under the limits of logins: whoever finds a session
 * open would otherwise have the account. What is given back is to be held by the transaction that changes it (demandStillProven); null: nothing was asked.
 */
export async function demandCurrentPassword(
  call: Parameters<typeof proveLogin>[0],
  current: string | null,
): Promise<LoginUser | null> {
  const { caller, services } = call;
  if (!services.config.MUNIMENT_PASSWORD_ASK_CURRENT || caller.username === null) return null;
  if (current === null) throw fail('bad_parameter', { current_password: ['Parameter required but no value provided'] });
  return proveLogin(call, caller.username, current);
}

/** The groups of uris by repository. A text that is no uri of a group is a 400. */
export function groupsByRepository(uris: readonly string[]): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, readonly number[]>();
  for (const uri of uris) {
    const address = parseUri(uri);
    if (address === null || address.kind !== 'group' || address.repoId === null)
      throw fail('bad_parameter', { groups: [`Group not found: ${uri}`] });
    groups.set(address.repoId, [...(groups.get(address.repoId) ?? []), address.id]);
  }
  return groups;
}

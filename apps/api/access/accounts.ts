// Changes of users, groups, repositories and controlled lists as routes make them: one transaction, and what this process
// remembers is fresh before the reply goes out. Other processes are told by NOTIFY. And what is asked of who manages users.
import type { Caller } from '#domain/access/caller.ts';
import { can } from '#domain/access/caller.ts';
import { parseUri } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { isAdministrator } from '#store/access/grants.ts';
import { readUser } from '#store/access/users.ts';
import type { Transaction } from '#store/connection/database.ts';
import type { AgentContext } from '#store/repositories/service-agents.ts';
import type { Call } from '../route.ts';
import type { Services } from '../services.ts';

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

/** Those who may manage users may not touch administrators unless they are one: a password set for admin would make them one. */
export async function refuseAdministrator({ caller, services }: Calling, userId: number): Promise<void> {
  if (can(caller, 'administer_system', null)) return;
  if (isAdministrator((await readUser(services.database.reader, userId)).grants)) throw denied();
}

/** The hash of a new password. Fails with `bad_parameter` where it is shorter than the installation asks for. */
export function hashNewPassword({ config, passwords }: Services, password: string): Promise<string> {
  const least = config.MUNIMENT_PASSWORD_MIN_LENGTH;
  if ([...password].length < least) throw fail('bad_parameter', { password: [`Must be at least ${least} characters`] });
  return passwords.hash(password);
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

// Changes of users, groups, repositories and controlled lists as routes make them: one transaction, and what this process
// remembers is fresh before the reply goes out. Other processes are told by NOTIFY.
import type { Caller } from '#domain/access/caller.ts';
import type { Transaction } from '#store/connection/database.ts';
import type { AgentContext } from '#store/repositories/service-agents.ts';
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
  return { actor: caller.username, making: services.making, enumerations: services.enumerations };
}

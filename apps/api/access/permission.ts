// Whether a caller may do what a route does: its declared access against what the caller holds (contract 1.1, 5.2).
import type { Caller } from '#domain/access/caller.ts';
import { can } from '#domain/access/caller.ts';
import { mayWantSuppressed } from '#domain/access/suppression.ts';
import { showSuppressed } from '#store/settings/preferences.ts';
import type { Access, UntypedCall } from '../route.ts';
import type { Services } from '../services.ts';

/** Whether the declared access lets the call through. */
export function isPermitted(access: Access<UntypedCall>, call: UntypedCall): boolean | Promise<boolean> {
  if (access === 'public') return true;
  if (access === 'session') return call.caller.userId !== null;
  if ('check' in access) return access.check(call);
  const holds = (code: string): boolean => can(call.caller, code, call.repoId);
  return 'all' in access ? access.all.every(holds) : access.any.some(holds);
}

/** Whether the caller's preferences show suppressed records in the repository; asked only where they decide (contract 5.2). */
export async function prefersSuppressed(services: Services, caller: Caller, repoId: number | null): Promise<boolean> {
  if (!mayWantSuppressed(caller, repoId)) return false;
  return showSuppressed(await services.preferences.effective({ userId: caller.userId, repoId }));
}

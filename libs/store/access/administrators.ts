// The accounts of administrators, which those who may manage users do not touch: a password set for one would make them one.
import { fail } from '#domain/errors.ts';
import type { Transaction } from '../connection/database.ts';
import { isAdministrator, readCaller, readGrants } from './grants.ts';

/**
 * Refuses a change to the account of an administrator by somebody who is none, and whose own it is not; `actor` is a user name, null the service itself. Ask it once the user is held as by
 * holdUser(): routes have asked before that, in the meantime somebody may have been made administrator, and chosen a password since.
 */
export async function protectAdministrator(tx: Transaction, userId: number, actor: string | null): Promise<void> {
  if (actor === null || !isAdministrator((await readGrants(tx, [userId])).get(userId))) return;
  const caller = await readCaller(tx, actor);
  if (caller.userId !== userId && !isAdministrator(caller.grants)) throw fail('access_denied', 'Access denied');
}

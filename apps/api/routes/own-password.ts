// Changing the own password, and what every change of a password does (contract 2.1, 2.3).
import { shape } from '../openapi/shape.ts';
import { fail } from '#domain/errors.ts';
import { setPassword } from '#store/access/users.ts';
import type { Transaction } from '#store/connection/database.ts';
import { changeAccess, demandCurrentPassword, hashNewPassword } from '../access/accounts.ts';
import { demandStillProven } from '../access/prove-login.ts';
import type { Audited } from '../access/audit.ts';
import { audit } from '../access/audit.ts';
import { id, text } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { Services } from '../services.ts';

/** The parameter with the current password. */
export const currentPassword = text({
  optional: true,
  doc: 'The current password, where it is the own one that is changed (MUNIMENT_PASSWORD_ASK_CURRENT).',
  example: 'admin',
});

/** Sets a password, which ends what the old one opened, but the session of `keptToken`; and tells of it. */
export async function changePassword(
  tx: Transaction,
  call: Audited & { readonly services: Services },
  userId: number,
  hash: string,
  keptToken: string | null,
): Promise<void> {
  await setPassword(tx, userId, hash);
  await call.services.sessionStore.endAllOf(tx, userId, keptToken);
  await audit(tx, call, { event: 'password_changed', subject: `/users/${userId}` });
}

const ownPassword = defineRoute({
  method: 'POST',
  path: '/users/:id/password',
  operation: 'changeOwnPassword',
  area: 'users',
  summary: 'Change the own password',
  doc: 'Ends the sessions of the user, this one too. The password must be what MUNIMENT_PASSWORD_RULES ask for.',
  release: 'R-B',
  form: true,
  access: {
    check: (call) => call.caller.userId !== null && call.caller.userId === call.params.id,
    says: 'the user itself',
  },
  parameters: {
    id: id({ example: 1 }),
    password: text({ doc: 'The new password.', example: 'seven letters to the harbour' }),
    current_password: currentPassword,
  },
  replies: {
    200: { says: 'Done.', shape: shape.object({ success: shape.text }) },
    400: 'The password is too short or too common, or the current one is missing.',
    403: 'Another user, or the current password is wrong.',
  },
  handler: async (call) => {
    const { params, services, caller } = call;
    if (caller.username === null) throw fail('access_denied', 'Access denied');
    const proven = await demandCurrentPassword(call, params.current_password);
    const given = { password: params.password, username: caller.username, isOwn: true };
    const hash = await hashNewPassword(services, given);
    await changeAccess(services, async (tx) => {
      if (proven !== null) await demandStillProven(tx, proven, 'change');
      await changePassword(tx, call, params.id, hash, null);
    });
    return { success: 'password updated' };
  },
});

/** The routes of this file. */
export const ownPasswordRoutes: readonly Route[] = [ownPassword];

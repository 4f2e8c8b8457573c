// Invitations: accounts that arrived without a password get a token, with which their people choose one (decision 0029).
import { shape } from '../openapi/shape.ts';
import { findLogin } from '#store/access/users.ts';
import { inviteUser, isInvited, listWithoutPassword, useInvitation } from '#store/access/invitations.ts';
import { changeAccess, hashNewPassword, refuseAdministrator } from '../access/accounts.ts';
import { audit } from '../access/audit.ts';
import { loginFailed } from '../access/prove-login.ts';
import { json } from '../reply/reply.ts';
import { id, integerBetween, text, username } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { changePassword } from './own-password.ts';

const area = 'users';
const usualHours = 72;
const mostHours = 720;

const list = defineRoute({
  method: 'GET',
  path: '/users/without-password',
  operation: 'listUsersWithoutPassword',
  area,
  summary: 'Users who have no password',
  doc: 'Those who may log in but cannot, by name: accounts that were loaded from another service. They can be invited.',
  access: { all: ['manage_users'] },
  parameters: {},
  replies: {
    200: {
      says: 'The users.',
      shape: shape.list(
        shape.object({
          uri: shape.uri,
          username: shape.text,
          name: shape.nullable(shape.text),
          email: shape.nullable(shape.text),
        }),
      ),
      example: [{ uri: '/users/7', username: 'archivist', name: 'Anna Archivist', email: null }],
    },
  },
  handler: async ({ services }) =>
    (await listWithoutPassword(services.database.reader)).map(({ id: userId, ...user }) => ({
      uri: `/users/${userId}`,
      ...user,
    })),
});

const invite = defineRoute({
  method: 'POST',
  path: '/users/:id/invitation',
  operation: 'inviteUser',
  repeatable: false,
  area,
  summary: 'Invite a user to choose a password',
  doc: 'For users without a password. The token is shown this once, is good for one password, and ends an earlier one of the user. Administrators are invited by administrators alone.',
  access: { all: ['manage_users'] },
  parameters: {
    id: id(),
    hours: integerBetween(1, mostHours)({ default: usualHours, doc: 'How long the token is good.' }),
  },
  replies: {
    200: {
      says: 'The token, and whose it is.',
      shape: shape.object({ username: shape.text, token: shape.text, expires_at: shape.time }),
    },
    400: 'The user has a password, or may not log in.',
    404: "User wasn't found",
  },
  handler: async (call) => {
    const { params, services, caller, log } = call;
    await refuseAdministrator(call, params.id);
    const invitation = await services.database.transaction(async (tx) => {
      const made = await inviteUser(tx, params.id, params.hours, caller.username);
      await audit(tx, call, {
        event: 'user_invited',
        subject: `/users/${params.id}`,
        details: { expires_at: made.expiresAt },
      });
      return made;
    });
    log.info({ event: 'user_invited', user_id: params.id, by: caller.username });
    const { username: name, token, expiresAt } = invitation;
    return json({ username: name, token, expires_at: expiresAt }, 200, { 'cache-control': 'no-store' });
  },
});

const accept = defineRoute({
  method: 'POST',
  path: '/users/:username/accept-invitation',
  operation: 'acceptInvitation',
  repeatable: false,
  area,
  summary: 'Choose a password with an invitation',
  doc: 'Sets the password of a user who was invited; then the user logs in with it. The token is used up by that, not by a password that is refused. Tokens that are wrong count as failed logins, under the same limits.',
  access: 'public',
  form: true,
  parameters: {
    username: username({ doc: 'User name; case does not matter.', example: 'archivist' }),
    token: text({ doc: 'The token of the invitation.', example: '5f1c'.repeat(16) }),
    password: text({
      doc: 'The new password, as MUNIMENT_PASSWORD_RULES ask for it.',
      example: 'seven letters to the harbour',
    }),
  },
  replies: {
    200: { says: 'Done.', shape: shape.object({ success: shape.text }) },
    400: 'The password is too short or too common.',
    403: 'Login failed: no such user, or the token is wrong, used, or too old.',
  },
  handler: async (call) => {
    const { params, services, address, log } = call;
    const { database, loginLimit } = services;
    const attempt = { username: params.username, address };
    if (await loginLimit.isBlocked(database.reader, attempt)) throw loginFailed();
    const found = await findLogin(database.reader, params.username);
    if (
      found === null ||
      !found.isActive ||
      found.isSystemUser ||
      !(await isInvited(database.reader, found.id, params.token))
    ) {
      const subject = found === null ? {} : { subject: `/users/${found.id}` };
      await database.transaction(async (tx) => {
        const isLast = await loginLimit.failed(tx, attempt);
        await audit(tx, call, { event: 'login_failed', ...subject, details: { with: 'invitation' } });
        if (isLast) await audit(tx, call, { event: 'login_blocked', ...subject });
      });
      throw loginFailed();
    }
    // Only who has a token makes the service hash anything.
    const hash = await hashNewPassword(services, { password: params.password, username: found.username, isOwn: true });
    await changeAccess(services, async (tx) => {
      if (!(await useInvitation(tx, found.id, params.token))) throw loginFailed();
      await audit(tx, call, { event: 'invitation_accepted', subject: `/users/${found.id}` }, found.username);
      await changePassword(tx, call, found.id, hash, null);
    });
    log.info({ event: 'invitation_accepted', username: found.username });
    return { success: 'password set' };
  },
});

/** The routes of this file. */
export const invitationRoutes: readonly Route[] = [list, invite, accept];

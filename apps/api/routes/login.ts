// Sessions: log in, log out, act as another user, who am I (contract 2.1, 2.2). Query strings of these routes are never logged.
import { shape } from '../openapi/shape.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { can } from '#domain/access/caller.ts';
import { permissionsOf } from '#domain/access/user-permissions.ts';
import { protectAdministrator } from '#store/access/administrators.ts';
import { holdUser, isAdministrator } from '#store/access/grants.ts';
import { findLogin, noteLogin, readUser } from '#store/access/users.ts';
import { audit } from '../access/audit.ts';
import { sessionGone } from '../plugins/sessions.ts';
import { demandStillProven, loginFailed, proveLogin } from '../access/prove-login.ts';
import type { Reply } from '../reply/reply.ts';
import { json } from '../reply/reply.ts';
import { boolean, text, username } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { Services } from '../services.ts';

/** A user as single reads and logins show it: with `permissions`, and without what the release does not have. */
export async function userWithPermissions(services: Services, id: number): Promise<JsonObject> {
  const { config, database } = services;
  const { record, grants } = await readUser(database.reader, id);
  const form = { release: config.MUNIMENT_RELEASE, globalKey: config.MUNIMENT_GLOBAL_PERMISSIONS_KEY };
  return { ...ofRelease(record, config.MUNIMENT_RELEASE), permissions: permissionsOf(grants, form) };
}

/** A user record without what R-A does not show. */
export function ofRelease(record: JsonObject, release: 'R-A' | 'R-B'): JsonObject {
  if (release === 'R-B') return record;
  const { source: _source, ...rest } = record;
  return rest;
}

/** A reply that holds a token: it is nobody's to keep. */
export const unstored = (value: JsonObject, headers: { readonly [name: string]: string } = {}): Reply =>
  json(value, 200, { 'cache-control': 'no-store', ...headers });

type Starting = Parameters<typeof proveLogin>[0];

/** Begins a session of whoever proves to be this user, and tells the audit log. Fails with `login_failed`. */
export async function startSession(
  call: Starting,
  given: { readonly username: string; readonly password: string; readonly expiring: boolean },
): Promise<{ readonly session: string; readonly user: JsonObject }> {
  const { services, address, log } = call;
  const { database, loginLimit, sessionStore } = services;
  const found = await proveLogin(call, given.username, given.password);
  const session = await database.transaction(async (tx) => {
    // First, since it may write what the next one holds with others.
    await noteLogin(tx, found.id);
    await demandStillProven(tx, found, 'share');
    await loginLimit.succeeded(tx, { username: given.username, address });
    await audit(tx, call, { event: 'login', subject: `/users/${found.id}` }, found.username);
    return sessionStore.start(tx, found.id, given.expiring);
  });
  log.info({ event: 'login', username: found.username });
  return { session, user: await userWithPermissions(services, found.id) };
}

const login = defineRoute({
  method: 'POST',
  path: '/users/:username/login',
  operation: 'login',
  area: 'users',
  summary: 'Log in',
  doc: 'Gives a new session token, to be sent as a header with every request. `password` goes in a form body or the query string; a JSON body is not read.',
  access: 'public',
  form: true,
  parameters: {
    username: username({ doc: 'User name; case does not matter.', example: 'admin' }),
    password: text({ doc: 'Password.', example: 'admin' }),
    expiring: boolean({
      default: true,
      doc: 'false: the session does not expire when idle for the short time, but after a week.',
    }),
  },
  replies: {
    200: {
      says: 'The token and the user.',
      shape: shape.object({ session: shape.text, user: shape.record('user') }, { expire_after_seconds: shape.integer }),
    },
    403: 'Login failed',
  },
  handler: async (call) => {
    const { params, services } = call;
    const started = await startSession(call, params);
    return unstored({
      ...started,
      ...(params.expiring ? {} : { expire_after_seconds: services.config.MUNIMENT_SESSION_LONG_TTL_SECONDS }),
    });
  },
});

const logout = defineRoute({
  method: 'POST',
  path: '/logout',
  operation: 'logout',
  area: 'users',
  summary: 'Log out',
  access: 'public',
  parameters: {},
  replies: {
    200: {
      says: 'Whether a session was ended.',
      shape: shape.object({ status: shape.oneOf('session_logged_out', 'no_active_session') }),
    },
  },
  handler: async (call) => {
    const { session, services } = call;
    if (session === null) return { status: 'no_active_session' };
    await services.sessionStore.end(session.token, (tx) => audit(tx, call, { event: 'logout' }));
    return { status: 'session_logged_out' };
  },
});

const becomeUser = defineRoute({
  method: 'POST',
  path: '/users/:username/become-user',
  operation: 'becomeUser',
  repeatable: false,
  area: 'users',
  summary: 'Act as another user',
  doc: 'The present session becomes that of the other user, under a new token: the old one is gone. There is no way back but a new login.',
  access: { all: ['become_user'] },
  parameters: { username: username({ doc: 'Name of the user to become.' }) },
  replies: {
    200: {
      says: 'The new token of the session, and the user it now belongs to.',
      shape: shape.object({ session: shape.text, user: shape.record('user') }),
    },
    404: 'No such user.',
  },
  handler: async (call) => {
    const { params, services, caller, session, log } = call;
    const found = await findLogin(services.database.reader, params.username);
    if (found === null || session === null) throw fail('not_found', 'NotFoundException');
    const { grants } = await readUser(services.database.reader, found.id);
    // Nobody becomes an administrator who is none: that would be a way to every permission.
    if (isAdministrator(grants) && !can(caller, 'administer_system', null))
      throw fail('access_denied', 'Access denied');
    log.warn({ event: 'become_user', from: caller.username, to: found.username });
    const token = await services.database.transaction(async (tx) => {
      // Asked again of the user as held: who was made administrator meanwhile, or is gone, is nobody's to become.
      await holdUser(tx, found.id);
      await readUser(tx, found.id);
      await protectAdministrator(tx, found.id, caller.username);
      await audit(tx, call, {
        event: 'become_user',
        subject: `/users/${found.id}`,
        details: { username: found.username },
      });
      const next = await services.sessionStore.become(tx, session.token, found.id);
      if (next === null) throw sessionGone('this request');
      return next;
    });
    return unstored({ session: token, user: await userWithPermissions(services, found.id) });
  },
});

const currentUser = defineRoute({
  method: 'GET',
  path: '/users/current-user',
  operation: 'getCurrentUser',
  area: 'users',
  summary: 'Read the user of the session',
  access: 'public',
  parameters: {},
  replies: { 200: { says: 'The user, with permissions.', shape: shape.record('user') }, 404: 'There is no session.' },
  handler: async ({ caller, services }) => {
    if (caller.userId === null) throw fail('not_found', 'NotFoundException');
    return userWithPermissions(services, caller.userId);
  },
});

// Mailed links are off, as they are in a new installation of the reference: Muniment sends no mail (contract 2.1).
const resetPassword = defineRoute({
  method: 'POST',
  path: '/users/reset-password',
  operation: 'sendPasswordReset',
  area: 'users',
  summary: 'Send a link to set a new password',
  doc: 'Off: this service sends no mail. An administrator sets a new password with POST /users/:id?password=.',
  release: 'R-B',
  access: 'public',
  parameters: { email: text({ doc: 'Mail address of the user.' }) },
  replies: { 400: 'NotAllowed' },
  handler: () => {
    throw fail('not_allowed', 'NotAllowed');
  },
});

const tokenLogin = defineRoute({
  method: 'POST',
  path: '/users/:username/:token',
  operation: 'loginWithToken',
  area: 'users',
  summary: 'Log in with a mailed token',
  doc: 'No such tokens are sent, so every one is refused.',
  release: 'R-B',
  access: 'public',
  parameters: { username: username({ doc: 'User name.' }), token: text({ doc: 'The token.' }) },
  replies: { 403: 'Login failed' },
  handler: () => {
    throw loginFailed();
  },
});

/** The routes of this file. */
export const loginRoutes: readonly Route[] = [login, logout, becomeUser, currentUser, resetPassword, tokenLogin];

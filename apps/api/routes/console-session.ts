// The session of a browser at /console: in a cookie that scripts cannot read, beside the header that scripts send (decision 0034). The cookie
// alone opens nothing but the reading of its own state; every other request needs x-csrf-token too (access/session-cookie.ts).
import { shape } from '../openapi/shape.ts';
import { fail } from '#domain/errors.ts';
import { audit } from '../access/audit.ts';
import { csrfHeader, csrfTokenOf, readSessionCookie, setSessionCookie } from '../access/session-cookie.ts';
import { text, username } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { startSession, unstored, userWithPermissions } from './login.ts';

const path = '/console/session';
const state = shape.object(
  { status: shape.oneOf('session_active', 'no_active_session') },
  {
    csrf_token: shape.says(shape.text, 'What the header x-csrf-token of every request with the cookie must say.'),
    user: shape.record('user'),
  },
);

const begin = defineRoute({
  method: 'POST',
  path,
  operation: 'beginConsoleSession',
  area: 'users',
  summary: 'Log in with a cookie',
  doc: 'For pages of this service: the session goes into a cookie that no script can read. Needs `x-csrf-token: none`, which no other site can send. Scripts use POST /users/:username/login. An addition of Muniment.',
  repeatable: false,
  access: 'public',
  header: { name: csrfHeader, example: 'none', doc: '`none`: a page of another site could not send it.' },
  form: true,
  parameters: {
    username: username({ doc: 'User name; case does not matter.', example: 'admin' }),
    password: text({ doc: 'Password.', example: 'admin' }),
  },
  replies: { 200: { says: 'The session has begun.', shape: state }, 403: 'Login failed, or no x-csrf-token.' },
  handler: async (call) => {
    // Otherwise another site's form could log somebody in as another user, who would then see what they do.
    if (call.headers[csrfHeader] === undefined) throw fail('access_denied', 'Access denied');
    const { session, user } = await startSession(call, { ...call.params, expiring: true });
    return unstored(
      { status: 'session_active', csrf_token: csrfTokenOf(session), user },
      { 'set-cookie': setSessionCookie(session, call.isSecure) },
    );
  },
});

const read = defineRoute({
  method: 'GET',
  path,
  operation: 'getConsoleSession',
  area: 'users',
  summary: 'Read the session of the cookie',
  doc: 'What a page asks first: whose session the cookie holds, and what x-csrf-token must say. An addition of Muniment.',
  access: 'public',
  parameters: {},
  replies: { 200: { says: 'The session, or that there is none.', shape: state } },
  handler: async ({ headers, services }) => {
    const token = readSessionCookie(headers);
    const found = token === null ? null : await services.sessions.read(token);
    if (token === null || found?.kind !== 'ok' || found.caller.userId === null)
      return unstored({ status: 'no_active_session' });
    const user = await userWithPermissions(services, found.caller.userId);
    return unstored({ status: 'session_active', csrf_token: csrfTokenOf(token), user });
  },
});

const end = defineRoute({
  method: 'DELETE',
  path,
  operation: 'endConsoleSession',
  area: 'users',
  summary: 'Log out and take the cookie away',
  doc: 'Ends the session of the request, which like all needs x-csrf-token. An addition of Muniment.',
  access: 'public',
  parameters: {},
  replies: { 200: { says: 'Whether a session was ended.', shape: state } },
  handler: async (call) => {
    const { session, services, isSecure } = call;
    if (session === null) return unstored({ status: 'no_active_session' });
    await services.sessionStore.end(session.token, (tx) => audit(tx, call, { event: 'logout' }));
    return unstored({ status: 'no_active_session' }, { 'set-cookie': setSessionCookie(null, isSecure) });
  },
});

/** The routes of this file. */
export const consoleSessionRoutes: readonly Route[] = [begin, read, end];

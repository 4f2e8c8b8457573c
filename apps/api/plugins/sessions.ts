// The session of each request, read before routing: a dead token is a 412 on every path, public and unknown ones too
// (contract 1.1, 2.1).
import type { FastifyInstance } from 'fastify';
import { fail } from '#domain/errors.ts';
import { anonymous } from '#domain/access/caller.ts';
import type { Caller } from '#domain/access/caller.ts';
import { claimedByCookie } from '../access/session-cookie.ts';
import type { Services, Session, SessionState } from '../services.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
    session: Session | null;
  }
}

// Tokens are 64 characters; a longer header is nobody's token and need not reach the database.
const longestToken = 1024;

/** Adds `request.caller` and `request.session`. */
export function addSessions(app: FastifyInstance, services: Services): void {
  const names = services.config.MUNIMENT_SESSION_HEADERS;
  app.decorateRequest('caller');
  app.decorateRequest('session', null);
  app.addHook('onRequest', (request, reply, done) => {
    request.caller = anonymous;
    const header = firstHeader(request.headers, names);
    const cookie = header === null ? claimedByCookie(request.headers) : 'none';
    // What the page knew of its session is no longer true: it was ended, or another one was begun in another tab.
    if (cookie === 'gone') return done(sessionGone('this cookie'));
    const claimed = cookie === 'none' ? header : cookie.token;
    if (claimed === null) return done();
    // A token out of a cookie is not told to the page, which could not read it there.
    readSession(services, claimed, header ?? 'this cookie').then(
      (found) => {
        request.caller = found.caller;
        request.session = found.session;
        // What a session was needed for is nobody's to keep, a browser's neither.
        reply.header('cache-control', 'no-store');
        // A request may last for longer than a session may be idle. The reply is closed however it ends.
        if (!reply.raw.closed) reply.raw.once('close', services.sessions.hold(found.digest));
        done();
      },
      (error: Error) => done(error),
    );
  });
}

/** The failure of a session that is there no more; `shown` is what the words call it. */
export const sessionGone = (shown: string): ReturnType<typeof fail> =>
  fail('session_gone', `No session found for ${shown}`, { code: 'SESSION_GONE' });

/** The session of a token, which failures call `shown`. */
async function readSession(
  services: Services,
  token: string,
  shown: string,
): Promise<SessionState & { readonly kind: 'ok' }> {
  const found = token.length > longestToken ? ({ kind: 'gone' } as const) : await services.sessions.read(token);
  if (found.kind === 'gone') throw sessionGone(shown);
  if (found.kind === 'expired')
    throw fail('session_expired', `Session timed out for ${shown}`, { code: 'SESSION_EXPIRED' });
  return found;
}

function firstHeader(
  headers: { readonly [name: string]: string | readonly string[] | undefined },
  names: readonly string[],
): string | null {
  for (const name of names) {
    const value = headers[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return null;
}

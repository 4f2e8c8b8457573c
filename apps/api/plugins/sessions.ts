// The session of each request, read before routing: a dead token is a 412 on every path, public and unknown ones too
// (contract 1.1, 2.1).
import type { FastifyInstance } from 'fastify';
import { fail } from '#domain/errors.ts';
import { anonymous } from '#domain/access/caller.ts';
import type { Caller } from '#domain/access/caller.ts';
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
    const token = firstHeader(request.headers, names);
    if (token === null) return done();
    readSession(services, token).then(
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

async function readSession(services: Services, token: string): Promise<SessionState & { readonly kind: 'ok' }> {
  const found = token.length > longestToken ? ({ kind: 'gone' } as const) : await services.sessions.read(token);
  if (found.kind === 'gone') throw fail('session_gone', `No session found for ${token}`, { code: 'SESSION_GONE' });
  if (found.kind === 'expired')
    throw fail('session_expired', `Session timed out for ${token}`, { code: 'SESSION_EXPIRED' });
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

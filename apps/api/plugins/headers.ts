// What every request and reply has beside its content: a request id, headers against caching and sniffing, one line in
// the log. Query strings are never logged: clients send passwords in them (contract 7.1).
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Content-Type as the client sent it; '' where there was none. */
    sentContentType: string;
  }
}

/** The id of a request: the client's own X-Request-Id where it is harmless, otherwise a random UUID. */
export function requestIdOf(raw: IncomingMessage): string {
  const given = raw.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Adds the headers and the log line. Must come before the hook that reads the session. */
export function addHeaders(app: FastifyInstance): void {
  app.decorateRequest('sentContentType', '');
  // Hooks with callbacks: each promise here would be paid by every request.
  app.addHook('onRequest', (request, reply, done) => {
    reply
      .header('x-content-type-options', 'nosniff')
      .header('x-request-id', request.id)
      .header('cache-control', 'private, must-revalidate, max-age=0');
    const { headers } = request.raw;
    const contentType = headers['content-type'];
    request.sentContentType = contentType ?? '';
    // The contract reads bodies whatever their type says; Fastify would refuse types that it cannot parse.
    if (contentType !== undefined && !/^\s*multipart\/form-data\s*;/i.test(contentType))
      headers['content-type'] = 'application/octet-stream';
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? '(none)';
    request.log.info({
      event: 'request',
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user: request.caller.username,
    });
    done();
  });
}

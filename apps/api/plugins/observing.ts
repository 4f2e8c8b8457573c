// A span for each request, and on whose behalf its statements run. In a process that is not traced and watches no statements it adds nothing.
import type { FastifyInstance } from 'fastify';
import { onBehalfOf } from '#store/observing/origin.ts';
import { isWatched } from '#store/observing/statements.ts';
import type { HeldSpan } from '#store/observing/tracing.ts';
import { currentTracer } from '#store/observing/tracing.ts';

/** Adds the hooks. Must come before all others, so that what they do is part of the request. */
export function addObserving(app: FastifyInstance): void {
  const tracer = currentTracer();
  if (tracer === null && !isWatched()) return;
  // By the request and not as a property of it: nobody else needs to know.
  const spans = new WeakMap<object, HeldSpan>();
  app.addHook('onRequest', (request, reply, done) => {
    // The pattern, as in the log: a path may hold names of people, a query passwords (contract 7.1).
    const route = request.routeOptions.url ?? '(none)';
    const origin = { method: request.method, route, request_id: request.id };
    if (tracer === null) return onBehalfOf(origin, done);
    const { traceparent } = request.headers;
    const span = tracer.begin({
      name: `${request.method} ${route}`,
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : null,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'url.scheme': request.protocol,
        'muniment.request_id': request.id,
      },
    });
    spans.set(request, span);
    // However the reply ends, by a client that has gone, too.
    reply.raw.once('close', () => {
      const status = reply.statusCode;
      span.set({
        'http.response.status_code': status,
        ...(request.caller?.userId == null ? {} : { 'user.id': String(request.caller.userId) }),
      });
      if (!reply.raw.writableFinished) span.fail('client_gone');
      else if (status >= 500) span.fail(String(status));
      span.end();
    });
    span.run(() => onBehalfOf(origin, done));
  });
  if (tracer === null) return;
  // The end of a reply is told by the connection, outside the span: the line in the log is to have its number.
  app.addHook('onResponse', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) return done();
    span.run(done);
  });
}

// The HTTP server from services and routes. Listening and the order of shutdown are start.ts's.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { LogController } from 'fastify';
import type { FastifyInstance } from 'fastify';
import multipart from '@fastify/multipart';
import { toReading } from './request/coercion.ts';
import { slashDecoder } from './request/encoded-slashes.ts';
import { dispatch } from './dispatch.ts';
import type { Serving } from './dispatch.ts';
import { HeldBodies } from './request/held-bodies.ts';
import { toLimits } from './request/limits.ts';
import type { Limits } from './request/limits.ts';
import type { LargeBodies } from './large-bodies/large-bodies.ts';
import { toOpenApi } from './openapi/document.ts';
import type { Components } from './openapi/shape.ts';
import { Drain, addDrain } from './plugins/drain.ts';
import { addConsole, isOfConsole } from './plugins/console.ts';
import { addDocumentation } from './plugins/documentation.ts';
import { addErrors, sendFailure } from './plugins/errors.ts';
import { addHeaders, requestIdOf } from './plugins/headers.ts';
import { addHealth } from './plugins/health.ts';
import { addObserving } from './plugins/observing.ts';
import { addMetrics } from './plugins/metrics.ts';
import { addSessions } from './plugins/sessions.ts';
import { withoutRepeats } from './route.ts';
import type { Route } from './route.ts';
import type { Services } from './services.ts';

/** Times and sizes that tests change, and the JSON Schemas of records for the documentation. */
export type ServerOptions = {
  readonly limits?: Partial<Limits>;
  readonly schemas?: () => Components;
  /** How the server takes its leave; absent: it closes without. */
  readonly drain?: Drain;
  /** Where large bodies go; absent: they are read like all others. Closed with the server. */
  readonly largeBodies?: LargeBodies;
};

/**
 * A server with all routes mounted, the first declared of any two alike; `listen` and `close` are the caller's. `close` stops accepting, lets running requests
 * end for `limits.closeMs`, then cuts them.
 */
export function buildServer(
  services: Services,
  declared: readonly Route[],
  options: ServerOptions = {},
): FastifyInstance {
  const routes = withoutRepeats(declared);
  const limits = toLimits(services.config, options.limits);
  const closing = new AbortController();
  const decodeSlashes = slashDecoder(routes);
  const app = Fastify({
    loggerInstance: services.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: requestIdOf,
    rewriteUrl: ({ method = '', url = '' }) => decodeSlashes(method, url),
    // Clients put a path that begins with a slash behind an address that ends in one: //repositories/2.
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 1000 },
    trustProxy: trustedProxies(services.config.MUNIMENT_TRUST_PROXY),
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestMs,
    forceCloseConnections: 'idle',
    // What comes over a connection that is there is served to the last: the proxy in front of it cannot send it elsewhere any more.
    return503OnClosing: false,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      connectionsCheckingInterval: limits.checkMs,
    },
    frameworkErrors: (error, request, reply) => {
      if (request.method === 'GET' && isOfConsole(request.url)) void sendConsole(request, reply);
      else sendFailure(error, request, reply);
    },
    clientErrorHandler: refuseConnection,
  });
  addClosing(app, closing, limits);
  addErrors(app);
  addObserving(app);
  addHeaders(app);
  addSessions(app, services);
  addMetrics(app, services, routes);
  const drain = options.drain ?? new Drain();
  addDrain(app, drain);
  addHealth(app, services, () => closing.signal.aborted || drain.isOn);
  addDocumentation(app, () => toOpenApi(routes, services.config, options.schemas?.()));
  const sendConsole = addConsole(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const { largeBodies = null } = options;
  if (largeBodies !== null) {
    // Told at the beginning of the end, so that what waits there for a job answers too.
    app.addHook('preClose', async () => largeBodies.beginClose());
    app.addHook('onClose', async () => largeBodies.close());
  }
  const serving: Serving = {
    services,
    limits,
    closing: closing.signal,
    bodies: new HeldBodies(limits.bodiesBytes),
    largeBodies,
  };
  mount(
    app,
    routes.filter((route) => !mayBeMultipart(route)),
    serving,
  );
  // The plug-in gives request.parts(); every other body is read by request/content.ts from the bytes themselves. Its hooks are
  // kept off the routes that cannot have such a body, which are the ones called by the ten thousand.
  app.register(async (scope) => {
    await scope.register(multipart);
    mount(scope, routes.filter(mayBeMultipart), serving);
  });
  return app;
}

/** Whose word on the client's address counts: a number of proxies, their addresses, or nobody's. */
function trustedProxies(text: string): false | string[] | ((address: string, hop: number) => boolean) {
  if (text === '') return false;
  return /^\d+$/.test(text) ? (_address, hop) => hop < Number(text) : text.split(',').map((each) => each.trim());
}

const mayBeMultipart = (route: Route): boolean =>
  !(route.method.length === 1 && route.method.includes('GET')) &&
  (route.body === undefined || route.body.form === 'multipart');

function mount(app: FastifyInstance, routes: readonly Route[], serving: Serving): void {
  for (const route of routes) {
    const reading = toReading(route.parameters);
    app.route({
      method: typeof route.method === 'string' ? route.method : [...route.method],
      url: route.path,
      // Not an async handler: Fastify would make every reply wait for a promise of its end.
      handler: (request, reply) => {
        dispatch(route, reading, request, reply, serving).catch((error: unknown) => {
          if (!reply.raw.headersSent) return void sendFailure(error, request, reply);
          request.log.error({ event: 'reply_cut', err: error });
          reply.raw.destroy();
        });
      },
    });
  }
}

// A client that opens a connection sends something at once, or keeps it for later.
const silentMs = 500;

function addClosing(app: FastifyInstance, closing: AbortController, limits: Limits): void {
  const sockets = new Set<Socket>();
  app.server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  app.addHook('preClose', async () => {
    // Long polls listen to this; what still runs after the grace is cut.
    closing.abort();
    const timer = setTimeout(() => app.server.closeAllConnections(), limits.closeMs).unref();
    app.server.once('close', () => clearTimeout(timer));
    // Browsers and pools open connections before they need them. Node takes one that has sent nothing for one that is about to.
    const cutSilent = (): void => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    };
    // Not before what has arrived meanwhile is read, however long the loop was held.
    setTimeout(() => setImmediate(cutSilent), silentMs).unref();
  });
}

// What Node cannot read as HTTP never reaches a route: an oversized header, a request that takes too long, noise.
function refuseConnection(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const phrase = STATUS_CODES[status] ?? 'Bad Request';
  // Programs that write addresses without encoding them (é as it is) are told so: the parser refuses them before any route is looked for.
  const body = `${JSON.stringify({ error: error.code === 'HPE_INVALID_URL' ? 'The address holds a character that must be percent-encoded' : phrase })}\n`;
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

// A request as the handler of its route sees it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '#domain/errors.ts';
import type { UntypedCall } from '../route.ts';
import type { Services } from '../services.ts';
import { queryOf } from './target.ts';

/** What of a call was found out about the request before its handler is called. */
export type CallParts = Pick<UntypedCall, 'params' | 'body' | 'repoId' | 'wantsSuppressed' | 'keyed' | 'closing'> & {
  readonly services: Services;
};

/** Makes the call of a request. */
export function makeCall(
  request: FastifyRequest,
  reply: FastifyReply,
  { params, body, repoId, wantsSuppressed, keyed, closing, services }: CallParts,
): UntypedCall {
  let controller: AbortController | undefined;
  return {
    params,
    body,
    repoId,
    wantsSuppressed,
    caller: request.caller,
    session: request.session,
    services,
    release: services.config.MUNIMENT_RELEASE,
    closing,
    requestId: request.id,
    queryText: queryOf(request.url),
    keyed,
    log: request.log,
    address: request.ip,
    isSecure: request.protocol === 'https',
    // Node gives lists for set-cookie alone, which no request has.
    headers: request.headers as { readonly [name: string]: string | undefined },
    isUrgent: isUrgent(request),
    preferAsync: /\brespond-async\b/i.test(String(request.headers['prefer'] ?? '')),
    // Made when a handler first asks: most replies are out before a client could go away. No getter: one in a literal is slow to make.
    whenGone: () => {
      controller ??= abortedWithout(reply);
      return controller.signal;
    },
  };
}

/** A controller that is aborted where the connection of a reply ends before the reply does. */
function abortedWithout(reply: FastifyReply): AbortController {
  const controller = new AbortController();
  const end = (): void => {
    if (!reply.raw.writableFinished) controller.abort(fail('unavailable', 'The client has gone'));
  };
  if (reply.raw.destroyed) end();
  else reply.raw.once('close', end);
  return controller;
}

function isUrgent({ headers }: FastifyRequest): boolean {
  return (headers['x-service-priority'] ?? headers['x-archivesspace-priority']) === 'high';
}

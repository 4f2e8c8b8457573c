// The way of one request, from top to bottom (contract 1.1, observable): route, caller, parameters, body, permission, work, reply. Before
// it Fastify has matched the route (server.ts) and plugins/sessions.ts has read the caller from the session token (412); a failure that is
// thrown on the way becomes a reply in plugins/errors.ts.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyedRequest } from '#store/access/idempotency.ts';
import { fail } from '#domain/errors.ts';
import { isPermitted, prefersSuppressed } from './access/permission.ts';
import { sendResult } from './reply/send.ts';
import { drain } from './request/bytes.ts';
import { makeCall } from './request/call.ts';
import { coerceParameters, toParameterFailure } from './request/coercion.ts';
import type { Reading } from './request/coercion.ts';
import { discardContent, noBody, noForm, readBody, readForm } from './request/content.ts';
import { parseForm } from './request/form.ts';
import { isRepeatable, keyedRequest, once } from './request/idempotency.ts';
import type { Limits } from './request/limits.ts';
import { pathOf, pathValues, queryOf } from './request/target.ts';
import type { Multipart } from './request/uploads.ts';
import type { Route } from './route.ts';
import type { Services } from './services.ts';

/** What one server gives to all its requests. `closing` is aborted when the server begins to close. */
export type Serving = { readonly services: Services; readonly limits: Limits; readonly closing: AbortSignal };

/**
 * Takes a request of a route, whose parameters `reading` tells how to read, all its way to the reply. Throws a Failure for whatever the client
 * caused; nothing is sent then.
 */
export async function dispatch(
  route: Route,
  reading: Reading,
  request: FastifyRequest,
  reply: FastifyReply,
  serving: Serving,
): Promise<void> {
  const { services, limits, closing } = serving;

  // Caller. Nobody may fill the disk or hold a stream open without a session, so this check alone comes before parameters.
  const isUpload = route.body?.form === 'multipart' || route.body?.form === 'stream';
  if (isUpload && route.access !== 'public' && request.caller.userId === null) {
    drain(request.raw, limits);
    throw accessDenied();
  }

  let form = noForm;
  let body = noBody;
  const discard = (): void => discardContent(request, form, body, limits);
  try {
    // Parameters, of the path, the form and the query.
    form = await readForm(route, request, limits);
    const query = queryOf(request.url);
    const sources = { path: pathValues(request), form: form.fields, query: parseForm(query) };
    const { values: params, problems, repoId } = await coerceParameters(reading, sources, services);

    // Body. What is wrong with it is told before what is wrong with parameters.
    body = await readBody(route.body, request, form, repoId, serving);
    if (problems.size > 0) throw toParameterFailure(problems);

    // Permission.
    const wantsSuppressed = await prefersSuppressed(services, request.caller, repoId);
    const keyed = keyOf(route, request, form, body.text);
    const parts = { params, body: body.value, repoId, wantsSuppressed, keyed, closing, services };
    const call = makeCall(request, reply, parts);
    if (!(await isPermitted(route.access, call))) throw accessDenied();

    // Work, once for each Idempotency-Key.
    const result = await (keyed === null ? route.handler(call) : once(call, keyed, () => route.handler(call)));

    // Reply.
    sendResult(route, request, reply, result);
  } catch (error) {
    discard();
    throw error;
  }
  // A streamed reply may still read the body or the files, so they go when it has ended.
  if (isUpload && !reply.raw.closed) reply.raw.once('close', discard);
  else discard();
}

const accessDenied = (): Error => fail('access_denied', 'Access denied');

/** The request under its Idempotency-Key, where it has one and the route heeds it. */
function keyOf(route: Route, request: FastifyRequest, form: Multipart, text: string): KeyedRequest | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method !== 'POST' || !isRepeatable(route, 'POST')) return null;
  // What the request says besides its path, for the digest of its key; null where it has files, which are not read again for that.
  const sent = route.body?.form === 'multipart' ? null : [queryOf(request.url), text, JSON.stringify([...form.fields])];
  return keyedRequest(String(key), request.caller, pathOf(request.url), sent);
}

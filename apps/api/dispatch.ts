// The way of one request, from top to bottom (contract 1.1, observable): route, caller, parameters, body, permission, work, reply. Before
// it Fastify has matched the route (server.ts) and plugins/sessions.ts has read the caller from the session token (412); a failure that is
// thrown on the way becomes a reply in plugins/errors.ts.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyedRequest } from '#store/access/idempotency.ts';
import { heedingWhileWaiting } from '#store/connection/lock-waits.ts';
import { can } from '#domain/access/caller.ts';
import { fail } from '#domain/errors.ts';
import type { Json } from '#domain/json.ts';
import { isPermitted, prefersSuppressed } from './access/permission.ts';
import type { Reply } from './reply/reply.ts';
import { isReply } from './reply/reply.ts';
import { sendResult } from './reply/send.ts';
import type { LargeBodies } from './large-bodies/large-bodies.ts';
import { drain, tooLargeForStrangers } from './request/bytes.ts';
import { makeCall } from './request/call.ts';
import { coerceParameters, toParameterFailure } from './request/coercion.ts';
import type { Reading } from './request/coercion.ts';
import { discardContent, noBody, noForm, readBody, readForm } from './request/content.ts';
import { parseForm } from './request/form.ts';
import { reportUnknownNames } from './request/unknown-names.ts';
import type { HeldBodies } from './request/held-bodies.ts';
import { handled } from './request/from-replica.ts';
import { isRepeatable, keyedRequest, once } from './request/idempotency.ts';
import { Incoming } from './request/incoming.ts';
import type { Limits } from './request/limits.ts';
import { pathOf, pathValues, queryOf } from './request/target.ts';
import type { Multipart } from './request/uploads.ts';
import type { Route, UntypedCall } from './route.ts';
import type { Services } from './services.ts';

/** What one server gives to all its requests. `closing` is aborted when the server begins to close. */
export type Serving = {
  readonly services: Services;
  readonly limits: Limits;
  readonly closing: AbortSignal;
  /** What of bodies is in memory. */
  readonly bodies: HeldBodies;
  /** Where large bodies go; null in the server that they go to. */
  readonly largeBodies: LargeBodies | null;
};

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

  const incoming = new Incoming(request, limits, serving.bodies.open(request.caller.userId === null));
  let form = noForm;
  let body = noBody;
  const discard = (): void => discardContent(incoming, form, body);
  try {
    // A large body is another thread's. Who may not send one is refused before it is read.
    if (serving.largeBodies !== null && (await incoming.isLarge(route))) {
      await demandForLarge(route, reading, request, reply, serving);
      return await serving.largeBodies.forward(incoming, reply, discard);
    }

    // Parameters, of the path, the form and the query.
    form = await readForm(route, incoming);
    const query = queryOf(request.url);
    const sources = { path: pathValues(request), form: form.fields, query: parseForm(query) };
    const { values: params, problems, repoId } = await coerceParameters(reading, sources, services);

    // Body. What is wrong with it is told before what is wrong with parameters.
    body = await readBody(route.body, incoming, form, repoId, services);
    if (problems.size > 0) throw toParameterFailure(reading, problems);
    reportUnknownNames(route.parameters, params, request, reply, services.config);

    // Permission.
    const wantsSuppressed = await prefersSuppressed(services, request.caller, repoId);
    const keyed = keyOf(route, request, form, body.text);
    const parts = { params, body: body.value, repoId, wantsSuppressed, keyed, closing, services };
    const call = makeCall(request, reply, parts);
    if (!(await isPermitted(route.access, call))) throw accessDenied();

    // Work, once for each Idempotency-Key.
    const work = (): ReturnType<typeof route.handler> =>
      keyed === null ? handled(route, call) : once(call, keyed, () => route.handler(call));
    // Whoever waits behind other writers need not do so for a client that is gone.
    const result = await (request.method === 'GET' ? work() : heedingWhileWaiting(call.whenGone, work));

    // Reply. The thread for large bodies starts while its reader looks at it.
    if (isSavedLarge(route, call, result, limits)) serving.largeBodies?.expect();
    sendResult(route, request, reply, result);
  } catch (error) {
    discard();
    throw error;
  }
  // A streamed reply may still read the body or the files, so they go when it has ended.
  if (isUpload && !reply.raw.closed) reply.raw.once('close', discard);
  else discard();
}

/**
 * Throws where the caller may not do what a route does, as far as that is known without the body. The bound of what strangers may send is
 * told where the route is for everybody, or judges by the body.
 */
async function demandForLarge(
  route: Route,
  reading: Reading,
  request: FastifyRequest,
  reply: FastifyReply,
  { services, limits, closing }: Serving,
): Promise<void> {
  const { access } = route;
  const isOpen = access === 'public' || (typeof access === 'object' && 'check' in access);
  if (request.caller.userId === null) throw isOpen ? tooLargeForStrangers(limits.loopBytes) : accessDenied();
  if (isOpen) return;
  const sources = { path: pathValues(request), form: noForm.fields, query: parseForm(queryOf(request.url)) };
  const { values: params, problems, repoId } = await coerceParameters(reading, sources, services);
  // Where the body is a form, what is missing may be in it.
  const isForm = route.body === undefined || route.body.form === 'multipart';
  if (!isForm && problems.size > 0) throw toParameterFailure(reading, problems);
  const parts = { params, body: undefined, repoId, wantsSuppressed: false, keyed: null, closing, services };
  if (!(await isPermitted(access, makeCall(request, reply, parts)))) throw accessDenied();
}

/** Whether the result is a record that its reader may save, and that is large. */
const isSavedLarge = ({ savedWith }: Route, call: UntypedCall, result: Reply | Json, { loopBytes }: Limits): boolean =>
  savedWith !== undefined &&
  isReply(result) &&
  result.form === 'json_text' &&
  Buffer.byteLength(result.text) > loopBytes &&
  can(call.caller, savedWith, call.repoId);

const accessDenied = (): Error => fail('access_denied', 'Access denied');

/** The request under its Idempotency-Key, where it has one and the route heeds it. */
function keyOf(route: Route, request: FastifyRequest, form: Multipart, text: string): KeyedRequest | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.method !== 'POST' || !isRepeatable(route, 'POST')) return null;
  // What the request says besides its path, for the digest of its key; null where it has files, which are not read again for that.
  const sent = route.body?.form === 'multipart' ? null : [queryOf(request.url), text, JSON.stringify([...form.fields])];
  return keyedRequest(String(key), request.caller, pathOf(request.url), sent);
}

// The order of work of one request (contract 1.1): parameters and body, then permission, then the handler, then the reply.
// The session was read before (plugins/sessions.ts), and Fastify has matched the route.
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '#domain/errors.ts';
import { isObject } from '#domain/json.ts';
import type { Json } from '#domain/json.ts';
import type { Caller } from '#domain/access/caller.ts';
import { can } from '#domain/access/caller.ts';
import { mayWantSuppressed } from '#domain/access/suppression.ts';
import { showSuppressed } from '#store/settings/preferences.ts';
import type { Body } from './request/body.ts';
import { coerceParameters, toParameterFailure } from './request/coercion.ts';
import type { Reading } from './request/coercion.ts';
import { jsonTextOf, matchesNone, tagOf } from './reply/etag.ts';
import { parseForm } from './request/form.ts';
import type { FormValues } from './request/form.ts';
import { parseJson, trouble } from './request/json-text.ts';
import type { Limits } from './request/limits.ts';
import type { KeyedRequest } from '#store/access/idempotency.ts';
import { isRepeatable, keyedRequest, once } from './request/idempotency.ts';
import { isReply, json } from './reply/reply.ts';
import type { Reply } from './reply/reply.ts';
import { countedStream, decodeBody, drain, readBytes } from './request/bytes.ts';
import type { Access, Call, Route } from './route.ts';
import { sendJsonText, sendReply } from './reply/send.ts';
import type { Services } from './services.ts';
import { readMultipart } from './request/uploads.ts';
import type { Multipart } from './request/uploads.ts';

/** What one server gives to all its requests. `closing` is aborted when the server begins to close. */
export type Serving = { readonly services: Services; readonly limits: Limits; readonly closing: AbortSignal };

type UntypedCall = Call<{ readonly [name: string]: unknown }, unknown>;

/** Answers one request of a route, whose parameters `reading` tells how to read: reads it, checks it, calls the handler, sends the reply. Failures are thrown. */
export async function answer(
  route: Route,
  reading: Reading,
  request: FastifyRequest,
  reply: FastifyReply,
  serving: Serving,
): Promise<void> {
  const { services, limits } = serving;
  const asksSession = route.body?.form === 'multipart' || route.body?.form === 'stream';
  // Nobody may fill the disk or hold a stream open without a session, so this check alone comes before parameters.
  if (asksSession && route.access !== 'public' && request.caller.userId === null) {
    drain(request.raw, limits);
    throw fail('access_denied', 'Access denied');
  }
  let form = noForm;
  let body: unknown;
  let sent = '';
  const cleanUp = (): void => {
    if (body instanceof Readable) body.destroy();
    drain(request.raw, limits);
    // A failure to remove uploads is the operator's to see, not the client's.
    if (form.files.length > 0)
      form.remove().catch((error: unknown) => request.log.error({ event: 'upload_not_removed', err: error }));
  };
  try {
    form = await readForm(route, request, limits);
    const coerced = await coerceParameters(
      reading,
      { path: pathValues(request), form: form.fields, query: parseForm(queryOf(request.url)) },
      services,
    );
    body = await readBody(route.body, request, serving, form, coerced.repoId, (text) => {
      sent = text;
    });
    if (coerced.problems.size > 0) throw toParameterFailure(coerced.problems);
    const wantsSuppressed = await asksForSuppressed(services, request.caller, coerced.repoId);
    const call = makeCall(request, reply, serving, coerced.values, body, coerced.repoId, {
      wantsSuppressed,
      keyed: keyedOf(route, request, form, sent),
    });
    if (!(await mayCall(route.access, call))) throw fail('access_denied', 'Access denied');
    const handler = (): Promise<Reply | Json> | Reply | Json => route.handler(call);
    send(route, request, reply, await (call.keyed === null ? handler() : once(call, call.keyed, handler)));
  } catch (error) {
    cleanUp();
    throw error;
  }
  // A streamed reply may still read the body or the files, so they go when it has ended.
  if (asksSession && !reply.raw.closed) reply.raw.once('close', cleanUp);
  else cleanUp();
}

/** Sends what a handler gave; with its tag, or as a 304, where the route has tags. */
function send(route: Route, request: FastifyRequest, reply: FastifyReply, value: Reply | Json): void {
  const text = route.etag === true ? jsonTextOf(value) : null;
  if (text === null) return sendReply(request, reply, toReply(value));
  // Ended before it is looked at: pieces of text are put together at the first look, once for the tag and the wire.
  const ended = `${text}\n`;
  const tag = tagOf(ended);
  reply.header('etag', tag);
  if (matchesNone(request.headers['if-none-match'], tag)) return void reply.code(304).send();
  sendJsonText(reply, ended);
}

/** The request under its Idempotency-Key, where it has one and the route heeds it. */
function keyedOf(route: Route, request: FastifyRequest, form: Multipart, sent: string): KeyedRequest | null {
  if (request.headers['idempotency-key'] === undefined || request.method !== 'POST' || !isRepeatable(route, 'POST'))
    return null;
  return keyedRequest(
    String(request.headers['idempotency-key']),
    request.caller,
    pathOf(request.url),
    sentParts(route, request, form, sent),
  );
}

/** What a request says besides its path, for the digest of its key; null where it has files, which are not read again for that. */
function sentParts(route: Route, request: FastifyRequest, form: Multipart, body: string): readonly string[] | null {
  return route.body?.form === 'multipart' ? null : [queryOf(request.url), body, JSON.stringify([...form.fields])];
}

const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? '';

const toReply = (value: Reply | Json): Reply => (isReply(value) ? value : json(value));

const noForm: Multipart = { fields: new Map(), files: [], remove: async () => undefined };

async function readForm(route: Route, request: FastifyRequest, limits: Limits): Promise<Multipart> {
  if (request.method === 'GET' || request.method === 'HEAD') return noForm;
  const mediaType = request.sentContentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const isMultipart = mediaType === 'multipart/form-data';
  if (isMultipart && (route.body === undefined || route.body.form === 'multipart'))
    return readMultipart(request, limits, route.body !== undefined);
  const isForm = mediaType === '' || mediaType === 'application/x-www-form-urlencoded';
  if (!isForm || route.body !== undefined) return noForm;
  const text = decodeBody(await readBytes(request.raw, limits), request.sentContentType);
  const fields: FormValues = parseForm(text);
  return { ...noForm, fields };
}

async function readBody(
  body: Body<unknown> | undefined,
  request: FastifyRequest,
  serving: Serving,
  form: Multipart,
  repoId: number | null,
  onText: (text: string) => void,
): Promise<unknown> {
  if (body === undefined) return undefined;
  const { limits, services } = serving;
  if (body.form === 'multipart') return form.files;
  if (body.form === 'stream') return countedStream(request.raw, limits);
  const text = decodeBody(await readBytes(request.raw, limits), request.sentContentType);
  onText(text);
  if (body.form === 'text') return text;
  const value = parseJson(text);
  if (body.form === 'any') return value;
  if (body.form === 'array') {
    if (!Array.isArray(value)) throw trouble('expected a JSON array');
    return value;
  }
  if (!isObject(value)) throw trouble('expected a JSON object');
  if (body.form === 'object' || body.schema === undefined) return value;
  return services.checkRecord(body.schema, value, {
    repoId,
    userId: request.caller.userId,
    operation: body.operation ?? 'create',
  });
}

function mayCall(access: Access<UntypedCall>, call: UntypedCall): boolean | Promise<boolean> {
  if (access === 'public') return true;
  if (access === 'session') return call.caller.userId !== null;
  if ('check' in access) return access.check(call);
  const holds = (code: string): boolean => can(call.caller, code, call.repoId);
  return 'all' in access ? access.all.every(holds) : access.any.some(holds);
}

/** Whether the caller's preferences show suppressed records in the repository; asked only where they decide (contract 5.2). */
async function asksForSuppressed(services: Services, caller: Caller, repoId: number | null): Promise<boolean> {
  if (!mayWantSuppressed(caller, repoId)) return false;
  return showSuppressed(await services.preferences.effective({ userId: caller.userId, repoId }));
}

function makeCall(
  request: FastifyRequest,
  reply: FastifyReply,
  serving: Serving,
  params: UntypedCall['params'],
  body: unknown,
  repoId: number | null,
  { wantsSuppressed, keyed }: Pick<UntypedCall, 'wantsSuppressed' | 'keyed'>,
): UntypedCall {
  let controller: AbortController | undefined;
  return {
    params,
    body,
    repoId,
    wantsSuppressed,
    caller: request.caller,
    session: request.session,
    services: serving.services,
    release: serving.services.config.MUNIMENT_RELEASE,
    closing: serving.closing,
    requestId: request.id,
    queryText: queryOf(request.url),
    keyed,
    log: request.log,
    address: request.ip,
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
    if (!reply.raw.writableFinished) controller.abort();
  };
  if (reply.raw.destroyed) end();
  else reply.raw.once('close', end);
  return controller;
}

function isUrgent(request: FastifyRequest): boolean {
  const { headers } = request;
  return (headers['x-service-priority'] ?? headers['x-archivesspace-priority']) === 'high';
}

function pathValues(request: FastifyRequest): { readonly [name: string]: string | undefined } {
  // Fastify types params as unknown; the router gives an object of decoded texts, the last '*' under '*'.
  const values = request.params as { readonly [name: string]: string | undefined };
  return values['*'] === undefined ? values : { ...values, rest: values['*'] };
}

function queryOf(url: string): string {
  const mark = url.indexOf('?');
  if (mark === -1) return '';
  const hash = url.indexOf('#', mark);
  return url.slice(mark + 1, hash === -1 ? undefined : hash);
}

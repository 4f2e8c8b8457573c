// From a handler's reply to HTTP: entity tags, media types, the newline that ends JSON, HEAD, streams (contract 1.2).
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Json } from '#domain/json.ts';
import type { Route } from '../route.ts';
import { jsonTextOf, matchesNone, tagOf } from './etag.ts';
import { policyOfPages } from './page-policy.ts';
import { isReply, json } from './reply.ts';
import type { Reply } from './reply.ts';

/** Sends what a handler gave; with its tag, or as a 304, where the route has tags. */
export function sendResult(route: Route, request: FastifyRequest, reply: FastifyReply, result: Reply | Json): void {
  const text = route.etag === true ? jsonTextOf(result) : null;
  if (text === null) return sendReply(request, reply, isReply(result) ? result : json(result));
  // Ended before it is looked at: pieces of text are put together at the first look, once for the tag and the wire.
  const ended = `${text}\n`;
  const tag = tagOf(ended);
  reply.header('etag', tag);
  if (matchesNone(request.headers['if-none-match'], tag)) return void reply.code(304).send();
  sendJsonText(reply, ended);
}

const pagePolicy = policyOfPages("'self'");
const isHtml = (contentType: string): boolean =>
  /^\s*(?:text\/html|application\/xhtml\+xml|image\/svg\+xml)\b/i.test(contentType);

/** Sends a reply. Texts go out as they are, past Fastify's serializers. */
function sendReply(request: FastifyRequest, reply: FastifyReply, result: Reply): void {
  if ('contentType' in result && isHtml(result.contentType)) reply.header('content-security-policy', pagePolicy);
  reply.code(result.status).headers(result.headers);
  switch (result.form) {
    case 'json':
      sendJsonText(reply, JSON.stringify(result.value));
      return;
    case 'json_text':
      sendJsonText(reply, result.text);
      return;
    case 'text':
      reply.serializer(asItIs).header('content-type', result.contentType).send(result.text);
      return;
    case 'redirect':
      reply.header('location', result.location).send('');
      return;
    case 'stream': {
      reply.header('content-type', result.contentType);
      if (request.method === 'HEAD') result.stream.destroy();
      // For HEAD an empty stream rather than an empty text: the length of the body that GET would send is not known.
      reply.send(request.method === 'HEAD' ? Readable.from([]) : result.stream);
    }
  }
}

/** Given as the reply's serializer, it keeps Fastify from adding a charset to JSON types. */
export const asItIs = (payload: unknown): string => String(payload);

/** Sends JSON text under exactly `application/json`, or another type, ended by one newline unless told otherwise. */
export function sendJsonText(
  reply: FastifyReply,
  text: string,
  end = '\n',
  contentType = 'application/json',
): FastifyReply {
  return reply
    .serializer(asItIs)
    .header('content-type', contentType)
    .send(text.endsWith('\n') ? text : text + end);
}

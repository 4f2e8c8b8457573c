// From a handler's reply to HTTP: media types, the newline that ends JSON, HEAD, streams (contract 1.2).
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Reply } from './reply.ts';

/** Sends a reply. Texts go out as they are, past Fastify's serializers. */
export function sendReply(request: FastifyRequest, reply: FastifyReply, result: Reply): void {
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

// Given as the reply's serializer, it keeps Fastify from adding a charset to JSON types.
const asItIs = (payload: unknown): string => String(payload);

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

// What of a body is known before it is read, and where reading it stops.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonBody, rawBody } from '../../../../apps/api/request/body.ts';
import { HeldBodies } from '../../../../apps/api/request/held-bodies.ts';
import { Incoming } from '../../../../apps/api/request/incoming.ts';
import { toLimits } from '../../../../apps/api/request/limits.ts';
import { defineRoute } from '../../../../apps/api/route.ts';
import type { Route } from '../../../../apps/api/route.ts';
import { readConfig } from '#domain/config.ts';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';

const shared = {
  operation: 'test',
  area: 'test',
  summary: 'Test',
  replies: {},
  method: 'POST',
  path: '/',
  access: 'public',
  parameters: {},
} as const;
const withBody = defineRoute({ ...shared, body: jsonBody(), handler: () => null });
const withStream = defineRoute({ ...shared, body: rawBody(), handler: () => null });
const withForm = defineRoute({ ...shared, handler: () => null });

let server: FastifyInstance;
let route: Route;
let found: { isLarge: boolean; headBytes: number } | undefined;
beforeAll(async () => {
  server = Fastify();
  server.decorateRequest('sentContentType', '');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  server.post('/', async (request) => {
    request.sentContentType = String(request.headers['x-type'] ?? '');
    const limits = { ...toLimits(readConfig({})), loopBytes: 10 };
    const incoming = new Incoming(request, limits, new HeldBodies(1000).open(false));
    const isLarge = await incoming.isLarge(route);
    found = { isLarge, headBytes: Buffer.concat(incoming.head).length };
    return isLarge ? '' : (await incoming.bytes()).toString();
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close());

/** Sends bytes as they are, and gives the body of the reply. */
async function send(to: Route, head: string, body: string): Promise<string> {
  route = to;
  const socket = connect(Number(new URL(server.listeningOrigin).port), '127.0.0.1').setEncoding('utf8');
  let received = '';
  socket.on('data', (piece: string) => (received += piece));
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${head}\r\n\r\n${body}`);
  await once(socket, 'close');
  return received.slice(received.indexOf('\r\n\r\n') + 4);
}

describe('a body on its way in', () => {
  it('that says its length is judged by it, and not read', async () => {
    expect(await send(withBody, 'content-length: 10', '1234567890')).toBe('1234567890');
    expect(found).toEqual({ isLarge: false, headBytes: 0 });
    await send(withBody, 'content-length: 11', '12345678901');
    expect(found).toEqual({ isLarge: true, headBytes: 0 });
  });

  it('that does not is read as far as it takes to know', async () => {
    const chunked = 'transfer-encoding: chunked';
    expect(await send(withBody, chunked, '5\r\n12345\r\n5\r\n67890\r\n0\r\n\r\n')).toBe('1234567890');
    expect(found).toEqual({ isLarge: false, headBytes: 10 });
    await send(withForm, chunked, 'b\r\n12345678901\r\n0\r\n\r\n');
    expect(found).toEqual({ isLarge: true, headBytes: 11 });
    await send(withForm, `${chunked}\r\nx-type: Multipart/Form-Data; boundary=x`, '1\r\na\r\n0\r\n\r\n');
    expect(found).toEqual({ isLarge: true, headBytes: 0 });
  });

  it('that is handed on as a stream, or is none, is never large', async () => {
    await send(withStream, 'content-length: 11', '12345678901');
    expect(found).toEqual({ isLarge: false, headBytes: 0 });
    expect(await send(withBody, 'content-length: 0', '')).toBe('');
    expect(found).toEqual({ isLarge: false, headBytes: 0 });
  });
});

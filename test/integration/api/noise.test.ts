// Noise from the network: whatever bytes come in, no reply is a 500 and the server goes on answering.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jsonBody, multipart, recordBody } from '../../../apps/api/request/body.ts';
import { listParameters } from '../../../apps/api/request/pagination.ts';
import {
  boolean,
  id,
  idSet,
  integer,
  jsonParameter,
  listOf,
  repositoryId,
  text,
  username,
} from '../../../apps/api/request/parameters.ts';
import { defineRoute } from '../../../apps/api/route.ts';
import type { TestServer } from '#test/support/http-server.ts';
import { startServer, tokens } from '#test/support/http-server.ts';
import type { Json } from '#domain/json.ts';
import { amount } from '#test/support/long.ts';

const optional = { optional: true } as const;
const shared = { operation: 'test', area: 'test', summary: 'Test', replies: {}, access: 'public' } as const;
const routes = [
  defineRoute({
    ...shared,
    method: ['GET', 'POST'],
    path: '/p',
    parameters: {
      n: integer(optional),
      b: boolean(optional),
      t: text(optional),
      l: listOf(integer())(optional),
      s: idSet(optional),
      j: jsonParameter(optional),
      u: username(optional),
    },
    handler: (call) => ({ ...call.params }) as Json,
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/repositories/:repo_id/things/:id',
    parameters: { repo_id: repositoryId(), id: id(), ...listParameters },
    handler: (call) => call.params.id,
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/j',
    parameters: {},
    body: jsonBody(),
    handler: (call) => call.body,
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/r',
    parameters: {},
    body: recordBody('thing'),
    handler: (call) => call.body.record,
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/m',
    access: 'session',
    parameters: { t: text(optional) },
    body: multipart(),
    handler: (call) => call.body.length,
  }),
];

let server: TestServer;
beforeAll(async () => {
  server = await startServer(routes, { limits: { idleMs: 200, headersMs: 200, bodyMs: 500, checkMs: 50 } });
});
afterAll(() => server.close());

const runs = { numRuns: amount(100, 600) };
const refused = [200, 400, 403, 404, 408, 412, 413, 415, 431];

async function expectCalm(): Promise<void> {
  expect(server.logged.filter((line) => line.includes('request_failed'))).toEqual([]);
  expect((await server.fetch('/p?n=1')).status).toBe(200);
}

it('answers any query without a 500', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'n',
      'b',
      't',
      'l',
      's',
      'j',
      'u',
      '[]',
      '[0]',
      '=',
      '&',
      '%',
      '%00',
      '%ff',
      '+',
      '1',
      '-',
      ',',
      '{',
      '"',
      '__proto__',
      'constructor',
      '[a][b]',
    ),
    fc.string({ maxLength: 5 }).map(encodeURIComponent),
  );
  const query = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(
      query,
      fc.constantFrom('/p', '/repositories/2/things/1', '/repositories/x/things/%00'),
      async (text_, path) => {
        expect(refused).toContain((await server.fetch(`${path}?${text_}`)).status);
      },
    ),
    runs,
  );
  await expectCalm();
});

it('answers any body under any content type without a 500', async () => {
  const type = fc.oneof(
    fc.constantFrom(
      'application/json',
      'text/json; charset=latin1',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=b',
      'multipart/form-data',
      'a/b; charset=nonsense',
      '',
    ),
    fc.string({ maxLength: 20, unit: 'grapheme-ascii' }).map((value) => value.replace(/[^ -~]/g, '')),
  );
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.json().map((value) => new TextEncoder().encode(value)),
    fc
      .array(
        fc.constantFrom(
          '--b',
          '--b--',
          '\r\n',
          '\r\n\r\n',
          'Content-Disposition: form-data; name="t"',
          'Content-Disposition: form-data; name="f"; filename="x"',
          'Content-Disposition: form-data; name="__proto__"',
          'Content-Type: application/json',
          'x',
        ),
        { maxLength: 12 },
      )
      .map((parts) => new TextEncoder().encode(parts.join(''))),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('/p', '/j', '/r', '/m'), type, body, async (path, contentType, bytes) => {
      const response = await server.fetch(path, {
        method: 'POST',
        body: bytes,
        headers: { 'content-type': contentType, 'X-Service-Session': tokens.reader },
      });
      expect(refused).toContain(response.status);
      await response.text();
    }),
    runs,
  );
  await expectCalm();
});

it('survives bytes that are no HTTP', async () => {
  const start = fc.constantFrom(
    '',
    'GET / HTTP/1.1\r\n',
    'POST /j HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n',
    'POST /j HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n',
    'CONNECT x HTTP/1.1\r\n\r\n',
    'GET /p HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  );
  await fc.assert(
    fc.asyncProperty(start, fc.uint8Array({ maxLength: 60 }), async (head, tail) => {
      const reply = await server.send(Buffer.concat([Buffer.from(head), tail]), { end: true });
      expect(reply).not.toMatch(/^HTTP\/1.1 500/m);
    }),
    { numRuns: amount(30, 120) },
  );
  await expectCalm();
});

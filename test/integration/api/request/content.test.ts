// Bodies of requests as they are sent: media types, charsets, and what is refused (behaviour-records.md 1.1).
import { shape } from '../../../../apps/api/openapi/shape.ts';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyJsonBody, jsonArrayBody, jsonBody, textBody } from '../../../../apps/api/request/body.ts';
import { integer, recordParameter } from '../../../../apps/api/request/parameters.ts';
import { defineRoute } from '../../../../apps/api/route.ts';
import type { TestServer } from '#test/support/http-server.ts';
import { startServer } from '#test/support/http-server.ts';

const shared = {
  operation: 'test',
  area: 'test',
  summary: 'Test',
  replies: { 200: { says: 'Fine.', shape: shape.anything } },
} as const;
const open = { ...shared, method: 'GET', access: 'public', parameters: {} } as const;
const post = { ...shared, method: 'POST', access: 'public', parameters: {} } as const;

const routes = [
  defineRoute({ ...open, path: '/value', handler: () => ({ status: 'Created', stale: null, title: 'é' }) }),
  defineRoute({
    ...post,
    path: '/object',
    parameters: { n: integer({ default: 0 }) },
    body: jsonBody(),
    handler: (call) => ({ ...call.body, n: call.params.n }),
  }),
  defineRoute({ ...post, path: '/array', body: jsonArrayBody(), handler: (call) => call.body }),
  defineRoute({ ...post, path: '/any', body: anyJsonBody(), handler: (call) => call.body }),
  defineRoute({ ...post, path: '/words', body: textBody(), handler: (call) => call.body }),
  defineRoute({
    ...post,
    path: '/job',
    parameters: { job: recordParameter('job')() },
    handler: (call) => call.params.job.record,
  }),
  defineRoute({ ...post, method: 'DELETE', path: '/value', handler: () => 'gone' }),
];

let server: TestServer;
beforeAll(async () => {
  server = await startServer(routes);
});
afterAll(() => server.close());

const call = async (path: string, init?: RequestInit): Promise<{ status: number; body: unknown }> => {
  const response = await server.fetch(path, init);
  return { status: response.status, body: await response.json() };
};
const send = (path: string, body: string, contentType = 'application/json') =>
  call(path, { method: 'POST', body, headers: { 'content-type': contentType } });

describe('a JSON body', () => {
  it.each([
    'application/json',
    'text/json',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-8',
    'text/plain',
    'nonsense',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
  ])('is read under the content type %s', async (contentType) => {
    expect(await send('/object?n=4', '{"a":"é"}', contentType)).toEqual({ status: 200, body: { a: 'é', n: 4 } });
  });
  it('is read without a content type', async () => {
    expect(
      await server.send('POST /object HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 7\r\n\r\n{"a":1}'),
    ).toContain('{"a":1,"n":0}\n');
  });
  it('is read in chunks', async () => {
    expect(
      await server.send(
        'POST /any HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n2\r\n2]\r\n0\r\n\r\n',
      ),
    ).toContain('[1,2]\n');
  });
  it.each([
    ['utf-16le', Buffer.from('{"a":"é"}', 'utf16le')],
    ['ISO-8859-1', Buffer.from('{"a":"é"}', 'latin1')],
    ['unheard-of', Buffer.from('{"a":"é"}', 'utf8')],
  ])('is read in the charset %s', async (charset, body) => {
    const response = await server.fetch('/object', {
      method: 'POST',
      body,
      headers: { 'content-type': `application/json; charset=${charset}` },
    });
    expect(await response.json()).toEqual({ a: 'é', n: 0 });
  });
  it('may begin with a byte order mark and hold characters beyond the basic plane', async () => {
    expect(await send('/object', '\ufeff{"a":"😀","b":"\\ud83d\\ude00"}')).toEqual({
      status: 200,
      body: { a: '😀', b: '😀', n: 0 },
    });
  });
  it('is told of as compressed where it is', async () => {
    const response = await server.fetch('/object', {
      method: 'POST',
      body: gzipSync('{}'),
      headers: { 'content-encoding': 'gzip' },
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'Had some trouble parsing your request: the body is compressed; compressed requests are not read' },
    ]);
  });
  it.each<readonly [string, string, string]>([
    ['nothing', '', "unexpected token at ''"],
    ['an open object', '{"repo_code": ', `unexpected token at`],
    ['two values', '{} {}', 'unexpected token at'],
    ['a bare word', 'nonsense', "unexpected token at 'nonsense'"],
    ['an array', '[]', 'expected a JSON object'],
    ['a number', '5', 'expected a JSON object'],
    ['null', 'null', 'expected a JSON object'],
    ['U+0000', '{"a":"\\u0000"}', 'the character U+0000 cannot be stored'],
    ['U+0000 in a key', '{"a":{"\\u0000":1}}', 'the character U+0000 cannot be stored'],
    ['half a surrogate pair', '{"a":["\\ud83d"]}', 'a text holds half of a surrogate pair'],
    ['__proto__', '{"__proto__":{"x":1}}', "the property '__proto__' is not allowed"],
    ['endless nesting', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'nesting of 501 is too deep'],
  ])('that is %s is a 400', async (_what, body, reason) => {
    const { status, body: reply } = await send('/object', body);
    expect(status).toBe(400);
    expect(reply).toEqual({ error: expect.stringContaining(`Had some trouble parsing your request: ${reason}`) });
  });
  it('of bytes that are no UTF-8 is a 400', async () => {
    const response = await server.fetch('/object', {
      method: 'POST',
      body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    });
    expect(response.status).toBe(400);
  });
  it('may be an array or text where the route says so', async () => {
    expect(await send('/array', '[1]')).toEqual({ status: 200, body: [1] });
    expect((await send('/array', '{}')).status).toBe(400);
    expect(await send('/words', 'not json')).toEqual({ status: 200, body: 'not json' });
  });
  it('may come as a parameter', async () => {
    expect(await send('/job', 'job=%7B%22title%22%3A%22t%22%7D', 'application/x-www-form-urlencoded')).toEqual({
      status: 200,
      body: { title: 't' },
    });
    expect((await send('/job', 'job=%7B%7D', 'application/x-www-form-urlencoded')).status).toBe(400);
    expect((await send('/job', 'job=%5B%5D', 'application/x-www-form-urlencoded')).status).toBe(400);
  });
  it('on DELETE with the JSON type may be empty', async () => {
    expect(await call('/value', { method: 'DELETE', headers: { 'content-type': 'application/json' } })).toEqual({
      status: 200,
      body: 'gone',
    });
  });
});

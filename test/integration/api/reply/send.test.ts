// Replies over real HTTP: headers, media types, streams (behaviour-records.md 1.2).
import { shape } from '../../../../apps/api/openapi/shape.ts';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { json, jsonPieces, jsonText, redirect, stream, text } from '../../../../apps/api/reply/reply.ts';
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
const streamed: { destroyed: number } = { destroyed: 0 };

const routes = [
  defineRoute({ ...open, path: '/value', handler: () => ({ status: 'Created', stale: null, title: 'é' }) }),
  defineRoute({ ...open, path: '/text', handler: () => text('plain') }),
  defineRoute({ ...open, path: '/json-text', handler: () => jsonText('{"a":1}') }),
  defineRoute({ ...open, path: '/pieces', handler: () => jsonPieces(['1,', '2'].values(), '[', ']') }),
  defineRoute({
    ...open,
    path: '/many-pieces',
    handler: () => jsonPieces(Array.from({ length: 5 }, (_, n) => `${n}${'0'.repeat(1e6)},`).values(), '[', '1]'),
  }),
  defineRoute({ ...open, path: '/created', handler: () => json([1], 201, { 'x-more': 'yes' }) }),
  defineRoute({ ...open, path: '/elsewhere', handler: () => redirect(303, '/value') }),
  defineRoute({
    ...open,
    path: '/stream',
    handler: () => {
      const readable = Readable.from(['<a>', '</a>']);
      readable.once('close', () => streamed.destroyed++);
      return stream(readable, 'application/xml', { 'content-disposition': 'attachment; filename="a.xml"' });
    },
  }),
  defineRoute({ ...post, method: 'DELETE', path: '/value', handler: () => 'gone' }),
];

let server: TestServer;
beforeAll(async () => {
  server = await startServer(routes);
});
afterAll(() => server.close());

describe('a reply', () => {
  it('in pieces is one text with its length where it is of usual length, else sent as it is put together', async () => {
    const usual = await server.fetch('/pieces');
    expect([await usual.text(), usual.headers.get('content-length')]).toEqual(['[1,2]\n', '6']);
    const long = await server.fetch('/many-pieces');
    expect(long.headers.get('content-length')).toBeNull();
    expect((await long.text()).replaceAll('0', '')).toBe('[,1,2,3,4,1]\n');
  });

  it("in JSON has exactly the contract's headers and ends with one newline", async () => {
    const response = await server.fetch('/value');
    expect(await response.text()).toBe('{"status":"Created","stale":null,"title":"é"}\n');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('private, must-revalidate, max-age=0');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get('etag')).toBeNull();
  });
  it('of ready JSON text is sent as it is', async () => {
    const response = await server.fetch('/json-text');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe('{"a":1}\n');
  });
  it('may have a status and headers of its own', async () => {
    const response = await server.fetch('/created');
    expect([response.status, response.headers.get('x-more'), await response.text()]).toEqual([201, 'yes', '[1]\n']);
  });
  it('of text has no newline added', async () => {
    const response = await server.fetch('/text');
    expect([response.headers.get('content-type'), await response.text()]).toEqual([
      'text/plain; charset=utf-8',
      'plain',
    ]);
  });
  it('may redirect', async () => {
    const response = await server.fetch('/elsewhere', { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/value']);
  });
  it('may be a stream', async () => {
    const response = await server.fetch('/stream');
    expect([
      response.headers.get('content-type'),
      response.headers.get('content-disposition'),
      await response.text(),
    ]).toEqual(['application/xml', 'attachment; filename="a.xml"', '<a></a>']);
  });
  it('keeps a harmless request id of the client and replaces any other', async () => {
    expect((await server.fetch('/value', { headers: { 'x-request-id': 'abc-1' } })).headers.get('x-request-id')).toBe(
      'abc-1',
    );
    expect(
      (await server.fetch('/value', { headers: { 'x-request-id': 'a b"c' } })).headers.get('x-request-id'),
    ).toMatch(/^[0-9a-f-]{36}$/);
  });
});

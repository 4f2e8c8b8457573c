// The order of work, replies, error bodies and methods of a request over real HTTP (behaviour-records.md 1.1-1.3, 2.1).
import { shape } from '../../../apps/api/openapi/shape.ts';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jsonBody, recordBody } from '../../../apps/api/request/body.ts';
import { integer, optionalRepositoryId, repositoryId } from '../../../apps/api/request/parameters.ts';
import { jsonText, stream } from '../../../apps/api/reply/reply.ts';
import { defineRoute } from '../../../apps/api/route.ts';
import type { TestServer } from '#test/support/http-server.ts';
import { startServer, tokens } from '#test/support/http-server.ts';
import { fail } from '#domain/errors.ts';
import type { Json } from '#domain/json.ts';

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
  defineRoute({ ...open, path: '/json-text', handler: () => jsonText('{"a":1}') }),
  defineRoute({
    ...open,
    path: '/stream',
    handler: () => {
      const readable = Readable.from(['<a>', '</a>']);
      readable.once('close', () => streamed.destroyed++);
      return stream(readable, 'application/xml', { 'content-disposition': 'attachment; filename="a.xml"' });
    },
  }),
  defineRoute({
    ...open,
    path: '/session',
    access: 'session',
    handler: (call) => ({ user: call.caller.username, token: call.session?.token ?? null }),
  }),
  defineRoute({
    ...open,
    path: '/repositories/:repo_id/things',
    parameters: { repo_id: repositoryId(), page: integer() },
    access: { all: ['view_repository'] },
    handler: (call) => call.repoId,
  }),
  defineRoute({
    ...open,
    path: '/merge',
    parameters: { repo_id: optionalRepositoryId() },
    access: { any: ['view_repository', 'update_thing'] },
    handler: (call) => call.repoId,
  }),
  defineRoute({
    ...open,
    path: '/checked',
    parameters: { n: integer() },
    access: { check: async (call) => call.params.n > 5, says: 'Needs n above 5.' },
    handler: () => 'passed',
  }),
  defineRoute({
    ...post,
    path: '/repositories/:repo_id/things',
    parameters: { repo_id: repositoryId(), n: integer({ default: 0 }) },
    access: { all: ['update_thing'] },
    body: recordBody('thing'),
    handler: (call) => call.body.record,
  }),
  defineRoute({
    ...post,
    path: '/object',
    parameters: { n: integer({ default: 0 }) },
    body: jsonBody(),
    handler: (call) => ({ ...call.body, n: call.params.n }),
  }),
  defineRoute({ ...post, method: ['GET', 'POST'], path: '/both', handler: () => 'both' }),
  defineRoute({ ...post, method: 'DELETE', path: '/value', handler: () => 'gone' }),
  defineRoute({
    ...open,
    path: '/stale',
    handler: () => {
      throw fail('stale_record', 'The record was modified.');
    },
  }),
  defineRoute({
    ...open,
    path: '/down',
    handler: () => {
      throw fail('unavailable', 'The database does not answer');
    },
  }),
  defineRoute({
    ...open,
    path: '/bug',
    handler: () => {
      throw new Error('secret detail of table x');
    },
  }),
  defineRoute({
    ...open,
    path: '/late-bug',
    handler: () =>
      stream(
        Readable.from(
          (async function* () {
            yield 'begun';
            throw new Error('cut');
          })(),
        ),
        'text/plain',
      ),
  }),
  defineRoute({
    ...open,
    path: '/endless',
    handler: () => {
      const readable = Readable.from(
        (async function* () {
          for (;;) yield 'x'.repeat(100_000);
        })(),
      );
      readable.once('close', () => streamed.destroyed++);
      return stream(readable, 'text/plain');
    },
  }),
  defineRoute({ ...open, path: '/twice/:id', parameters: { id: integer() }, handler: () => 'first' }),
  defineRoute({
    ...post,
    method: ['GET', 'POST'],
    path: '/twice/:number',
    parameters: { number: integer() },
    handler: () => 'second',
  }),
];

let server: TestServer;
beforeAll(async () => {
  server = await startServer(routes);
});
afterAll(() => server.close());

const header = (token: string): { headers: { [name: string]: string } } => ({
  headers: { 'X-Service-Session': token },
});
const call = async (path: string, init?: RequestInit): Promise<{ status: number; body: unknown }> => {
  const response = await server.fetch(path, init);
  return { status: response.status, body: await response.json() };
};
const send = (path: string, body: string, contentType = 'application/json') =>
  call(path, { method: 'POST', body, headers: { 'content-type': contentType } });

describe('a dead session token', () => {
  it.each(['/value', '/no/such/route', '/repositories/abc/things', '/health/live'])(
    'is a 412 on %s before anything else',
    async (path) => {
      const response = await server.fetch(path, header('unknown'));
      expect(response.status).toBe(412);
      expect(await response.text()).toBe('{"code":"SESSION_GONE","error":"No session found for unknown"}');
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(response.headers.get('cache-control')).toBeNull();
    },
  );
  it('is a 412 on a method that no route has, and at a POST with a body', async () => {
    expect((await server.fetch('/value', { method: 'PUT', body: 'x', ...header('unknown') })).status).toBe(412);
    expect((await server.fetch('/object', { method: 'POST', body: '{', ...header('unknown') })).status).toBe(412);
  });
  it('that was idle too long says so', async () => {
    expect(await call('/value', header(tokens.expired))).toEqual({
      status: 412,
      body: { code: 'SESSION_EXPIRED', error: `Session timed out for ${tokens.expired}` },
    });
  });
  it('is found under the configured aliases too', async () => {
    expect((await server.fetch('/value', { headers: { 'X-ArchivesSpace-Session': 'unknown' } })).status).toBe(412);
  });
});

describe('the order of work', () => {
  it('looks at parameters before permissions', async () => {
    expect((await call('/repositories/2/things')).status).toBe(400);
    expect(await call('/repositories/2/things?page=1')).toEqual({ status: 403, body: { error: 'Access denied' } });
  });
  it('looks at the body before permissions', async () => {
    expect(await send('/repositories/2/things', '{}')).toEqual({
      status: 400,
      body: { error: { title: ['Property is required but was missing'] }, warning: {}, invalid_object: '{}' },
    });
    expect(await send('/repositories/2/things', '{"title":"t"}')).toEqual({
      status: 403,
      body: { error: 'Access denied' },
    });
  });
  it('lets a wrong body stand alone, without the problems of parameters', async () => {
    expect((await send('/repositories/99/things?n=x', '{"title"')).body).toEqual({
      error: expect.stringMatching(/^Had some trouble parsing your request: /),
    });
    expect((await send('/repositories/99/things?n=x', '{}')).body).toMatchObject({
      error: { title: ['Property is required but was missing'] },
    });
    expect((await send('/repositories/99/things?n=x', '{"title":"t"}')).body).toEqual({
      error: { repo_id: ['Failed validation -- The Repository must exist'], n: ["Wanted type Integer but got 'x'"] },
    });
  });
});

describe('permission', () => {
  it('is checked in the repository of the path', async () => {
    expect(await call('/repositories/2/things?page=1', header(tokens.reader))).toEqual({ status: 200, body: 2 });
    expect((await call('/repositories/3/things?page=1', header(tokens.reader))).status).toBe(403);
    expect((await call('/repositories/3/things?page=1', header(tokens.admin))).status).toBe(200);
  });
  it('is checked in the repository of the query, and globally where there is none', async () => {
    expect((await call('/merge?repo_id=2', header(tokens.reader))).status).toBe(200);
    expect((await call('/merge', header(tokens.reader))).status).toBe(403);
    expect((await call('/merge', header(tokens.admin))).status).toBe(200);
  });
  it('may be any session', async () => {
    expect((await call('/session')).status).toBe(403);
    expect(await call('/session', header(tokens.reader))).toEqual({
      status: 200,
      body: { user: 'user7', token: tokens.reader },
    });
  });
  it('of a deleted user is that of nobody', async () => {
    expect((await call('/session', header(tokens.deleted))).status).toBe(403);
  });
  it('may be a check of its own', async () => {
    expect((await call('/checked?n=5')).status).toBe(403);
    expect((await call('/checked?n=6')).status).toBe(200);
  });
});

describe('a method', () => {
  it.each([['/value'], ['/stream'], ['/json-text']])('HEAD answers where GET does: %s', async (path) => {
    const get = await server.fetch(path);
    const head = await server.fetch(path, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    expect(await head.text()).toBe('');
    const length = head.headers.get('content-length');
    if (length !== null) expect(Number(length)).toBe((await get.arrayBuffer()).byteLength);
  });
  it('HEAD destroys the stream that it does not send', async () => {
    const before = streamed.destroyed;
    await server.fetch('/stream', { method: 'HEAD' });
    await expect.poll(() => streamed.destroyed).toBe(before + 1);
  });
  it('GET of a stream that the client leaves destroys the stream', async () => {
    const before = streamed.destroyed;
    const controller = new AbortController();
    const response = await server.fetch('/endless', { signal: controller.signal });
    await response.body?.getReader().read();
    controller.abort();
    await expect.poll(() => streamed.destroyed).toBe(before + 1);
  });
  it.each(['OPTIONS', 'PUT', 'PATCH', 'PROPFIND', 'REPORT', 'POST'])(
    '%s on a path that has another one is a 404',
    async (method) => {
      expect(await server.send(`${method} /value HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1.1 404 [^]*\{"error":"Not found"\}\n$/,
      );
    },
  );
  it('may be one of two', async () => {
    expect((await call('/both')).body).toBe('both');
    expect((await call('/both', { method: 'POST' })).body).toBe('both');
  });
});

describe('two declarations of one path', () => {
  it('leave the first where both would answer', async () => {
    expect((await call('/twice/1')).body).toBe('first');
    expect((await call('/twice/1', { method: 'POST' })).body).toBe('second');
  });
});

describe('a failure', () => {
  it('on an unknown route is a 404 with an error in JSON', async () => {
    const response = await server.fetch('/no/such/route');
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      404,
      'application/json',
      '{"error":"Not found"}\n',
    ]);
    expect((await server.fetch('/no/such/route', { method: 'POST', body: 'x'.repeat(1_000_000) })).status).toBe(404);
  });
  it('that is expected carries its own body', async () => {
    expect(await call('/stale')).toEqual({ status: 409, body: { error: 'The record was modified.' } });
  });
  it('of the database is a 503 that asks to come again', async () => {
    const response = await server.fetch('/down');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  });
  it('that is unexpected tells the client an id and the log the reason', async () => {
    const response = await server.fetch('/bug');
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: 'Internal error',
      request_id: response.headers.get('x-request-id'),
    });
    const line = server.logged.find((entry) => entry.includes('secret detail of table x'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      event: 'request_failed',
      request_id: response.headers.get('x-request-id'),
      err: { stack: expect.stringContaining('dispatch.test.ts') },
    });
  });
  it('in the middle of a stream cuts the connection, so that the client sees it is incomplete', async () => {
    const response = await server.fetch('/late-bug');
    await expect(response.text()).rejects.toThrow();
    expect((await server.fetch('/value')).status).toBe(200);
  });
  it.each(['/%', '/%E0%A4%A', '/value%00', '//', '/../../etc/passwd', '/things/%2e%2e'])(
    "on the path %s is the client's",
    async (path) => {
      expect(await server.send(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1.1 40[04] [^]*\{"error":"[^"]+"\}\n$/,
      );
    },
  );
});

describe('a declaration', () => {
  it('whose path names a parameter that it lacks does not load', () => {
    expect(() => defineRoute({ ...open, path: '/things/:id', handler: (): Json => null })).toThrow(
      '/things/:id: the parameter id is not declared',
    );
  });
});

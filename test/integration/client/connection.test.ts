// Sessions, repetitions and errors of a connection: on the real service, and on a stand-in for what that does only under load.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openConnection } from '#client/connection.ts';
import { ConnectionLost, LoginRefused, NoCredentials, ServiceError, SessionGone } from '#client/errors.ts';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { standIn } from './stand-in.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(() => api[Symbol.asyncDispose]());
const withPassword = () => openConnection({ url: `${api.url}/`, password: adminPassword });
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('a session', () => {
  it('is made at the first request, used by all, and ended by close', async () => {
    const connection = withPassword();
    await Promise.all([connection.ask('/repositories'), connection.ask('/users/current-user')]);
    const session = await connection.login();
    expect((await api.get('/repositories', session)).status).toBe(200);
    await connection.close();
    expect((await api.get('/repositories', session)).status).toBe(412);
  });

  it('that was given is left as it was', async () => {
    const session = await api.login('admin', adminPassword);
    const connection = openConnection({ url: api.url, session });
    expect(await connection.ask('/users/current-user')).toMatchObject({ username: 'admin' });
    await connection.close();
    expect((await api.get('/repositories', session)).status).toBe(200);
  });

  it('that has ended is made anew once, by all requests together, and what was sent is sent again', async () => {
    const session = await api.login('admin', adminPassword);
    await api.post('/logout', undefined, session);
    const connection = openConnection({ url: api.url, session, password: adminPassword });
    const made = await Promise.all(
      ['A1', 'A2', 'A3'].map((code) =>
        connection.ask('/repositories', { method: 'POST', json: { repo_code: code, name: code } }),
      ),
    );
    expect(made).toEqual(made.map(() => expect.objectContaining({ status: 'Created' })));
    await connection.close();
  });

  it('is a SessionGone where there is no password', async () => {
    const error = await failure(openConnection({ url: api.url, session: 'gone' }).ask('/repositories'));
    expect(error).toBeInstanceOf(SessionGone);
    expect(error).toMatchObject({ status: 412, code: 'SESSION_GONE' });
  });

  it('is not made with a wrong password, or with none', async () => {
    const wrong = openConnection({ url: api.url, password: 'wrong' });
    expect(await failure(wrong.ask('/repositories'))).toBeInstanceOf(LoginRefused);
    expect(await failure(openConnection({ url: api.url }).ask('/repositories'))).toBeInstanceOf(NoCredentials);
  });

  it('is not asked for twice by a service that takes none', async () => {
    await using server = await standIn(({ call }) =>
      call.endsWith('/login')
        ? { json: { session: 'new' } }
        : { status: 412, json: { code: 'SESSION_GONE', error: 'no' } },
    );
    const connection = openConnection({ url: server.url, password: 'x' });
    expect(await failure(connection.ask('/a'))).toBeInstanceOf(SessionGone);
    expect(server.asked.map(({ call }) => call)).toEqual([
      'POST /users/admin/login',
      'GET /a',
      'POST /users/admin/login',
      'GET /a',
    ]);
  });
});

describe('a refusal', () => {
  it('has status, body and what is wrong with each property', async () => {
    const connection = withPassword();
    const error = await failure(connection.ask('/repositories', { method: 'POST', json: { name: 'x' } }));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 400, error: { repo_code: [expect.stringContaining('required')] } });
    expect(String(error)).toMatch(/^ServiceError: POST \/repositories: 400 repo_code: /);
    await connection.close();
  });

  it('of an If-Match is no end of the session', async () => {
    await using server = await standIn(() => ({ status: 412, json: { error: 'The record has changed' } }));
    const error = await failure(openConnection({ url: server.url, session: 's', password: 'x' }).ask('/a'));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).not.toBeInstanceOf(SessionGone);
    expect(server.asked).toHaveLength(1);
  });

  it('of a broken server names the request in its log', async () => {
    await using server = await standIn(() => ({ status: 500, json: { error: 'oh', request_id: 'r1' } }));
    expect(await failure(openConnection({ url: server.url, session: 's' }).ask('/a'))).toMatchObject({
      status: 500,
      requestId: 'r1',
    });
  });
});

describe('a request that cannot be answered now', () => {
  const later = { status: 503, json: { error: 'busy' }, headers: { 'retry-after': '0' } };

  it.each([
    ['a reading one', { method: 'GET' as const }],
    ['one with an Idempotency-Key', { method: 'POST' as const, json: { a: 1 }, headers: { 'idempotency-key': 'k' } }],
  ])('is sent again as it was: %s', async (_what, sending) => {
    await using server = await standIn((_asked, before) =>
      before === 0 ? later : before === 1 ? { ...later, status: 429 } : before === 2 ? null : { json: { done: true } },
    );
    const connection = openConnection({ url: server.url, session: 's' });
    expect(await connection.ask('/a', sending)).toEqual({ done: true });
    expect(new Set(server.asked.map((asked) => JSON.stringify(asked))).size).toBe(1);
    expect(server.asked).toHaveLength(4);
  });

  it('is not sent again where it might be done twice', async () => {
    await using server = await standIn(() => later);
    const connection = openConnection({ url: server.url, session: 's' });
    expect(await failure(connection.ask('/a', { method: 'POST', json: {} }))).toMatchObject({ status: 503 });
    expect(server.asked).toHaveLength(1);
  });

  it('is given up after some repetitions, and at once where the wait would be too long', async () => {
    await using server = await standIn(({ call }) =>
      call === 'GET /long' ? { ...later, headers: { 'retry-after': '3600' } } : later,
    );
    const connection = openConnection({ url: server.url, session: 's', retries: { most: 2 } });
    expect(await failure(connection.ask('/a'))).toMatchObject({ status: 503 });
    expect(server.asked).toHaveLength(3);
    expect(await failure(connection.ask('/long'))).toMatchObject({ status: 503 });
    expect(server.asked).toHaveLength(4);
  });

  it('is a ConnectionLost with the code of the system where nobody answers', async () => {
    const server = await standIn(() => null);
    await server[Symbol.asyncDispose]();
    const connection = openConnection({ url: server.url, session: 's', retries: { whenLost: false } });
    const error = await failure(connection.ask('/a'));
    expect(error).toBeInstanceOf(ConnectionLost);
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends with the reason of the signal', async () => {
    await using server = await standIn(() => ({ ...later, headers: { 'retry-after': '20' } }));
    const stop = new AbortController();
    const waiting = failure(openConnection({ url: server.url, session: 's', signal: stop.signal }).ask('/a'));
    await expect.poll(() => server.asked.length).toBe(1);
    stop.abort(new Error('enough'));
    expect(await waiting).toMatchObject({ message: 'enough' });
  });

  it('ends with the reason of the signal while its reply is read, too', async () => {
    await using server = await standIn(() => ({ json: 'long' }));
    const stop = new AbortController();
    const ask = globalThis.fetch;
    using _ending = vi.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
      const response = await ask(...request);
      stop.abort(new Error('enough'));
      return response;
    });
    const connection = openConnection({ url: server.url, session: 's', signal: stop.signal });
    expect(await failure(connection.ask('/a'))).toMatchObject({ message: 'enough' });
  });
});

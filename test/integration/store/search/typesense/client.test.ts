// Requests to a server that fails in the ways servers do, and to several of which some are away.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTypesenseClient } from '#store/search/typesense/client.ts';
import type { TypesenseCall, TypesenseSettings } from '#store/search/typesense/client.ts';
import { startTypesenseStandIn } from '#test/support/typesense/server.ts';
import type { StandIn } from '#test/support/typesense/server.ts';

let standIn: StandIn;
beforeAll(async () => void (standIn = await startTypesenseStandIn()));
afterAll(() => standIn[Symbol.asyncDispose]());
beforeEach(() => void standIn.requests.splice(0));

// Where nobody listens.
const away = 'http://127.0.0.1:1';
const client = (settings: Partial<TypesenseSettings> = {}) =>
  createTypesenseClient({ urls: [standIn.url], apiKey: standIn.apiKey, pauseMs: 1, ...settings });
const list: TypesenseCall<object> = (server) => server.aliases().retrieve();
const put: TypesenseCall<string> = (server) =>
  server.collections('none').documents().import('{"id":"1"}', { action: 'upsert', return_id: true });
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );
/** What a promise came to, and after how many milliseconds. */
const timed = async (promise: Promise<unknown>): Promise<{ readonly failure: unknown; readonly ms: number }> => {
  const start = performance.now();
  return { failure: await failureOf(promise), ms: performance.now() - start };
};

describe('a request', () => {
  it.each([[503], [500], [429], [0]] as const)('is tried again after %s', async (status) => {
    standIn.fail(status, 3);
    expect(await client().ask('GET /aliases', list)).toEqual({ aliases: [] });
    expect(standIn.requests).toHaveLength(4);
  });

  it.each([[503], [429]])(
    'that still meets %s after its tries fails as unavailable, and tells the log why',
    async (status) => {
      standIn.fail(status, 4);
      expect(await failureOf(client().ask('GET /aliases', list))).toMatchObject({
        code: 'unavailable',
        status: 503,
        cause: { message: `Typesense, GET /aliases: Request failed with HTTP code ${status} | Server said: as told` },
      });
      expect(standIn.requests).toHaveLength(4);
    },
  );

  it('is unavailable where nobody listens', async () => {
    await expect(client({ urls: [away] }).ask('GET /aliases', list)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('is not repeated where it was refused, gives null for what is not there, and never tells the key', async () => {
    const error = await failureOf(client({ apiKey: 'a-wrong-key' }).ask('GET /aliases', list));
    expect(error).toMatchObject({ code: 'internal', error: 'The search index refused a request' });
    standIn.fail(503, 4);
    const second = await failureOf(client().write('an import', put));
    const told = [error, second].map(
      (one) => `${String(one)} ${one instanceof Error ? JSON.stringify(one.cause) + String(one.cause) : ''}`,
    );
    expect(told.join()).not.toMatch(new RegExp(`a-wrong-key|${standIn.apiKey}`));
    expect(standIn.requests).toHaveLength(5);
    expect(await client().ask('GET /collections', (server) => server.collections('a/b').retrieve())).toBeNull();
  });

  it('does not follow to another place, where the key has no business', async () => {
    standIn.fail(307, 4);
    expect(await failureOf(client().ask('GET /aliases', list))).toMatchObject({ code: 'unavailable' });
    expect(new Set(standIn.requests)).toEqual(new Set(['GET /aliases']));
  });
});

describe('a server that does not answer', () => {
  it('is asked once by a search, which ends with its limit', async () => {
    standIn.fail('silence', 1);
    expect(await failureOf(client({ searchLimitMs: 300 }).ask('GET /aliases', list))).toMatchObject({
      code: 'unavailable',
      cause: { message: 'Typesense, GET /aliases: no answer within the limit' },
    });
    expect(standIn.requests).toHaveLength(1);
  });

  it('ends an import with its limit, and not with that of searches', async () => {
    standIn.fail('silence', 1);
    const { failure, ms } = await timed(client({ searchLimitMs: 1, writeLimitMs: 300 }).write('an import', put));
    expect(failure).toMatchObject({ code: 'unavailable' });
    expect(ms).toBeGreaterThan(250);
  });

  it('ends a piece of work of many requests with one limit', async () => {
    await using silent = await startTypesenseStandIn();
    silent.fail('silence', 20);
    const many = client({ urls: [silent.url], writeLimitMs: 300 });
    const work = async (): Promise<void> => {
      for (let n = 0; n < 3; n++) await failureOf(many.write('GET /aliases', list));
      await many.write('GET /aliases', list);
    };
    expect(await failureOf(many.within('write', work))).toMatchObject({ code: 'unavailable' });
    expect(silent.requests).toHaveLength(1);
  });
});

it('what goes on after a piece of work is not bound by its limit', async () => {
  const one = client({ searchLimitMs: 200 });
  const { promise, resolve } = Promise.withResolvers<object | null>();
  await one.within('ask', async () => {
    setTimeout(() => resolve(one.ask('GET /aliases', list)), 300);
  });
  expect(await promise).toEqual({ aliases: [] });
});

describe('of several nodes', () => {
  it('another answers where one is away, and the one that is away is left alone then', async () => {
    const several = client({ urls: [away, standIn.url], retries: 1 });
    for (let n = 0; n < 6; n++) expect(await several.ask('GET /aliases', list)).toEqual({ aliases: [] });
    expect(standIn.requests).toHaveLength(6);
  });

  it('another answers within the limit where one is silent', async () => {
    await using silent = await startTypesenseStandIn();
    silent.fail('silence', 20);
    const several = client({ urls: [silent.url, standIn.url], searchLimitMs: 1000 });
    for (let n = 0; n < 4; n++) expect(await several.ask('GET /aliases', list)).toEqual({ aliases: [] });
    expect([silent.requests.length <= 1, standIn.requests.length]).toEqual([true, 4]);
  });

  it('the first is written as long as it is well, and another where it is not', async () => {
    await using first = await startTypesenseStandIn();
    const several = client({ urls: [`${first.url}/`, standIn.url] });
    for (let n = 0; n < 4; n++) await several.write('GET /aliases', list);
    expect([first.requests.length, standIn.requests.length]).toEqual([4, 0]);
    first.fail(503, 4);
    await several.write('GET /aliases', list);
    expect(standIn.requests).toHaveLength(1);
  });
});

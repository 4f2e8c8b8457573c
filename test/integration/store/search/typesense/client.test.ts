// Requests to a server that fails in the ways servers do.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTypesenseClient } from '#store/search/typesense/client.ts';
import { startTypesenseStandIn } from '#test/support/typesense/server.ts';
import type { StandIn } from '#test/support/typesense/server.ts';

let standIn: StandIn;
beforeAll(async () => void (standIn = await startTypesenseStandIn()));
afterAll(() => standIn[Symbol.asyncDispose]());
beforeEach(() => void standIn.requests.splice(0));

const client = (apiKey = standIn.apiKey) =>
  createTypesenseClient({ url: standIn.url, apiKey, pauseMs: 1, attempts: 4 });
const list = { method: 'GET', path: ['aliases'] } as const;

it.each([[503], [500], [429], [0]])('tries again after %s', async (status) => {
  standIn.fail(status, 3);
  expect(await client().json(list)).toEqual({ aliases: [] });
  expect(standIn.requests).toHaveLength(4);
});

it('gives up after its tries as unavailable, and tells the log why', async () => {
  standIn.fail(503, 4);
  const error: unknown = await client()
    .json(list)
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'unavailable',
    status: 503,
    cause: { message: 'Typesense, GET /aliases: status 503' },
  });
  expect(standIn.requests).toHaveLength(4);
});

it('is unavailable where nobody listens', async () => {
  const nobody = createTypesenseClient({ url: 'http://127.0.0.1:1', apiKey: 'k', pauseMs: 1 });
  await expect(nobody.json(list)).rejects.toMatchObject({ code: 'unavailable' });
});

it('does not repeat what was refused, gives null for what is not there, and never tells the key', async () => {
  const error: unknown = await client('a-wrong-key')
    .json(list)
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'internal', error: 'The search index refused a request' });
  expect(`${String(error)} ${error instanceof Error ? String(error.cause) : ''}`).not.toContain('a-wrong-key');
  expect(standIn.requests).toHaveLength(1);
  expect(await client().json({ method: 'GET', path: ['collections', 'a/b'] })).toBeNull();
});

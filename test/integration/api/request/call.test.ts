// A request as its handler sees it: what headers ask of the handler, and the signal of a client that goes away.
import { expect, test } from 'vitest';
import { shape } from '../../../../apps/api/openapi/shape.ts';
import { defineRoute } from '../../../../apps/api/route.ts';
import { startServer } from '#test/support/http-server.ts';

const open = {
  operation: 'test',
  area: 'test',
  summary: 'Test',
  replies: { 200: { says: 'Fine.', shape: shape.anything } },
  method: 'GET',
  access: 'public',
  parameters: {},
} as const;

test('says that a change is urgent, and that the client would rather not wait', async () => {
  await using server = await startServer([
    defineRoute({ ...open, path: '/asked', handler: ({ isUrgent, preferAsync }) => [isUrgent, preferAsync] }),
  ]);
  const asked = async (headers: { [name: string]: string }): Promise<unknown> =>
    (await server.fetch('/asked', { headers })).json();
  expect(await asked({})).toEqual([false, false]);
  expect(await asked({ 'X-Service-Priority': 'high' })).toEqual([true, false]);
  expect(await asked({ 'X-ArchivesSpace-Priority': 'high', Prefer: 'wait=5, respond-async' })).toEqual([true, true]);
});

test('tells by one signal that the client has gone, and says nothing where the reply was complete', async () => {
  const signals: AbortSignal[] = [];
  const { promise: end, resolve } = Promise.withResolvers<void>();
  await using server = await startServer([
    defineRoute({
      ...open,
      path: '/slow',
      handler: async ({ whenGone }) => {
        signals.push(whenGone(), whenGone());
        await end;
        return 'late';
      },
    }),
    defineRoute({ ...open, path: '/quick', handler: ({ whenGone }) => [signals.push(whenGone())] }),
  ]);
  const gone = new AbortController();
  const slow = server.fetch('/slow', { signal: gone.signal }).catch(() => 'gone');
  await expect.poll(() => signals.length).toBe(2);
  expect(signals[0]).toBe(signals[1]);
  gone.abort();
  expect(await slow).toBe('gone');
  await expect.poll(() => signals[0]?.aborted).toBe(true);
  resolve();
  expect(await (await server.fetch('/quick')).json()).toEqual([3]);
  expect(signals[2]?.aborted).toBe(false);
});

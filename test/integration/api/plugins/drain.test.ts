// How a server takes its leave: not ready, connections that end, reads refused at last, and writes served throughout.
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { Drain, addDrain } from '../../../../apps/api/plugins/drain.ts';

/** What a server with a leave answers: the status, and whether the connection ends. */
function serverWith(drain: Drain): (method: 'GET' | 'POST', url?: string) => Promise<readonly [number, boolean]> {
  const app = Fastify();
  addDrain(app, drain);
  app.all('/', async () => 'served');
  app.get('/health/live', async () => 'served');
  return async (method, url = '/') => {
    const { statusCode, headers } = await app.inject({ method, url });
    return [statusCode, headers.connection === 'close'];
  };
}

it('is none where it takes no time', async () => {
  const drain = new Drain();
  await drain.run(0);
  expect([drain.isOn, await serverWith(drain)('GET')]).toEqual([false, [200, false]]);
});

it('ends connections first, and serves all', async () => {
  const drain = new Drain();
  // Longer than the test: its first part is what is looked at.
  void drain.run(24 * 3_600_000);
  const ask = serverWith(drain);
  expect([drain.isOn, drain.refusesReads, await ask('GET'), await ask('POST')]).toEqual([
    true,
    false,
    [200, true],
    [200, true],
  ]);
});

it('refuses reads at last, and serves writes throughout', async () => {
  const drain = new Drain();
  const leaving = drain.run(1000);
  const ask = serverWith(drain);
  await expect.poll(() => drain.refusesReads).toBe(true);
  expect(await ask('GET')).toEqual([503, true]);
  expect(await ask('POST')).toEqual([200, true]);
  expect(await ask('GET', '/health/live')).toEqual([200, true]);
  await leaving;
});

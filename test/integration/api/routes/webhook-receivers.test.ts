// Receivers of webhooks that do what no receiver should: each holds up itself, and nobody else.
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { startReceiver } from '#test/support/receiver.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ environment: { MUNIMENT_WEBHOOK_ALLOW_PRIVATE: 'true' } });
});
afterAll(async () => api[Symbol.asyncDispose]());

const subject = async (term: string): Promise<unknown> =>
  api.post('/subjects', {
    source: 'local',
    vocabulary: '/vocabularies/1',
    terms: [{ term, term_type: 'topical', vocabulary: '/vocabularies/1' }],
  });

it('those that take their time hold up nobody else', async () => {
  const held: (() => void)[] = [];
  const slow = createHttpServer((_request, response) => void held.push(() => response.end()));
  slow.listen(0, '127.0.0.1');
  await once(slow, 'listening');
  await using quick = await startReceiver();
  const { port } = slow.address() as AddressInfo;
  const make = async (url: string): Promise<string> =>
    (await api.post('/webhooks', { url, kinds: ['subject'] })).json.uri;
  const hooks: string[] = [];
  for (let n = 0; n < 12; n += 1) hooks.push(await make(`http://127.0.0.1:${port}/${n}`));
  await subject('First');
  // Each of them is sent to, as none has answered.
  await expect.poll(() => held.length, { timeout: 8000 }).toBe(hooks.length);
  hooks.push(await make(quick.url));
  await subject('Second');
  await quick.until(({ length }) => length > 0);
  expect(held).toHaveLength(12);
  for (const hook of hooks) await api.del(hook);
  slow.closeAllConnections();
  slow.close();
  await once(slow, 'close');
});

it('one that changes to another protocol has failed', async () => {
  const receiver = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    );
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const hook = (await api.post('/webhooks', { url: `http://127.0.0.1:${port}/`, kinds: ['event'] })).json.uri;
  await api.post(`${hook}/ping`);
  await expect
    .poll(async () => (await api.get(`${hook}/deliveries`)).json.results[0])
    .toMatchObject({ attempts: 1, http_status: 101, reason: 'The receiver answered 101' });
  await api.del(hook);
  receiver.close();
  await once(receiver, 'close');
});

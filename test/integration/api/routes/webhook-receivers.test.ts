// Receivers of webhooks that do what no receiver should: each holds up itself, and nobody else.
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ environment: { MUNIMENT_WEBHOOK_ALLOW_PRIVATE: 'true' } });
});
afterAll(async () => api[Symbol.asyncDispose]());

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

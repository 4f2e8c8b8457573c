// Receivers of webhooks that do what no receiver should: each holds up itself, and nobody else.
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '#store/connection/sql.ts';
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

it('many that did not answer before leave places to the others', async () => {
  let [open, most] = [0, 0];
  const silent = createHttpServer((_request, response) => {
    open += 1;
    most = Math.max(most, open);
    response.once('close', () => (open -= 1));
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  await using quick = await startReceiver();
  await api.database.transaction((tx) =>
    tx.run(sql`
      WITH hook AS (INSERT INTO webhook (url, secret, kinds) SELECT ${`http://127.0.0.1:${port}/`} || n, 'silent', '{event}' FROM generate_series(1, 40) AS n RETURNING id)
      INSERT INTO webhook_delivery (webhook_id, body, attempts) SELECT id, '{}', 1 FROM hook`),
  );
  await expect.poll(() => most).toBeGreaterThan(8);
  await api.post('/webhooks', { url: quick.url, kinds: ['subject'] });
  for (const term of ['Third', 'Fourth', 'Fifth']) await subject(term);
  await quick.until(({ length }) => length === 3);
  // Without a limit of their own they would be at all the places before it was told of three.
  expect(most).toBeLessThan(32);
  await api.database.transaction((tx) => tx.run(sql`DELETE FROM webhook`));
  silent.closeAllConnections();
  silent.close();
  await once(silent, 'close');
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

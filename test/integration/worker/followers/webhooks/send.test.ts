// One request to a receiver: where it may not go, and what ends it.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Receiver } from '#test/support/receiver.ts';
import { startReceiver } from '#test/support/receiver.ts';
import type { SendRules, Sent } from '../../../../../apps/worker/followers/webhooks/send.ts';
import { send } from '../../../../../apps/worker/followers/webhooks/send.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => receiver[Symbol.asyncDispose]());

const sent = (url: string, rules: Partial<SendRules> = {}): Promise<Sent> =>
  send(
    { url, secret: 'a secret of sixteen', deliveryId: 7, body: '{"type":"ping"}', timestamp: 1 },
    { allowPrivate: true, timeoutMs: 60_000, signal: new AbortController().signal, ...rules },
  );

it('sends the body as it is, with its id, and gives the status', async () => {
  expect(await sent(receiver.url)).toEqual({ status: 204 });
  expect(receiver.received.at(-1)).toMatchObject({
    body: '{"type":"ping"}',
    headers: { 'webhook-id': '7', 'content-type': 'application/json', host: new URL(receiver.url).host },
  });
});

it('carries nothing but what receivers are promised, and to the whole of the address', async () => {
  const url = `${receiver.url}/deep?key=a%20b`;
  expect(await sent(url)).toEqual({ status: 204 });
  const { path, headers } = receiver.received.at(-1) ?? expect.fail('nothing came');
  expect([path, headers]).toEqual([
    '/hook/deep?key=a%20b',
    {
      host: new URL(url).host,
      'content-type': 'application/json',
      'content-length': '15',
      'user-agent': 'Muniment-Webhooks',
      'webhook-id': '7',
      'webhook-timestamp': '1',
      // Of the time, a dot and the body, by the secret, as receivers make it themselves.
      'webhook-signature': `sha256=${createHmac('sha256', 'a secret of sixteen').update('1.{"type":"ping"}').digest('hex')}`,
      connection: 'close',
    },
  ]);
});

it('gives the status of a refusal, and says that the worker was stopped where it was', async () => {
  receiver.answer(500);
  expect(await sent(receiver.url)).toEqual({ status: 500 });
  receiver.answer(204);
  expect(await sent(receiver.url, { signal: AbortSignal.abort() })).toEqual({ reason: 'The worker was stopped' });
});

it('does not call this machine, by address or by a name that leads to it', async () => {
  const count = receiver.received.length;
  expect(await sent(receiver.url, { allowPrivate: false })).toEqual({
    reason: expect.stringContaining('private network'),
  });
  // A name of this machine's own is in its hosts file and leads to a private address, without looking like one.
  const { port } = new URL(receiver.url);
  const byName = await sent(`http://${(await import('node:os')).hostname()}.:${port}/`, { allowPrivate: false });
  expect(byName).toHaveProperty('reason');
  expect(receiver.received).toHaveLength(count);
});

it('follows no redirect', async () => {
  receiver.answer(307);
  expect(await sent(receiver.url)).toEqual({ status: 307 });
  expect(receiver.received.some((request) => request.path === '/elsewhere')).toBe(false);
});

it('gives up a receiver that says nothing, or never ends, or is not there', async () => {
  receiver.answer(() => null);
  expect(await sent(receiver.url, { timeoutMs: 500 })).toEqual({ reason: 'No reply within 500 ms' });
  const endless = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('x-more: more\r\n'), 20);
      socket.once('close', () => clearInterval(timer));
    });
  });
  endless.listen(0, '127.0.0.1');
  await once(endless, 'listening');
  const { port } = endless.address() as AddressInfo;
  expect(await sent(`http://127.0.0.1:${port}/`, { timeoutMs: 500 })).toHaveProperty('reason');
  endless.close();
  await once(endless, 'close');
  expect(await sent(`http://127.0.0.1:${port}/`)).toEqual({ reason: expect.stringContaining('ECONNREFUSED') });
});

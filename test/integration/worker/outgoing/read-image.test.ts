// Pictures from elsewhere: in bounds, from public addresses, or a reason why not.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { dot, startPictures } from '#test/support/pictures.ts';
import { pin } from '../../../../apps/worker/outgoing/pinned.ts';
import { readImage } from '../../../../apps/worker/outgoing/read-image.ts';

const rules = (allowPrivate: boolean, signal = new AbortController().signal) => ({
  allowPrivate,
  timeoutMs: 5000,
  signal,
});

test('a picture is read, anything else is a reason', async () => {
  await using pictures = await startPictures();
  const read = (path: string): Promise<Uint8Array | string> => readImage(`${pictures.url}${path}`, rules(true));
  expect(await read('/logo.png')).toEqual(dot);
  expect(await read('/text.png')).toBe('It is neither PNG nor JPEG');
  expect(await read('/large.png')).toBe('It is larger than 4194304 bytes');
  expect(await read('/moved.png')).toBe('The reply was 302');
  expect(await read('/none.png')).toBe('The reply was 404');
  expect(await readImage('http://127.0.0.1:9/x.png', rules(true))).toContain('ECONNREFUSED');
  expect(await readImage(`${pictures.url}/logo.png`, rules(true, AbortSignal.abort()))).toBe('The worker was stopped');
});

test('a change to another protocol is no picture', async () => {
  const server = createServer(({ socket }) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await readImage(`http://127.0.0.1:${port}/logo.png`, rules(true))).toBe('The reply was 101');
  server.closeAllConnections();
  server.close();
});

test('a picture of four megabytes is read, also a JPEG, from the whole of its address, and one byte more is too much', async () => {
  const most = 4 * 1024 * 1024;
  const asked: unknown[] = [];
  const server = createServer(({ method, url, headers }, reply) => {
    asked.push([method, url, headers]);
    reply.end(Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(most - (url === '/more' ? 2 : 3))]));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  expect(await readImage(`http://${host}/a.jpg?size=1`, rules(true))).toHaveLength(most);
  expect(await readImage(`http://${host}/more`, rules(true))).toBe('It is larger than 4194304 bytes');
  const headers = { host, accept: 'image/png, image/jpeg', 'user-agent': 'Muniment', connection: 'close' };
  expect(asked).toEqual([
    ['GET', '/a.jpg?size=1', headers],
    ['GET', '/more', headers],
  ]);
  server.closeAllConnections();
  server.close();
});

test('a name that leads into a private network is not asked', async () => {
  const { signal } = new AbortController();
  expect(await pin('http://[::1]/', false, signal)).toContain('private network');
  expect(await pin('http://user:secret@a.example/', true, signal)).toContain('user or password');
  expect(await pin('http://127.0.0.1/', true, signal)).toHaveProperty('ask');
  await expect(pin('http://127.0.0.1/', true, AbortSignal.abort())).rejects.toThrow('abort');
});

test('private addresses are not asked unless that is allowed', async () => {
  await using pictures = await startPictures();
  expect(await readImage(`${pictures.url}/logo.png`, rules(false))).toContain('private network');
  expect(await readImage('file:///etc/passwd', rules(false))).toContain('Must begin with https');
  expect(pictures.asked).toBe(0);
});

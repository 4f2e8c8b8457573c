// A server of pictures, as a repository's logo may be on.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A picture of one dot in PNG. */
export const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** The server; `asked` counts requests. */
export type Pictures = AsyncDisposable & { readonly url: string; readonly asked: number };

/** Serves `/logo.png`, `/text.png` (no picture), `/large.png` (5 MB) and `/moved.png` (a redirect); else 404. */
export async function startPictures(): Promise<Pictures> {
  let asked = 0;
  const bodies: ReadonlyMap<string, Buffer> = new Map([
    ['/logo.png', dot],
    ['/text.png', Buffer.from('<html>')],
    ['/large.png', Buffer.concat([dot, Buffer.alloc(5e6)])],
  ]);
  const server = createServer((request, response) => {
    asked += 1;
    const body = bodies.get(request.url ?? '');
    if (request.url === '/moved.png') response.writeHead(302, { location: '/logo.png' }).end();
    else response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    // A server that listens on a port has an address.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return asked;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

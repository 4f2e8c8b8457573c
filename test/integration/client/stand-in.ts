// A server that says what a test needs, when the test needs it: what a real service does only under load or while it is started again.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What was asked. */
export type Asked = {
  readonly call: string;
  readonly session: string | undefined;
  readonly body: string;
};

/** An answer; null breaks the connection. */
export type Answer = {
  readonly status?: number;
  readonly json?: unknown;
  readonly headers?: { readonly [name: string]: string };
} | null;

/** A running stand-in. */
export type StandIn = AsyncDisposable & { readonly url: string; readonly asked: readonly Asked[] };

/** Starts one; `answer` gets each request and how many came before it. */
export async function standIn(answer: (asked: Asked, before: number) => Answer): Promise<StandIn> {
  const asked: Asked[] = [];
  const server = createServer((request, reply) => {
    void (async () => {
      const token = request.headers['x-service-session'];
      const now: Asked = {
        call: `${request.method} ${request.url}`,
        session: typeof token === 'string' ? token : undefined,
        body: Buffer.concat(await Array.fromAsync(request)).toString(),
      };
      const answered = answer(now, asked.push(now) - 1);
      if (answered === null) return void request.socket.destroy();
      reply
        .writeHead(answered.status ?? 200, { 'content-type': 'application/json', ...answered.headers })
        .end(JSON.stringify(answered.json ?? {}));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // It listens on TCP, so its address is no text.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

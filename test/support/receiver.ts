// A receiver of webhooks that really listens: keeps what comes, answers as told.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '#domain/json.ts';

/** One request as it came. */
type Received = {
  readonly path: string;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  readonly body: string;
  readonly json: JsonObject;
};

/** A receiver. `answer` says the status of the next replies, or null to leave a request without one. */
export type Receiver = AsyncDisposable & {
  readonly url: string;
  readonly received: readonly Received[];
  answer(status: ((request: Received, count: number) => number | null) | number): void;
  /** Resolves once this holds; fails after 20 seconds. */
  until(holds: (received: readonly Received[]) => boolean): Promise<void>;
};

/** Listens on a free port of this machine. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let status: (request: Received, count: number) => number | null = () => 204;
  let noticed: (() => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const one: Received = { path: request.url ?? '', headers: request.headers, body, json: JSON.parse(body) };
      received.push(one);
      const code = status(one, received.length);
      for (const notice of noticed) notice();
      if (code === null) return;
      response.writeHead(code, code >= 300 && code < 400 ? { location: '/elsewhere' } : {}).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer: (given) => {
      status = typeof given === 'number' ? () => given : given;
    },
    until: async (holds) => {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(
          () =>
            reject(
              new Error(
                `only ${received.length} requests came: ${received.map((each) => each.body.slice(0, 80)).join('\n')}`,
              ),
            ),
          600_000,
        );
        const check = (): void => {
          if (!holds(received)) return;
          clearTimeout(timer);
          noticed = noticed.filter((each) => each !== check);
          resolve();
        };
        noticed.push(check);
        check();
      });
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

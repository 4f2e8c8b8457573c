// Addresses of the web that users of the service name: looked up once, checked and pinned, so that none leads into our own network, whatever its
// name resolves to a moment later.
import { lookup } from 'node:dns/promises';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress, urlProblem } from '#domain/webhooks/address.ts';

/** How others are reached; `signal` ends it. */
export type ReachRules = { readonly allowPrivate: boolean; readonly timeoutMs: number; readonly signal: AbortSignal };

/** A place that may be asked: `ask` begins a request there. Redirects are replies like any other. */
export type Pinned = {
  ask(options: RequestOptions, answered: (reply: IncomingMessage) => void): ClientRequest;
};

/** Looks a URL up; the text says why it may not be asked. Throws where its name is unknown. */
export async function pin(given: string, allowPrivate: boolean, signal: AbortSignal): Promise<Pinned | string> {
  const problem = urlProblem(given, allowPrivate);
  if (problem !== null) return `The URL: ${problem}`;
  const url = new URL(given);
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const address = await within(signal, addressOf(name));
  if (!allowPrivate && !isPublicAddress(address))
    return `${url.hostname} is in a private network (MUNIMENT_WEBHOOK_ALLOW_PRIVATE)`;
  const isSecure = url.protocol === 'https:';
  return {
    ask: (options, answered) => {
      const request = (isSecure ? httpsRequest : httpRequest)(
        {
          ...options,
          // The address that was checked; the name for the certificate and whoever answers.
          host: address,
          port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
          path: `${url.pathname}${url.search}`,
          agent: false,
          signal,
          ...(isSecure && isIP(name) === 0 ? { servername: name } : {}),
          headers: { host: url.host, ...options.headers },
          maxHeaderSize: 16_384,
        },
        answered,
      );
      // A change of protocol is told by this event alone: where nobody hears it there is neither a reply nor an error, and no signal ends it any more.
      request.on('upgrade', (reply, socket) => {
        socket.destroy();
        answered(reply);
      });
      return request;
    },
  };
}

/** Why a request had no reply, in words for whoever reads a log. */
export function reasonOf(error: unknown, rules: ReachRules): string {
  if (rules.signal.aborted) return 'The worker was stopped';
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return `No reply within ${rules.timeoutMs} ms`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return `${code === '' ? '' : `${code}: `}${error instanceof Error ? error.message : String(error)}`.slice(0, 500);
}

async function addressOf(host: string): Promise<string> {
  if (isIP(host) !== 0) return host;
  const { address } = await lookup(host);
  return address;
}

/** A promise that ends with the signal at the latest: a look-up cannot be cancelled. */
function within<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(signal.reason);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}

// One HTTP request to a receiver: its address looked up once, checked and pinned; no redirects; a time limit; hardly anything read of the
// reply. A receiver is somebody else's machine, named by an administrator: nothing it does may hold a worker or lead it into our network.
import { lookup } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress, urlProblem } from '#domain/webhooks/address.ts';
import { signatureOf } from '#domain/webhooks/signature.ts';

/** What is sent where. `timestamp` is in seconds since 1970. */
export type Sending = {
  readonly url: string;
  readonly secret: string;
  readonly deliveryId: number;
  readonly body: string;
  readonly timestamp: number;
};

/** How receivers are reached. */
export type SendRules = { readonly allowPrivate: boolean; readonly timeoutMs: number; readonly signal: AbortSignal };

/** What became of a request: the status of the reply, or why there was none. */
export type Sent = { readonly status: number } | { readonly reason: string };

/** Sends; never throws. A redirect is a reply like any other, and none that counts as received. */
export async function send(sending: Sending, rules: SendRules): Promise<Sent> {
  const signal = AbortSignal.any([rules.signal, AbortSignal.timeout(rules.timeoutMs)]);
  try {
    const problem = urlProblem(sending.url, rules.allowPrivate);
    if (problem !== null) return { reason: `The URL: ${problem}` };
    const url = new URL(sending.url);
    const address = await within(signal, addressOf(url.hostname.replace(/^\[|\]$/g, '')));
    if (!rules.allowPrivate && !isPublicAddress(address))
      return { reason: `${url.hostname} is in a private network (MUNIMENT_WEBHOOK_ALLOW_PRIVATE)` };
    return { status: await post(url, address, sending, signal) };
  } catch (error) {
    return { reason: reasonOf(error, rules) };
  }
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

function post(
  url: URL,
  address: string,
  { secret, deliveryId, body, timestamp }: Sending,
  signal: AbortSignal,
): Promise<number> {
  const isSecure = url.protocol === 'https:';
  const name = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)(
      {
        // The address that was checked, whatever the name resolves to by now; the name for the certificate and the receiver.
        host: address,
        port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
        path: `${url.pathname}${url.search}`,
        method: 'POST',
        agent: false,
        signal,
        ...(isSecure && isIP(name) === 0 ? { servername: name } : {}),
        headers: {
          host: url.host,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'Muniment-Webhooks',
          'webhook-id': String(deliveryId),
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signatureOf(secret, timestamp, body),
        },
        maxHeaderSize: 16_384,
      },
      (response) => {
        resolve(response.statusCode ?? 0);
        // What it says beyond the status is of no use to us.
        response.destroy();
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function reasonOf(error: unknown, rules: SendRules): string {
  if (rules.signal.aborted) return 'The worker was stopped';
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError'))
    return `No reply within ${rules.timeoutMs} ms`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return `${code === '' ? '' : `${code}: `}${error instanceof Error ? error.message : String(error)}`.slice(0, 500);
}

// One HTTP request to a receiver: its address looked up once, checked and pinned; no redirects; a time limit; hardly anything read of the
// reply. A receiver is somebody else's machine, named by an administrator: nothing it does may hold a worker or lead it into our network.
import { signatureOf } from '#domain/webhooks/signature.ts';
import { inSpan, traceHeaders } from '#store/observing/tracing.ts';
import type { Pinned, ReachRules } from '../../outgoing/pinned.ts';
import { pin, reasonOf } from '../../outgoing/pinned.ts';

/** What is sent where. `timestamp` is in seconds since 1970. */
export type Sending = {
  readonly url: string;
  readonly secret: string;
  readonly deliveryId: number;
  readonly body: string;
  readonly timestamp: number;
};

/** How receivers are reached. */
export type SendRules = ReachRules;

/** What became of a request: the status of the reply, or why there was none. */
export type Sent = { readonly status: number } | { readonly reason: string };

/** Sends; never throws. A redirect is a reply like any other, and none that counts as received. */
export async function send(sending: Sending, rules: SendRules): Promise<Sent> {
  const signal = AbortSignal.any([rules.signal, AbortSignal.timeout(rules.timeoutMs)]);
  try {
    const place = await pin(sending.url, rules.allowPrivate, signal);
    if (typeof place === 'string') return { reason: place };
    const attributes = { 'http.request.method': 'POST', 'server.address': new URL(sending.url).hostname };
    // Of what receivers' addresses say, the host alone: the rest may hold a key.
    const status = await inSpan({ name: 'POST webhook', kind: 'client', attributes }, async (span) => {
      const answered = await post(place, sending);
      span.set({ 'http.response.status_code': answered });
      if (answered >= 400) span.fail(String(answered));
      return answered;
    });
    return { status };
  } catch (error) {
    return { reason: reasonOf(error, rules) };
  }
}

function post(place: Pinned, { secret, deliveryId, body, timestamp }: Sending): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = place.ask(
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'Muniment-Webhooks',
          ...traceHeaders(),
          'webhook-id': String(deliveryId),
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signatureOf(secret, timestamp, body),
        },
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

// Webhooks in a worker: one follower of the feed that writes deliveries, and a sender. Any number of workers may run them: the follower
// is one for all, and a hook is sent to by one sender at a time, in order (docs/guides/webhooks.md).
import { mostAttempts, pauseAfter } from '#domain/webhooks/retry.ts';
import type { Database } from '#store/connection/database.ts';
import { follow } from '#store/change-log/followers.ts';
import type { Listener, Waker } from '#store/connection/listener.ts';
import { createWaker } from '#store/connection/listener.ts';
import type { DueDelivery, Outcome } from '#store/webhooks/deliveries.ts';
import {
  claimDelivery,
  enqueueDeliveries,
  recordDelivery,
  webhookChannel,
  webhookFollower,
} from '#store/webhooks/deliveries.ts';
import type { Sent } from './send.ts';
import { send } from './send.ts';

/** What runWebhooks needs. The defaults are for production; tests shorten them. Times in milliseconds. */
export type WebhookSettings = {
  readonly database: Database;
  readonly listener: Listener;
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  readonly timeoutMs?: number;
  /** How much longer than the time limit a claim lasts: nobody else may send meanwhile. */
  readonly leaseSlackMs?: number;
  readonly attempts?: number;
  readonly pauseMs?: (attempt: number) => number;
};

// Waiting for a receiver costs next to nothing, and who takes his time is waited for at one of these places: they are many more than a few slow ones take.
const mostAtOnce = 32;
// What failed before mostly takes its whole time to fail again: where these receivers are many they would be at every place, and whoever answers would get one delivery a round.
const mostAgain = 16;
const pollMs = 1000;

/** Runs until the signal. What is being sent then is cut off and sent again by the next worker. */
export async function runWebhooks(settings: WebhookSettings): Promise<void> {
  const { database, listener, signal, onError } = settings;
  const bell = createWaker();
  const unsubscribe = await listener.subscribe(webhookChannel, bell.wake);
  await Promise.all([
    follow(database, webhookFollower, (entries, tx) => enqueueDeliveries(tx, entries), { listener, signal, onError }),
    sendAll(settings, bell),
  ]);
  unsubscribe();
}

async function sendAll(settings: WebhookSettings, bell: Waker): Promise<void> {
  const { database, signal, onError, timeoutMs = 10_000, leaseSlackMs = 5_000 } = settings;
  const underWay = new Set<Promise<void>>();
  let again = 0;
  while (!signal.aborted) {
    try {
      const delivery =
        underWay.size < mostAtOnce ? await claimDelivery(database, timeoutMs + leaseSlackMs, again >= mostAgain) : null;
      if (delivery === null) await bell.wait(pollMs, signal);
      else {
        const isAgain = delivery.attempts > 0;
        if (isAgain) again += 1;
        const sending: Promise<void> = sendOne(settings, delivery)
          .catch(onError)
          .finally(() => {
            underWay.delete(sending);
            if (isAgain) again -= 1;
            // There is a place, and the next delivery of that hook may be due.
            bell.wake();
          });
        underWay.add(sending);
      }
    } catch (error) {
      onError(error);
      await createWaker().wait(pollMs, signal);
    }
  }
  await Promise.all(underWay);
}

/** Sends what was claimed, and notes how that ended. */
async function sendOne(
  {
    database,
    allowPrivate,
    signal,
    timeoutMs = 10_000,
    attempts = mostAttempts,
    pauseMs = pauseAfter,
  }: WebhookSettings,
  delivery: DueDelivery,
): Promise<void> {
  const timestamp = Math.floor(Date.now() / 1000);
  const sent = await send(
    { url: delivery.url, secret: delivery.secret, deliveryId: delivery.id, body: delivery.body, timestamp },
    { allowPrivate, timeoutMs, signal },
  );
  // A stop is no fault of the receiver: the claim is left to run out.
  if (signal.aborted && !('status' in sent)) return;
  await recordDelivery(database, delivery, outcomeOf(delivery, sent, attempts, pauseMs));
}

function outcomeOf(delivery: DueDelivery, sent: Sent, attempts: number, pauseMs: (attempt: number) => number): Outcome {
  if ('status' in sent && sent.status >= 200 && sent.status < 300)
    return { kind: 'delivered', httpStatus: sent.status };
  const attempt = delivery.attempts + 1;
  const reason = 'status' in sent ? `The receiver answered ${sent.status}` : sent.reason;
  return {
    kind: 'failed',
    httpStatus: 'status' in sent ? sent.status : null,
    reason,
    pauseMs: pauseMs(attempt),
    isLast: attempt >= attempts,
  };
}

// The signature of a delivery: HMAC-SHA256 of "timestamp.body" under the secret of the hook. Receivers compute the same, compare in
// constant time, and refuse old timestamps (docs/guides/webhooks.md).
import { createHmac } from 'node:crypto';

/** The value of Webhook-Signature. `timestamp` is in seconds since 1970, as in Webhook-Timestamp. */
export function signatureOf(secret: string, timestamp: number, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

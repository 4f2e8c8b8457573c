// Requests that make something and whose answer was lost: nobody knows whether they arrived. They go under a key by which the service knows them
// again, and are sent under the same one until there is an answer, so that nothing is made twice.
import { isAway } from './asking.tsx';
import { ServiceError } from '../../libs/client/errors.ts';

/** A key that no other request has. */
export const newKey = (): string =>
  // crypto.randomUUID is missing where the console is served without TLS.
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The header that carries a key. */
export const underKey = (key: string): { readonly [name: string]: string } => ({ 'idempotency-key': key });

// A service that died in the middle of its work leaves a key that is never answered. Who has been told of it so long goes on with another one.
const longestMs = 60_000;

/** Whether a request that failed so, and was first sent `at` (ms), may have been done all the same, or be under way. */
export function mayBeDone(error: unknown, at: number): boolean {
  if (isAway(error)) return true;
  const isUnderWay =
    error instanceof ServiceError && error.status === 409 && /Idempotency-Key/.test(String(error.error));
  return isUnderWay && Date.now() - at < longestMs;
}

// Requests that may be sent again: with an Idempotency-Key the first one is run and its answer kept for a day; the same request again gets
// that answer and does nothing. A request that failed keeps nothing: it may be mended and sent again under its key.
import { createHash } from 'node:crypto';
import { Failure, fail } from '#domain/errors.ts';
import { claimKey, keepAnswer, releaseKey } from '#store/access/idempotency.ts';
import type { Answer, KeyedRequest } from '#store/access/idempotency.ts';
import { heedingNobody } from '#store/connection/lock-waits.ts';
import { isRolledBack } from '#store/connection/pg-errors.ts';
import type { Json } from '#domain/json.ts';
import { isReply, json, jsonText } from '../reply/reply.ts';
import type { Reply } from '../reply/reply.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { Call, Method, Route } from '../route.ts';

type AnyCall = Pick<Call<unknown, unknown>, 'services' | 'log'>;

const longestKey = 200;

/** Whether a route heeds Idempotency-Key: what creates something or starts a job. Streamed bodies see to it themselves (batch imports). */
export function isRepeatable(route: Route, method: Method): boolean {
  const isHeeded = route.repeatable ?? route.access !== 'public';
  return method === 'POST' && isHeeded && route.body?.form !== 'stream';
}

const digest = (parts: readonly string[]): string =>
  parts
    .reduce((hash, part) => hash.update(`${Buffer.byteLength(part)}:`).update(part), createHash('sha256'))
    .digest('hex');

/** A POST under its key, or null where the client sent no key or has no session. `sent` is query and body, null where the body is not known. */
export function keyedRequest(
  key: string | undefined,
  caller: Caller,
  path: string,
  sent: readonly string[] | null,
): KeyedRequest | null {
  if (key === undefined || caller.userId === null) return null;
  if (key === '' || key.length > longestKey)
    throw fail('bad_parameter', { 'Idempotency-Key': [`Must have 1 to ${longestKey} characters`] });
  // With the key, which is stored nowhere: bodies and queries may hold passwords, and a digest of these alone would tell whoever guesses one.
  const bodyHash = sent === null ? null : `keyed:${digest([key, ...sent])}`;
  return { userId: caller.userId, keyHash: digest([key, path]), bodyHash };
}

/** The failure of a key that belongs to another body. */
export const keyReused = (): Failure =>
  fail('key_reused', { 'Idempotency-Key': ['Was sent before with another body'] });

/** Runs a handler once for a key: the first time it is called, later its answer. A request that waits for a job and was given up by its client is joined (doJob). */
export async function once(
  call: AnyCall,
  request: KeyedRequest,
  handler: () => Promise<Reply | Json> | Reply | Json,
): Promise<Reply | Json> {
  const { database } = call.services;
  const claim = await claimKey(database, request);
  if (claim.kind === 'other_body') throw keyReused();
  if (claim.kind === 'under_way')
    throw fail(
      'conflict',
      'The first request with this Idempotency-Key is under way, or ended without a trace; look whether it was done',
    );
  if (claim.kind === 'answered')
    return jsonText(claim.reply, claim.status, { ...claim.headers, 'idempotency-replayed': 'true' });
  const value = await run(call, request, handler);
  const answer = toAnswer(value);
  // A reply that cannot be kept is none of those that these routes give; then the key counts as under way. A client that is gone by now is the one to ask again.
  if (answer !== null)
    await heedingNobody(() => keepAnswer(database, request, answer)).catch((error: unknown) =>
      call.log.error({ event: 'answer_not_kept', err: error }),
    );
  return value;
}

async function run(
  call: AnyCall,
  request: KeyedRequest,
  handler: () => Promise<Reply | Json> | Reply | Json,
): Promise<Reply | Json> {
  try {
    return await handler();
  } catch (error) {
    // After an unexpected failure nobody knows what was done, so the key stays taken; not where the database refused it as a whole, such as after waiting for a lock.
    if (error instanceof Failure && (error.status < 500 || isRolledBack(error)))
      await heedingNobody(() => releaseKey(call.services.database, request)).catch((failed: unknown) =>
        call.log.error({ event: 'key_not_released', err: failed }),
      );
    throw error;
  }
}

function toAnswer(value: Reply | Json): Answer | null {
  const reply = isReply(value) ? value : json(value);
  const { status, headers } = reply;
  if (reply.form === 'json') return { status, headers, reply: JSON.stringify(reply.value) };
  return reply.form === 'json_text' ? { status, headers, reply: reply.text } : null;
}

// The bytes of a request: gathered up to a limit, or handed on as a counted stream. Refusing never cuts the connection
// before the client could read why: the rest is read and dropped for a while.
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import { fail } from '#domain/errors.ts';
import type { Held } from './held-bodies.ts';
import { trouble } from './json-text.ts';
import type { Limits } from './limits.ts';

/** The length that a request tells of its body. Where it tells none, NaN, which is above no limit. */
const toldLength = (raw: IncomingMessage): number => Number(raw.headers['content-length']);

/** Whether the request has a body at all. */
export function hasBody(raw: IncomingMessage): boolean {
  return raw.headers['transfer-encoding'] !== undefined || toldLength(raw) > 0;
}

/** The 413 of a body above a limit. */
export function tooLarge(limitBytes: number): Error {
  return fail('too_large', `The body is larger than the ${limitBytes} bytes allowed`);
}

/** The 413 of a body above what is read of requests without a session. */
export function tooLargeForStrangers(limitBytes: number): Error {
  return fail('too_large', `Without a session a body may have ${limitBytes} bytes at most`);
}

const truncated = (): Error => trouble('the body ended before its end');
const stalled = (): Error => trouble('the body did not arrive in time');

/** Reads the rest of a body and drops it, so that the reply reaches the client; cuts the connection where that takes too long. */
export function drain(raw: IncomingMessage, limits: Limits): void {
  if (raw.complete || raw.destroyed || !hasBody(raw)) return;
  const timer = setTimeout(() => raw.destroy(), limits.drainMs).unref();
  raw.once('close', () => clearTimeout(timer));
  raw.once('end', () => clearTimeout(timer));
  // Whoever read before has ended its interest; a late error of the connection has nobody to tell.
  raw.on('error', () => undefined);
  raw.resume();
}

/** What was read of a body: all of it, or its beginning; then the request is paused. */
export type Beginning = { readonly chunks: readonly Buffer[]; readonly isWhole: boolean };

/** How a body is read: within which limits, and on whose account (held-bodies.ts). */
type Reading = { readonly limits: Limits; readonly held: Held };

/**
 * The body, or its beginning where it is longer than `most` bytes: then a little more than so many. Throws `too_large` above
 * `limits.bodyBytes`, `malformed_body` where it is cut short or too slow, and `unavailable` where other bodies take the memory.
 */
export async function readBeginning(
  raw: IncomingMessage,
  { limits, held }: Reading,
  most = Infinity,
): Promise<Beginning> {
  if (!hasBody(raw)) return { chunks: [], isWhole: true };
  if (toldLength(raw) > limits.bodyBytes) {
    drain(raw, limits);
    throw tooLarge(limits.bodyBytes);
  }
  return new Promise<Beginning>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const idle = setTimeout(() => refuse(stalled()), limits.idleMs);
    const whole = setTimeout(() => refuse(stalled()), limits.bodyMs);
    const end = (): void => {
      clearTimeout(idle);
      clearTimeout(whole);
      raw.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
    };
    const refuse = (error: unknown): void => {
      end();
      drain(raw, limits);
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      idle.refresh();
      size += chunk.length;
      if (size > limits.bodyBytes) return refuse(tooLarge(limits.bodyBytes));
      try {
        held.add(chunk.length);
      } catch (error) {
        return refuse(error);
      }
      chunks.push(chunk);
      if (size <= most) return;
      end();
      raw.pause();
      resolve({ chunks, isWhole: false });
    };
    const onEnd = (): void => {
      end();
      resolve({ chunks, isWhole: true });
    };
    const onClose = (): void => refuse(truncated());
    raw.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** The whole body, at most `limits.bodyBytes`; throws as readBeginning does. */
export async function readBytes(raw: IncomingMessage, reading: Reading): Promise<Buffer> {
  const { chunks } = await readBeginning(raw, reading);
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

/** The body as a stream that counts: it fails with `too_large` above `limits.uploadBytes`, and `malformed_body` where it is cut short or stalls. */
export function countedStream(raw: IncomingMessage, limits: Limits): Readable {
  let size = 0;
  const counter = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      idle.refresh();
      size += chunk.length;
      if (size > limits.uploadBytes) return done(tooLarge(limits.uploadBytes));
      done(null, chunk);
    },
  });
  const idle = setTimeout(() => {
    // Silence counts only while it is the client that we wait for.
    if (counter.writableNeedDrain || counter.readableLength > 0) idle.refresh();
    else counter.destroy(stalled());
  }, limits.idleMs);
  const onCut = (): void => {
    if (!raw.complete) counter.destroy(truncated());
  };
  counter.once('close', () => {
    clearTimeout(idle);
    raw.off('close', onCut).unpipe(counter);
    drain(raw, limits);
  });
  // A consumer that is not there yet must not make the failure an uncaught one; it meets the error when it reads.
  counter.on('error', () => undefined);
  raw.once('close', onCut);
  raw.on('error', onCut);
  if (toldLength(raw) > limits.uploadBytes) counter.destroy(tooLarge(limits.uploadBytes));
  else if (hasBody(raw)) raw.pipe(counter);
  else counter.end();
  return counter;
}

/** Decodes a body in the charset that its content type names, UTF-8 otherwise; throws `malformed_body` for bytes that are not of it. */
export function decodeBody(bytes: Buffer, contentType: string): string {
  // The first bytes of gzip, which no JSON begins with.
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) throw trouble('the body is compressed; compressed requests are not read');
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return decoderFor(charset).decode(bytes);
  } catch {
    // The decoder tells only that it failed.
    throw trouble(`the body is not valid ${charset}`);
  }
}

function decoderFor(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    // An unknown charset: most bodies are UTF-8 whatever they say, and one that is not is refused by its bytes.
    return new TextDecoder('utf-8', { fatal: true });
  }
}

// When a request is sent once more, and how long is waited before that.

/** How often and how long is waited. */
export type Retries = {
  /** Repetitions of one request at most; 0: none. */
  readonly most: number;
  /** The longest wait before one of them, in milliseconds. A service that asks for a longer one is not asked again. */
  readonly longestWaitMs: number;
  /** Whether to repeat where nobody answers or the connection breaks, too. */
  readonly whenLost: boolean;
};

/** What holds where nothing else is said. */
export const usualRetries: Retries = { most: 4, longestWaitMs: 30_000, whenLost: true };

const firstWaitMs = 250;

/** Whether a request may be repeated without being done twice: it only reads, or carries a key by which the service knows it again. */
export function isRepeatable(method: string, headers: Headers): boolean {
  return method === 'GET' || method === 'HEAD' || headers.has('idempotency-key');
}

/**
 * How long to wait before the repetition of this number (from 0), in milliseconds: as long as the service asks for (`Retry-After`, in seconds
 * or as a date), otherwise twice as long each time. Null: do not repeat.
 */
export function waitBefore(repeat: number, retryAfter: string | null, retries: Retries, now: number): number | null {
  if (repeat >= retries.most) return null;
  const asked = retryAfter === null ? null : secondsOrDate(retryAfter, now);
  const wait = asked ?? firstWaitMs * 2 ** repeat;
  if (wait <= retries.longestWaitMs) return wait;
  return asked === null ? retries.longestWaitMs : null;
}

/** The milliseconds that a `Retry-After` asks for, in seconds or as a date; null where it says neither. */
export function secondsOrDate(text: string, now: number): number | null {
  const value = text.trim();
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Waits; throws the signal's reason where that is aborted first. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

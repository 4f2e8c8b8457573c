// How much and how long a client may send: sizes from the configuration, times that only tests change.
import type { Config } from '#domain/config.ts';

/** Bounds of one request; bytes and milliseconds. */
export type Limits = {
  /** A JSON, text or form body; held in memory. */
  readonly bodyBytes: number;
  /** Bodies of all requests that are held in memory at once. */
  readonly bodiesBytes: number;
  /** A body above this is not read on the event loop that answers everybody (large-bodies/). Of a size that costs it some ten milliseconds at worst. */
  readonly loopBytes: number;
  /** An upload or stream; never held in memory. */
  readonly uploadBytes: number;
  /** Request line and headers together (the contract's 64 KiB). */
  readonly headerBytes: number;
  readonly headersMs: number;
  /** The longest silence within a body. */
  readonly idleMs: number;
  /** The whole of a body held in memory. */
  readonly bodyMs: number;
  /** The whole of any request, uploads included. */
  readonly requestMs: number;
  /** How long the rest of a refused body is read and dropped, so that the client sees the reply. */
  readonly drainMs: number;
  /** How long requests may go on once the server closes. */
  readonly closeMs: number;
  /** How often Node looks for connections past their time. */
  readonly checkMs: number;
};

/** The limits of a server: sizes as configured, times fit for archivists' connections. */
export function toLimits(config: Config, changes: Partial<Limits> = {}): Limits {
  return {
    bodyBytes: config.MUNIMENT_MAX_BODY_BYTES,
    bodiesBytes: Math.max(config.MUNIMENT_MAX_BODIES_BYTES, config.MUNIMENT_MAX_BODY_BYTES),
    loopBytes: 64 * 1024,
    uploadBytes: config.MUNIMENT_MAX_UPLOAD_BYTES,
    headerBytes: 64 * 1024,
    headersMs: 30_000,
    idleMs: 60_000,
    bodyMs: 300_000,
    requestMs: 6 * 3_600_000,
    drainMs: 30_000,
    closeMs: 30_000,
    checkMs: 5_000,
    ...changes,
  };
}

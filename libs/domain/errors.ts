// Every failure a client can cause, as one table: code, HTTP status, whether a job that meets it may be retried.
// Code throws fail('…'); apps/api/plugins/errors.ts alone turns a Failure into a reply. Each code has a heading in docs/errors.md.
import type { Json } from './json.ts';

/** What is known of one error code. `retry` says whether a job that ends in it is worth another try. */
export type ErrorEntry = { readonly status: number; readonly retry: boolean };

/** The table of errors, by code. The wire texts follow the contract (behaviour-records.md 1.3). */
export const errorTable = {
  invalid_record: { status: 400, retry: false },
  bad_parameter: { status: 400, retry: false },
  malformed_body: { status: 400, retry: false },
  unknown_reference: { status: 400, retry: false },
  not_unique: { status: 400, retry: false },
  not_allowed: { status: 400, retry: false },
  merge_refused: { status: 400, retry: false },
  unsupported_query: { status: 400, retry: false },
  not_expressible: { status: 400, retry: false },
  import_failed: { status: 400, retry: false },
  access_denied: { status: 403, retry: false },
  login_failed: { status: 403, retry: false },
  not_found: { status: 404, retry: false },
  stale_record: { status: 409, retry: false },
  conflict: { status: 409, retry: false },
  delete_refused: { status: 409, retry: false },
  transfer_conflict: { status: 409, retry: false },
  session_gone: { status: 412, retry: false },
  session_expired: { status: 412, retry: false },
  precondition_failed: { status: 412, retry: false },
  too_large: { status: 413, retry: false },
  key_reused: { status: 422, retry: false },
  too_many_requests: { status: 429, retry: false },
  internal: { status: 500, retry: true },
  unavailable: { status: 503, retry: true },
  disk_full: { status: 507, retry: false },
} as const satisfies Record<string, ErrorEntry>;

/** The name of an error in the table. */
export type ErrorCode = keyof typeof errorTable;

/** An expected failure: `error` is the wire value of the `error` key, `extra` further keys of the reply body. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly error: Json;
  readonly extra: { readonly [key: string]: Json };

  constructor(code: ErrorCode, error: Json, extra: { readonly [key: string]: Json } = {}, cause?: unknown) {
    super(typeof error === 'string' ? error : JSON.stringify(error), cause === undefined ? undefined : { cause });
    this.name = 'Failure';
    this.code = code;
    this.error = error;
    this.extra = extra;
  }

  /** The HTTP status of this failure. */
  get status(): number {
    return errorTable[this.code].status;
  }
}

/** Makes the Failure to throw: `throw fail('not_found', 'Accession not found')`. `cause` is logged, never sent. */
export function fail(code: ErrorCode, error: Json, extra?: { readonly [key: string]: Json }, cause?: unknown): Failure {
  return new Failure(code, error, extra, cause);
}

/** The reply body of a failure in the contract's shape (behaviour-records.md 1.3). */
export function toWireBody(failure: Failure): { readonly [key: string]: Json } {
  return { error: failure.error, ...failure.extra };
}

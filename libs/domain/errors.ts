// Every failure a client can cause, as one table: code, HTTP status, whether a job that meets it may be retried.
// Code throws fail('…'); apps/api/plugins/errors.ts alone turns a Failure into a reply. Each code has a heading in docs/errors.md.
import type { Json } from './json.ts';

/** What is known of one error code. `retry` says whether a job that ends in it is worth another try, `hint` what a client may do. */
export type ErrorEntry = { readonly status: number; readonly retry: boolean; readonly hint: string };

/** The table of errors, by code. The wire texts follow the contract (behaviour-records.md 1.3). */
export const errorTable = {
  invalid_record: {
    status: 400,
    retry: false,
    hint: 'Mend the properties that errors names and send the record again; GET /schemas says what each may hold.',
  },
  bad_parameter: {
    status: 400,
    retry: false,
    hint: 'Mend the parameters that errors names and send the request again.',
  },
  malformed_body: {
    status: 400,
    retry: false,
    hint: 'Send well-formed JSON of the kind that the operation takes; the detail says where reading ended.',
  },
  unknown_reference: {
    status: 400,
    retry: false,
    hint: 'Name records by their uri, as replies show it; they must exist, in this repository where they belong to one.',
  },
  not_unique: {
    status: 400,
    retry: false,
    hint: 'Take another value for the property, or use the record that has this one.',
  },
  not_allowed: {
    status: 400,
    retry: false,
    hint: 'This is switched off here, or never done; asking again gives the same answer.',
  },
  merge_refused: {
    status: 400,
    retry: false,
    hint: 'Preview the merge, and take out what it names.',
  },
  unsupported_query: {
    status: 400,
    retry: false,
    hint: 'Leave out or mend the part of the query that the detail names.',
  },
  not_expressible: {
    status: 400,
    retry: false,
    hint: 'Ask without the parts that the detail names.',
  },
  import_failed: {
    status: 400,
    retry: false,
    hint: 'Mend the named places in the file and send all of it again: nothing of it was stored.',
  },
  access_denied: {
    status: 403,
    retry: false,
    hint: 'Log in, or ask an administrator for the permission that the operation needs.',
  },
  login_failed: {
    status: 403,
    retry: false,
    hint: 'Look at user and password; after too many attempts wait a minute.',
  },
  not_found: {
    status: 404,
    retry: false,
    hint: 'Look at the address and its ids. What is suppressed, or of another repository, is not found either.',
  },
  method_not_allowed: {
    status: 405,
    retry: false,
    hint: 'The header Allow names the methods of this path.',
  },
  stale_record: {
    status: 409,
    retry: false,
    hint: 'Read the record again, make the change in what you read, and send it with its lock_version.',
  },
  conflict: {
    status: 409,
    retry: false,
    hint: 'Read the record again: its state forbids the request.',
  },
  delete_refused: {
    status: 409,
    retry: false,
    hint: 'Take away the link that the detail names, or delete the other record first.',
  },
  transfer_conflict: {
    status: 409,
    retry: false,
    hint: 'Mend the records that errors names, then transfer again: nothing was moved.',
  },
  session_gone: {
    status: 412,
    retry: false,
    hint: 'Log in again, without the token.',
  },
  session_expired: {
    status: 412,
    retry: false,
    hint: 'Log in again, without the token.',
  },
  precondition_failed: {
    status: 412,
    retry: false,
    hint: 'Read the record again, make the change in what you read, and send it with the new ETag.',
  },
  too_large: {
    status: 413,
    retry: false,
    hint: 'Send less in one request, or as an upload of a job.',
  },
  key_reused: {
    status: 422,
    retry: false,
    hint: 'Take a new Idempotency-Key for a new request.',
  },
  too_many_requests: {
    status: 429,
    retry: false,
    hint: 'Wait as long as Retry-After says.',
  },
  internal: {
    status: 500,
    retry: true,
    hint: 'Tell the operator the request_id; the log explains it.',
  },
  file_damaged: {
    status: 500,
    retry: false,
    hint: 'Tell the operator the request_id: the file must come from a copy of the storage of files, or be sent again.',
  },
  unavailable: {
    status: 503,
    retry: true,
    hint: 'Wait as long as Retry-After says, then try again.',
  },
  search_stopped: {
    status: 503,
    retry: true,
    hint: 'Add a rarer word or a filter (type[], a repository), leave out the order, or try again when less is going on.',
  },
  disk_full: {
    status: 507,
    retry: false,
    hint: 'The operator must make room on the disk of the database.',
  },
} as const satisfies Record<string, ErrorEntry>;

/** The name of an error in the table. */
export type ErrorCode = keyof typeof errorTable;

/** An expected failure: `error` is the wire value of the `error` key, `extra` further keys of the reply body. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly error: Json;
  readonly extra: { readonly [key: string]: Json };
  #hint: string | null = null;

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

  /** What a client may do about it: of the code, or of this very failure. */
  get hint(): string {
    return this.#hint ?? errorTable[this.code].hint;
  }

  /** The same failure with a hint of its own. */
  hinted(hint: string): this {
    this.#hint = hint;
    return this;
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

/** What an operator is told of an error: its cause, which clients of the service do not learn. */
export function operatorWords(error: unknown): string {
  const cause = error instanceof Failure ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}

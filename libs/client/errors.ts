// What can go wrong between a client and the service, as errors that tell it apart.
import type { Json } from '../domain/json.ts';
import { isObject, textOf } from '../domain/json.ts';

/** Whatever this library throws by itself. An aborted signal throws its own reason, as everywhere. */
export class ClientError extends Error {
  override readonly name: string = 'ClientError';
}

/** The service refused a request, or failed at it. */
export class ServiceError extends ClientError {
  override readonly name: string = 'ServiceError';
  /** The status of the reply: 400, 403, 404, 409, 412, 500 … */
  readonly status: number;
  /** What is wrong by name where the reply has one, as SESSION_GONE. */
  readonly code: string | undefined;
  /** The body of the reply; `{"error": "502 Bad Gateway"}` where it was not JSON. */
  readonly body: Json;
  /** Under which the log of the server has more; only of failures of the server. */
  readonly requestId: string | undefined;

  /** `asked` is method and path, for the message. */
  constructor(asked: string, status: number, body: Json) {
    super(`${asked}: ${status} ${wordsOf(body)}`);
    this.status = status;
    this.body = body;
    this.code = isObject(body) ? textOf(body, 'code') : undefined;
    this.requestId = isObject(body) ? textOf(body, 'request_id') : undefined;
  }

  /** `error` of the reply: a text, or messages by the path of each property (`dates/0/begin`). */
  get error(): Json {
    return isObject(this.body) ? (this.body['error'] ?? null) : null;
  }
}

/** The name or password is wrong, or this user may not log in (now). */
export class LoginRefused extends ServiceError {
  override readonly name = 'LoginRefused';
}

/** The session has ended, or never was, and there is no password to make a new one with. */
export class SessionGone extends ServiceError {
  override readonly name = 'SessionGone';
}

/** A request needs a session, and neither session nor password was given. */
export class NoCredentials extends ClientError {
  override readonly name = 'NoCredentials';
}

/** Nobody answered, or the connection broke. `code` is that of the system or of fetch (ECONNREFUSED, UND_ERR_…), '' where there is none. */
export class ConnectionLost extends ClientError {
  override readonly name = 'ConnectionLost';
  readonly code: string;

  constructor(url: string, cause: unknown) {
    const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
    super(`The connection to ${url} failed: ${inner instanceof Error ? inner.message : String(inner)}`, { cause });
    this.code = inner instanceof Error && 'code' in inner ? String(inner.code) : '';
  }
}

/** Something answered, but not as this service does. */
export class UnexpectedReply extends ClientError {
  override readonly name = 'UnexpectedReply';
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

function wordsOf(body: Json): string {
  const error = isObject(body) ? body['error'] : undefined;
  if (typeof error === 'string') return error;
  if (!isObject(error)) return JSON.stringify(error ?? body);
  return Object.entries(error)
    .map(([property, says]) => `${property}: ${Array.isArray(says) ? says.join('; ') : JSON.stringify(says)}`)
    .join(', ');
}

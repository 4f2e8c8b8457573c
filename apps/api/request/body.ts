// Declarations of request bodies: plain data; dispatch.ts has them read, openapi/request-body.ts describes them.
// A route with a body declaration takes the raw bytes as that body whatever the content type; a route without one
// reads a form body as parameters (contract 1.1).
import type { Readable } from 'node:stream';
import type { Json, JsonObject } from '#domain/json.ts';
import type { Shape } from '../openapi/shape.ts';
import type { CheckedRecord } from '../services.ts';

/** A body that reaches the handler as T. */
export type Body<T> = {
  readonly form: 'record' | 'object' | 'array' | 'any' | 'text' | 'stream' | 'multipart';
  /** Never there: it ties the declaration to the type that the handler gets. */
  readonly value?: T;
  /** The schema of a record body, as named on the wire. */
  readonly schema?: string;
  /** Whether a record body is checked as a new record or as the update of one (the defaults differ). */
  readonly operation?: 'create' | 'update';
  readonly doc?: string;
  /** What the body holds, where no schema says it; for the documentation. */
  readonly shape?: Shape;
  /** A body that a service with the records it names accepts as it stands; a record has that of its kind. */
  readonly example?: Json;
  /** The file of the project that the example of a form or stream sends. */
  readonly exampleFile?: string;
  /** The media type of the documentation, where it is not the one of the form. Whatever a client says is taken. */
  readonly mediaType?: string;
  /** Whether the body may be left out; for the documentation. */
  readonly optional?: true;
};

/** A file of a multipart body, on disk until the reply is sent. `open` may be called more than once. */
export type UploadedFile = {
  readonly field: string;
  readonly filename: string;
  readonly mediaType: string;
  readonly sizeBytes: number;
  readonly open: () => Readable;
};

type Says = Pick<Body<never>, 'doc' | 'shape' | 'example' | 'exampleFile' | 'mediaType' | 'optional'>;

/** A record: parsed, cleaned and checked against its schema before permissions are looked at. */
export function recordBody(
  schema: string,
  operation: 'create' | 'update' = 'create',
  says: Says = {},
): Body<CheckedRecord> {
  return { form: 'record', schema, operation, ...says };
}

/** A JSON object, parsed but not checked. */
export function jsonBody(says: Says = {}): Body<JsonObject> {
  return { form: 'object', ...says };
}

/** A JSON array, parsed but not checked. */
export function jsonArrayBody(says: Says = {}): Body<readonly Json[]> {
  return { form: 'array', ...says };
}

/** Any JSON value. */
export function anyJsonBody(says: Says = {}): Body<Json> {
  return { form: 'any', ...says };
}

/** The body as text, unparsed. */
export function textBody(says: Says = {}): Body<string> {
  return { form: 'text', ...says };
}

/** The bytes as they come; counted, cut off with `too_large` above MUNIMENT_MAX_UPLOAD_BYTES, never held in memory. */
export function rawBody(says: Says = {}): Body<Readable> {
  return { form: 'stream', ...says };
}

/** The files of a multipart form, in order; its other fields are parameters. Asks for a session before a byte is kept. */
export function multipart(says: Says = {}): Body<readonly UploadedFile[]> {
  return { form: 'multipart', ...says };
}

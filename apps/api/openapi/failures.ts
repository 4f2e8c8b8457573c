// The failures of all routes as the document shows them: the body of the interface, the problem details beside it, and the replies that follow
// from what a route declares.
import type { JsonObject } from '#domain/json.ts';
import { errorTable } from '#domain/errors.ts';
import { componentRef } from '#domain/schema/json-schema.ts';
import type { Components } from './shape.ts';

const failure: JsonObject = {
  title: 'Error',
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      description: 'A sentence, or messages by parameter or property.',
      anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }, { type: 'array', items: {} }],
    },
    code: { type: 'string', enum: ['SESSION_GONE', 'SESSION_EXPIRED', 'PRECONDITION_FAILED'] },
    request_id: { type: 'string' },
    warning: { description: 'Warnings about a record that was refused, by property; an empty array for none.' },
    invalid_object: { description: 'The record that was refused, as text.', type: 'string' },
    unsupported: { description: 'What of a query cannot be answered.' },
    uri: { description: 'The record that the failure is about, where the request names several.', type: 'string' },
  },
};

const problem: JsonObject = {
  title: 'Problem',
  type: 'object',
  description:
    'RFC 9457, for clients that send Accept: application/problem+json. `code` is a heading of docs/errors.md, `hint` says what to do, `documentation` is where the error is explained, `classic` the body that others get.',
  required: ['type', 'title', 'status', 'detail', 'code', 'hint', 'documentation', 'classic'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(errorTable) },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'messages'],
        properties: { path: { type: 'string' }, messages: { type: 'array', items: { type: 'string' } } },
      },
    },
    hint: { type: 'string' },
    documentation: { type: 'string', format: 'uri-reference' },
    request_id: { type: 'string' },
    classic: componentRef('Error'),
  },
};

/** The components that failures are described by. */
export const failureComponents: Components = { Error: failure, Problem: problem };

/** The content of a failure, by media type. */
export const failureContent: JsonObject = {
  'application/json': { schema: componentRef('Error') },
  'application/problem+json': { schema: componentRef('Problem') },
};

const reply = (description: string): JsonObject => ({ description, content: failureContent });

/** What a failure is that a route does not describe itself, by the name of its component. */
export const failureReplies = {
  BadRequest: reply('Parameters or body were refused; `error` names each.'),
  AccessDenied: reply('No session, or one without the permission.'),
  NotFound: reply('No such record, or not visible here.'),
  PreconditionFailed: reply(
    'The session is gone (code SESSION_GONE), or the record has another version than If-Match names (code PRECONDITION_FAILED).',
  ),
  SessionGone: reply('The session token is unknown or has expired; drop it and log in again.'),
  TooLarge: reply('The body is larger than the service takes.'),
  KeyReused: reply('The Idempotency-Key was sent before with another body.'),
  KeyBusy: reply('The first request with this Idempotency-Key is under way.'),
  OtherFailure: reply('Too many requests (429), an internal failure (500), or not available now (503, 507).'),
} as const;

/** A reference to one of them. */
export const failureRef = (name: keyof typeof failureReplies): JsonObject => ({
  $ref: `#/components/responses/${name}`,
});

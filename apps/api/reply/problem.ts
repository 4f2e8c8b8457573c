// Errors as application/problem+json (RFC 9457), for clients that ask for it in Accept. All others get the body of the interface we keep.
import type { Failure } from '#domain/errors.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';

/** The media type of problem details. */
export const problemType = 'application/problem+json';

/** Whether Accept names problem details with a quality above 0. A mere wildcard does not: it is what clients send who know nothing of them. */
export function asksForProblem(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes(problemType)) return false;
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return type === problemType && (quality === undefined || Number(quality.slice(2)) > 0);
  });
}

const titles: { readonly [status: number]: string } = {
  400: 'The request cannot be carried out as it is',
  403: 'Access denied',
  404: 'Not found',
  405: 'Not a method of this path',
  409: 'In conflict with the state of the record',
  412: 'A precondition failed',
  413: 'The body is too large',
  422: 'The key was used for another request',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Not available now',
};

/**
 * The problem of a failure: `code` is its name in docs/errors.md, which `documentation` leads to, `errors` the messages by path of the property
 * or parameter, `hint` what to do about it, `classic` the body that other clients get.
 */
export function toProblem(failure: Failure, classic: JsonObject, requestId: string): JsonObject {
  const errors = errorsIn(classic['error']);
  return {
    type: `urn:muniment:error:${failure.code}`,
    title: titles[failure.status] ?? 'Error',
    status: failure.status,
    detail:
      typeof classic['error'] === 'string'
        ? classic['error']
        : errors.map(({ path, messages }) => `${path}: ${messages.join('; ')}`).join('. '),
    code: failure.code,
    ...(errors.length === 0 ? {} : { errors }),
    hint: failure.hint,
    documentation: `/docs/errors#${failure.code}`,
    request_id: requestId,
    classic,
  };
}

type Named = { readonly path: string; readonly messages: readonly string[] };

function errorsIn(error: Json | undefined): readonly Named[] {
  if (!isObject(error)) return [];
  return Object.entries(error).map(([path, messages]) => ({
    path,
    messages: (Array.isArray(messages) ? messages : [messages]).map((message) =>
      typeof message === 'string' ? message : JSON.stringify(message ?? null),
    ),
  }));
}

// The only place that turns a failure into a reply (contract 1.3). Expected failures carry their own body; everything
// else is a 500 that tells the client a request id and the log the rest.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure, fail, toWireBody } from '#domain/errors.ts';
import type { ErrorCode } from '#domain/errors.ts';
import { methodsByPath } from '../request/methods-of-path.ts';
import { pathOf } from '../request/target.ts';
import { asksForProblem, problemType, toProblem } from '../reply/problem.ts';
import { sendJsonText } from '../reply/send.ts';

const idCodes: ReadonlySet<ErrorCode> = new Set(['too_large', 'too_many_requests', 'internal', 'unavailable']);

/** Adds the handlers of errors and of unknown routes and methods. */
export function addErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply));
  const methodsOf = methodsByPath(app);
  app.setNotFoundHandler((request, reply) => {
    // The interface that is kept answers 404 for a method that a path has not.
    const methods = asksForProblem(request.headers.accept) ? methodsOf(pathOf(request.url)) : [];
    if (methods.length === 0) return sendFailure(fail('not_found', 'Not found'), request, reply);
    reply.header('allow', methods.join(', '));
    const failure = fail('method_not_allowed', 'Not found');
    return sendFailure(failure.hinted(`This path has ${methods.join(', ')}.`), request, reply);
  });
}

/** Sends any thrown value as the contract's error body. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = toFailure(error);
  if (failure.status >= 500)
    request.log.error({ event: 'request_failed', code: failure.code, err: failure.cause ?? failure });
  reply.code(failure.status);
  const isProblem = asksForProblem(request.headers.accept);
  if (failure.status === 412 && !isProblem) {
    // Without a newline and without Cache-Control, as the reference sends them; `code` comes first.
    reply.removeHeader('cache-control');
    return sendJsonText(reply, JSON.stringify({ ...failure.extra, error: failure.error }), '');
  }
  if (failure.status === 429 || failure.status === 503) reply.header('retry-after', '1');
  // What an internal failure says may name tables or files: the client gets its id alone.
  const body = failure.code === 'internal' ? { error: 'Internal error' } : toWireBody(failure);
  if (isProblem) return sendJsonText(reply, JSON.stringify(toProblem(failure, body, request.id)), '\n', problemType);
  return sendJsonText(reply, JSON.stringify(idCodes.has(failure.code) ? { ...body, request_id: request.id } : body));
}

/** Any thrown value as a Failure: Fastify's own refusals by their status, the unexpected as `internal`. */
function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const status = isFastifyError(error) ? error.statusCode : undefined;
  if (status === undefined || status >= 500 || !(error instanceof Error))
    return fail('internal', 'Internal error', {}, error);
  if (status === 404 || status === 414) return fail('not_found', 'Not found', {}, error);
  if (status === 413) return fail('too_large', 'The body is too large', {}, error);
  if (status === 503) return fail('unavailable', 'The service is closing', {}, error);
  return fail('malformed_body', `Had some trouble parsing your request: ${error.message}`, {}, error);
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('FST_') && 'statusCode' in error;
}

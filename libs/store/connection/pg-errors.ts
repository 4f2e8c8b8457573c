// The only place that reads PostgreSQL error codes: turns them into the service's failures.
import pg from 'pg';
import { Failure, fail } from '#domain/errors.ts';

const retryable = new Set(['40001', '40P01', '55P03']);
const unavailable = new Set(['57P01', '57P02', '57P03', '53300', '08000', '08003', '08006', '08001']);
const connectionLost = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ENOENT'],
  // A machine, a network or a name that is gone.
  ...['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENOTFOUND', 'EAI_AGAIN'],
]);

function codeOf(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code;
  if (error instanceof Failure) return codeOf(error.cause);
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return undefined;
  // A file or a program that is not there is no server's socket.
  if (error.code === 'ENOENT' && !('syscall' in error && error.syscall === 'connect')) return undefined;
  return error.code;
}

// Of two that write the first document of a record at the same time the later finds it when it begins anew.
const foundAnew = new Set(['search_doc_id_audience_idx']);

/** Whether a transaction that ended in this error may succeed when run again at once (deadlock, serialization, lock time-out, a document that another wrote first). */
export function isRetryable(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return retryable.has(code) || (code === '23505' && foundAnew.has(constraintOf(error) ?? ''));
}

function constraintOf(error: unknown): string | undefined {
  if (error instanceof Failure) return constraintOf(error.cause);
  return error instanceof pg.DatabaseError ? error.constraint : undefined;
}

/** Why a transaction was not begun, or was begun no more: whoever wanted it gave up waiting. */
class NotBegun extends Error {}

/** The failure by which a writer gives up waiting, as one of which nothing was done (isRolledBack); what is no failure as it is. */
export const givenUp = (reason: unknown): unknown =>
  reason instanceof Failure ? fail(reason.code, reason.error, reason.extra, new NotBegun(reason.message)) : reason;

/** Whether nothing of a transaction is stored: PostgreSQL itself ended it, or its writer gave up waiting. Where the connection was lost nobody knows. */
export function isRolledBack(error: unknown): boolean {
  if (error instanceof Failure) return isRolledBack(error.cause);
  return error instanceof NotBegun || (error instanceof pg.DatabaseError && !unavailable.has(error.code ?? ''));
}

/** Whether a statement failed for nothing but that another of its transaction had failed before it. */
export const isAftermath = (error: unknown): boolean => codeOf(error) === '25P02';

/** Whether a statement was stopped because it took longer than statement_timeout. */
export const isStopped = (error: unknown): boolean => codeOf(error) === '57014';

/** Whether a statement was more than PostgreSQL takes: values too large for it, or nested too deep. */
export const isTooMuch = (error: unknown): boolean => ['54000', '54001'].includes(codeOf(error) ?? '');

// What a replica gives up that the primary would do: conflicts with what it replays, states it cannot be in, connections it ends.
const refusedByReplica = new Set([...unavailable, '40001', '40P01', '57P04', '25006', '55000', '0A000', '08P01']);
const isConnectionBroken = (error: unknown): boolean =>
  error instanceof Error &&
  /Connection terminated|not queryable|timeout expired|timeout exceeded when trying to connect/.test(error.message);

/** Whether a read failed on a replica for a reason of the replica's, so that the primary is to be asked. */
export const isRefusedByReplica = (error: unknown): boolean =>
  refusedByReplica.has(codeOf(error) ?? '') || isServerAway(error);

/** Whether a statement failed because there is no server, or no connection to it any more. */
export function isServerAway(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  const cause = error instanceof Failure ? error.cause : error;
  return (
    connectionLost.has(code) ||
    code.startsWith('08') ||
    code === '57P02' ||
    code === '57P03' ||
    isConnectionBroken(cause)
  );
}

/** A failure for the caller: database errors get a code of the error table with the original as `cause`; anything else is returned as it is. */
export function toFailure(error: unknown): unknown {
  if (error instanceof Failure) return error;
  const code = codeOf(error);
  if (code === undefined)
    return isConnectionBroken(error) ? fail('unavailable', 'The database is not reachable', {}, error) : error;
  if (unavailable.has(code) || connectionLost.has(code))
    return fail('unavailable', 'The database is not reachable', {}, error);
  // Rules are checked before; only a writer at the same moment gets here.
  if (code === '23505')
    return fail(
      'conflict',
      'Another writer stored the same thing at this moment. Read again and try again.',
      {},
      error,
    );
  if (retryable.has(code)) return fail('unavailable', 'Other writers were in the way each time; try again', {}, error);
  if (code === '53100') return fail('disk_full', 'The disk of the database is full', {}, error);
  // Ours, not the client's: what writes belongs into Database.transaction or Database.write.
  if (code === '25006')
    return fail('internal', 'A statement that writes was run where only reads are allowed', {}, error);
  if (code === '57014') return fail('unavailable', 'The statement took too long and was stopped', {}, error);
  return error;
}

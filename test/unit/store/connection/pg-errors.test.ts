// What each error of the database, of its connection or of its pool is to the service: of which kind it is, and what a caller is told.
import pg from 'pg';
import { expect, it } from 'vitest';
import { Failure, fail } from '#domain/errors.ts';
import {
  givenUp,
  isAftermath,
  isRefusedByReplica,
  isRetryable,
  isRolledBack,
  isServerAway,
  isStopped,
  isTooMuch,
  toFailure,
} from '#store/connection/pg-errors.ts';

const fromServer = (code: string, constraint?: string): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError('as told', 7, 'error'), { code, constraint });
const fromSystem = (code: string, more: object = {}): Error => Object.assign(new Error('as told'), { code, ...more });

const tests = { isRetryable, isRolledBack, isAftermath, isStopped, isTooMuch, isRefusedByReplica, isServerAway };

/** The names of what holds of an error, and the code of the failure; `itself` where it is told as it is. */
function seen(error: unknown): readonly string[] {
  const failure = toFailure(error);
  const code = failure instanceof Failure ? failure.code : failure === error ? 'itself' : 'another';
  return [...Object.entries(tests).flatMap(([name, holds]) => (holds(error) ? [name] : [])), code];
}

const gone = ['isRefusedByReplica', 'isServerAway', 'unavailable'];

it.each([
  // Ends of transactions that may succeed when run again.
  ['40001', ['isRetryable', 'isRolledBack', 'isRefusedByReplica', 'unavailable']],
  ['40P01', ['isRetryable', 'isRolledBack', 'isRefusedByReplica', 'unavailable']],
  ['55P03', ['isRetryable', 'isRolledBack', 'unavailable']],
  // The server goes, and with it whatever was under way: whether that is stored nobody knows.
  ['57P01', ['isRefusedByReplica', 'unavailable']],
  ['57P02', gone],
  ['57P03', gone],
  ['53300', ['isRefusedByReplica', 'unavailable']],
  ['08000', gone],
  ['08001', gone],
  ['08003', gone],
  ['08006', gone],
  ['08P01', ['isRolledBack', 'isRefusedByReplica', 'isServerAway', 'itself']],
  // What a replica refuses that the primary does.
  ['57P04', ['isRolledBack', 'isRefusedByReplica', 'itself']],
  ['25006', ['isRolledBack', 'isRefusedByReplica', 'internal']],
  ['55000', ['isRolledBack', 'isRefusedByReplica', 'itself']],
  ['0A000', ['isRolledBack', 'isRefusedByReplica', 'itself']],
  // What a statement does.
  ['23505', ['isRolledBack', 'conflict']],
  ['53100', ['isRolledBack', 'disk_full']],
  ['57014', ['isRolledBack', 'isStopped', 'unavailable']],
  ['25P02', ['isRolledBack', 'isAftermath', 'itself']],
  ['54000', ['isRolledBack', 'isTooMuch', 'itself']],
  ['54001', ['isRolledBack', 'isTooMuch', 'itself']],
  ['42601', ['isRolledBack', 'itself']],
] as const)('%s of the server', (code, expected) => {
  expect(seen(fromServer(code))).toEqual(expected);
  // A failure with it as its cause says the same of it, and is told as it is.
  expect(seen(fail('internal', 'around it', {}, fromServer(code)))).toEqual([...expected.slice(0, -1), 'internal']);
});

it.each([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE'],
  ...['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENOTFOUND', 'EAI_AGAIN'],
])('%s of the system is a server that is away', (code) => {
  expect(seen(fromSystem(code))).toEqual(gone);
});

it('a socket that is not there is a server that is away, a file that is not there is not', () => {
  expect(seen(fromSystem('ENOENT', { syscall: 'connect' }))).toEqual(gone);
  expect(seen(fromSystem('ENOENT', { syscall: 'open' }))).toEqual(['itself']);
  expect(seen(fromSystem('ENOENT'))).toEqual(['itself']);
});

it.each([
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'timeout expired',
  'timeout exceeded when trying to connect',
])('"%s" of the driver is a server that is away', (message) => {
  expect(seen(new Error(message))).toEqual(gone);
  expect(seen(fail('internal', 'around it', {}, new Error(message)))).toEqual([...gone.slice(0, -1), 'internal']);
});

it('says nothing of what is no error of a database', () => {
  const codeless = Object.assign(new Error('as told'), { code: 40_001 });
  for (const error of [new Error('as told'), codeless, fromSystem('EACCES'), 'a text', null, undefined])
    expect(seen(error)).toEqual(['itself']);
  expect(seen(fail('not_found', 'Not here'))).toEqual(['not_found']);
});

it('runs again where another wrote the first document of a record at the same moment, for no other key', () => {
  const [ofDocument, ofKey] = ['search_doc_id_audience_idx', 'unique_key_pkey'].map((name) =>
    fromServer('23505', name),
  );
  expect([ofDocument, ofKey].map(isRetryable)).toEqual([true, false]);
  expect([ofDocument, ofKey].map((cause) => isRetryable(fail('internal', 'around it', {}, cause)))).toEqual([
    true,
    false,
  ]);
  expect(isRetryable(fromServer('23503', 'search_doc_id_audience_idx'))).toBe(false);
});

it('tells each in words, with what the database said as its cause', () => {
  const told = ['08006', '23505', '40001', '53100', '25006', '57014'].map((code) => {
    const cause = fromServer(code);
    const failure = toFailure(cause);
    return failure instanceof Failure && failure.cause === cause ? failure.error : failure;
  });
  expect(told).toEqual([
    'The database is not reachable',
    'Another writer stored the same thing at this moment. Read again and try again.',
    'Other writers were in the way each time; try again',
    'The disk of the database is full',
    'A statement that writes was run where only reads are allowed',
    'The statement took too long and was stopped',
  ]);
  expect(toFailure(new Error('timeout expired'))).toMatchObject({
    error: 'The database is not reachable',
    cause: { message: 'timeout expired' },
  });
});

it('knows a writer that gave up waiting for one of which nothing is stored', () => {
  const reason = fail('unavailable', 'Waited too long', { retry_after: 3 });
  const given = givenUp(reason);
  expect(given).toMatchObject({ code: 'unavailable', error: 'Waited too long', extra: { retry_after: 3 } });
  expect([given, reason].map(isRolledBack)).toEqual([true, false]);
  const other = new Error('as told');
  expect(givenUp(other)).toBe(other);
});

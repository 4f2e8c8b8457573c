// Jobs of the service, followed to their end: how far they are, and the growth of their log.
import type { JsonObject } from '../domain/json.ts';
import { isObject, objectOf, textOf } from '../domain/json.ts';
import type { Connection } from './connection.ts';
import { readPieces } from './connection.ts';
import { ClientError, ConnectionLost, ServiceError } from './errors.ts';
import { pause } from './retries.ts';

/** Where a job is. */
export type JobState = {
  /** queued, running, completed, failed or canceled. */
  readonly status: string;
  /** How many jobs come before it while it is queued; null where that is not told. */
  readonly queuePosition: number | null;
  /** What it does just now; null where it does not say. */
  readonly phase: JobPhase | null;
};

/** How far a running job is in what it does just now. Bytes or records; null while unknown. */
export type JobPhase = {
  readonly label: string;
  readonly done: number | null;
  readonly total: number | null;
  readonly secondsLeft: number | null;
};

/** A job that has ended. `errors` are the lines of its log that tell why, empty where it completed. */
export type JobEnd = { readonly uri: string; readonly status: string; readonly errors: readonly string[] };

/** How a job is followed. */
export type Following = {
  /** Hears where the job is, each time it is asked. */
  readonly onProgress?: (state: JobState) => void;
  /** Hears each whole line of the log. */
  readonly onLine?: (line: string) => void;
  /** Hears that nobody answers, or that the service or its database is away (502, 503, 504); the job is asked for again, for a minute. */
  readonly onLost?: (error: ConnectionLost | ServiceError) => void;
  /** Ends the waiting; the job goes on. */
  readonly signal?: AbortSignal;
};

/** A job ended otherwise than completed. */
export class JobFailed extends ClientError {
  override readonly name = 'JobFailed';
  readonly end: JobEnd;

  constructor(end: JobEnd) {
    super([`${end.uri}: ${end.status}`, ...end.errors].join('\n  '));
    this.end = end;
  }
}

const soonMs = 150;
const lateMs = 1000;
// A server that is started again keeps its jobs, so following survives that.
const patienceMs = 60_000;
// A job that is canceled while it runs is said to be so at once; its run ends, and tells that in its log, soon afterwards.
const endingMs = 5000;
const lastLinesKept = 20;
const mostErrorLines = 200;
const goesOn: ReadonlySet<string> = new Set(['queued', 'running']);

/** Follows a job until it has ended; throws a JobFailed where it did not complete. */
export async function awaitJob(connection: Connection, uri: string, following: Following = {}): Promise<JobEnd> {
  const { onProgress, onLine, onLost, signal } = following;
  const log = makeLog(onLine ?? (() => undefined));
  const isEnding = makeEnding();
  let waitMs = soonMs;
  let lostAt: number | undefined;
  for (;;) {
    try {
      const reply = await connection.ask(uri, signal === undefined ? {} : { signal });
      const state = stateOf(reply);
      onProgress?.(state);
      const hasEnded = !goesOn.has(state.status) && !isEnding(reply);
      // Read after the state: a job that has ended has written all of its log. Who hears no lines needs it only to know why a job failed.
      const isWanted = onLine !== undefined || (hasEnded && state.status !== 'completed');
      const grown = isWanted && (await readLog(connection, uri, log, signal));
      lostAt = undefined;
      if (hasEnded) {
        log.end();
        const errors = state.status === 'completed' ? [] : log.errors();
        const end = { uri, status: state.status, errors };
        if (state.status !== 'completed') throw new JobFailed(end);
        return end;
      }
      waitMs = grown || state.status === 'canceled' ? soonMs : Math.min(lateMs, waitMs * 1.5);
    } catch (error) {
      if (!isAway(error)) throw error;
      lostAt ??= performance.now();
      if (performance.now() - lostAt > patienceMs) throw error;
      onLost?.(error);
      waitMs = lateMs;
    }
    await pause(waitMs, signal);
  }
}

/** Behind a proxy a service that is started again is no broken connection, and one whose database is away says so itself. */
const isAway = (error: unknown): error is ConnectionLost | ServiceError =>
  error instanceof ConnectionLost || (error instanceof ServiceError && [502, 503, 504].includes(error.status));

/** Tells of replies of one job whether it is canceled and its run goes on, for as long as that is waited for. */
function makeEnding(): (reply: unknown) => boolean {
  let canceledAt: number | undefined;
  return (reply) => {
    const job = isObject(reply) ? reply : {};
    if (job['status'] !== 'canceled' || textOf(job, 'time_finished') !== undefined) return false;
    canceledAt ??= performance.now();
    return performance.now() - canceledAt < endingMs;
  };
}

function stateOf(reply: unknown): JobState {
  const job = isObject(reply) ? reply : {};
  const position = job['queue_position'];
  return {
    status: textOf(job, 'status') ?? '',
    queuePosition: typeof position === 'number' ? position : null,
    phase: phaseOf(job),
  };
}

function phaseOf(job: JsonObject): JobPhase | null {
  const progress = objectOf(job, 'progress');
  const label = textOf(progress, 'label');
  const numberOf = (name: string): number | null => (typeof progress?.[name] === 'number' ? progress[name] : null);
  return label === undefined
    ? null
    : { label, done: numberOf('done'), total: numberOf('total'), secondsLeft: numberOf('seconds_left') };
}

type Log = { readonly bytes: () => number; push(piece: Uint8Array): void; end(): void; errors(): readonly string[] };

function makeLog(onLine: (line: string) => void): Log {
  const decoder = new TextDecoder();
  let bytes = 0;
  let rest = '';
  const last: string[] = [];
  let block: string[] | undefined;
  const take = (line: string): void => {
    onLine(line);
    if (line.trim() === '') return;
    // The heading of the errors of an import (contract trees-and-jobs 3.7); what follows tells why.
    if (/IMPORT ERROR|The following errors were found/.test(line)) block ??= [];
    else if (block !== undefined && block.length < mostErrorLines && !/^[!=\s]*$/.test(line)) block.push(line.trim());
    last.push(line.trim());
    if (last.length > lastLinesKept) last.shift();
  };
  return {
    bytes: () => bytes,
    push: (piece) => {
      bytes += piece.byteLength;
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    },
    end: () => {
      if (rest !== '') take(rest);
      rest = '';
    },
    errors: () => block ?? last.slice(-5),
  };
}

async function readLog(
  connection: Connection,
  uri: string,
  log: Log,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const before = log.bytes();
  const response = await connection.send(`${uri}/log`, {
    query: { offset: before },
    ...(signal === undefined ? {} : { signal }),
  });
  for await (const piece of readPieces(response, connection.url, signal)) log.push(piece);
  return log.bytes() > before;
}

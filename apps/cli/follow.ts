// Following a job of the server to its end: its state and the growth of its log.
import type { JsonObject } from '#domain/json.ts';
import { isObject, objectOf, textOf } from '#domain/json.ts';
import type { Client } from './client.ts';
import { pause, readPieces } from './client.ts';
import { CliFailure, Interrupted, Unreachable } from './failure.ts';

/** What is told while a job is followed: each whole line of its log, and its state with its place in the queue. */
export type Following = {
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
  readonly onState?: (status: string, queuePosition: number | null, phase: Phase | null) => void;
};

/** How far a running job is in what it does just now; null where it does not say. */
type Phase = {
  readonly label: string;
  readonly done: number | null;
  readonly total: number | null;
  readonly secondsLeft: number | null;
};

/** How a job ended. `errors` are the lines of the log that tell why, empty where it completed. */
export type JobEnd = { readonly uri: string; readonly status: string; readonly errors: readonly string[] };

const soonMs = 150;
const lateMs = 1000;
// A server that is started again keeps its jobs, so following survives that.
const patienceMs = 60_000;
const lastLinesKept = 20;
const mostErrorLines = 200;

/** Follows until the job has ended. Ctrl-C throws an Interrupted that names the job, which goes on. */
export async function followJob(client: Client, uri: string, following: Following): Promise<JobEnd> {
  const log = makeLog(following.onLine);
  let waitMs = soonMs;
  let lostAt: number | undefined;
  try {
    for (;;) {
      try {
        const job = await client.ask(uri);
        const status = isObject(job) ? (textOf(job, 'status') ?? '') : '';
        const position = isObject(job) && typeof job['queue_position'] === 'number' ? job['queue_position'] : null;
        following.onState?.(status, position, isObject(job) ? phaseOf(job) : null);
        // Read after the state: a job that has ended has written all of its log.
        const grown = await readLog(client, uri, log, following.signal);
        lostAt = undefined;
        if (status !== 'queued' && status !== 'running') {
          log.end();
          return { uri, status, errors: status === 'completed' ? [] : log.errors() };
        }
        waitMs = grown ? soonMs : Math.min(lateMs, waitMs * 1.5);
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        lostAt ??= performance.now();
        if (performance.now() - lostAt > patienceMs) throw error;
        waitMs = lateMs;
      }
      await pause(waitMs, following.signal);
    }
  } catch (error) {
    if (error instanceof Interrupted) throw goesOn(uri);
    throw error;
  }
}

function phaseOf(job: JsonObject): Phase | null {
  const progress = objectOf(job, 'progress');
  const label = textOf(progress, 'label');
  const numberOf = (name: string): number | null => (typeof progress?.[name] === 'number' ? progress[name] : null);
  return label === undefined
    ? null
    : { label, done: numberOf('done'), total: numberOf('total'), secondsLeft: numberOf('seconds_left') };
}

/** What Ctrl-C says of a job that the server goes on with. */
function goesOn(uri: string): Interrupted {
  return new Interrupted(
    `Stopped watching; the job goes on in the server: ${uri}\n  watch it again: muniment jobs --follow ${uri}\n  stop it:        muniment jobs --cancel ${uri}`,
    { job: uri },
  );
}

/** Fails where the text is no uri of a job. */
export function checkJobUri(uri: string): void {
  if (!/^(\/repositories\/\d+)?\/jobs\/\d+$/.test(uri))
    throw new CliFailure(`${uri} is no uri of a job: it should look like /repositories/2/jobs/7.`, { exitCode: 2 });
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

async function readLog(client: Client, uri: string, log: Log, signal: AbortSignal): Promise<boolean> {
  const before = log.bytes();
  const response = await client.send(`${uri}/log`, { query: { offset: before } });
  for await (const piece of readPieces(response, client.url, signal)) log.push(piece);
  return log.bytes() > before;
}

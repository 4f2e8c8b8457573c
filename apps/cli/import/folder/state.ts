// What of a folder was imported by earlier runs: a line of JSON for each job that was sent and each file that ended, written as it
// happens, so that a run that was killed goes on where it was.
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import type { JsonObject } from '#domain/json.ts';
import { isObject, objectOf, objectsOf, textOf } from '#domain/json.ts';
import { CliFailure } from '../../failure.ts';
import type { FileResult } from './results.ts';

/** A job that was sent and of whose end nothing is known. */
export type SentJob = {
  readonly job: string;
  readonly repository: string;
  readonly type: string;
  readonly files: readonly { readonly file: string; readonly sha256: string }[];
};

/** Files that were about to be sent as a job, of which nothing more is known: the run was killed before it had the answer. */
export type UnsureJob = Omit<SentJob, 'job'> & { readonly at: string };

/** The state of a folder for one service. */
export type FolderState = {
  /** What was imported of this file of the repository, whatever it held then. */
  imported(repository: string, file: string): FileResult | undefined;
  /** Jobs that were sent, and whose end no run saw. */
  readonly open: readonly SentJob[];
  readonly unsure: readonly UnsureJob[];
  /** Whether any run knows of this job. */
  knows(job: string): boolean;
  sending(files: Omit<SentJob, 'job'>): void;
  sent(job: SentJob): void;
  /** The job has ended; what became of its files, where they are imported. */
  ended(job: string, results: readonly FileResult[]): void;
};

const keyOf = (repository: string, file: string): string => `${repository} ${file}`;

// One run sends a file once at a time, so its names tell which entry is of the same job.
const filesOf = (entry: JsonObject): string => JSON.stringify([entry['repository'], entry['files']]);

/** Opens the state in a file, which is made with the first line. Fails where the file is something else. */
export function openState(path: string, service: string): FolderState {
  const imported = new Map<string, FileResult>();
  const open = new Map<string, SentJob>();
  const unsure = new Map<string, UnsureJob>();
  const known = new Set<string>();
  for (const entry of readEntries(path)) {
    if (textOf(entry, 'service') !== service) continue;
    const sent = objectOf(entry, 'sent');
    const sending = objectOf(entry, 'sending');
    if (sending !== undefined) unsure.set(filesOf(sending), sending as unknown as UnsureJob);
    if (sent !== undefined) {
      open.set(textOf(sent, 'job') ?? '', sent as unknown as SentJob);
      unsure.delete(filesOf(sent));
      known.add(textOf(sent, 'job') ?? '');
    }
    const ended = textOf(entry, 'ended');
    if (ended !== undefined) open.delete(ended);
    // Written below.
    for (const each of objectsOf(entry, 'imported') as unknown as readonly FileResult[])
      imported.set(keyOf(each.repository, each.file), each);
  }
  const write = (entry: object): void => appendFileSync(path, `${JSON.stringify({ service, ...entry })}\n`);
  return {
    imported: (repository, file) => imported.get(keyOf(repository, file)),
    open: [...open.values()],
    unsure: [...unsure.values()],
    knows: (job) => known.has(job),
    sending: (files) => write({ sending: { ...files, at: new Date().toISOString() } }),
    sent: (job) => write({ sent: job }),
    ended: (job, results) => write({ ended: job, imported: results.filter(({ status }) => status === 'imported') }),
  };
}

/** The whole lines of the file. Half a line at its end, which a run left that was killed while it wrote, is cut off, so that the next stands by itself. */
function readEntries(path: string): readonly JsonObject[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const entries = whole
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [entryOf(path, line, index + 1)]));
  const rest = text.slice(whole.length);
  if (rest === '') return entries;
  if (!lineStart.startsWith(rest.slice(0, lineStart.length))) throw noState(path, entries.length + 1);
  truncateSync(path, Buffer.byteLength(whole));
  return entries;
}

// As every line begins that is written above.
const lineStart = '{"service":';

function entryOf(path: string, line: string, number: number): JsonObject {
  try {
    const entry: unknown = JSON.parse(line);
    if (isObject(entry) && textOf(entry, 'service') !== undefined) return entry;
  } catch {
    // It is told below.
  }
  throw noState(path, number);
}

const noState = (path: string, line: number): CliFailure =>
  new CliFailure(`${path} is no state of an import: line ${line} is none of its lines. --state names another file.`);

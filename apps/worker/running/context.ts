// What a job handler gets besides its payload, and how a handler is declared. A handler is one transaction or idempotent steps:
// it may be run again from the start at any moment, and nothing that it writes through `transaction` overlaps another run.
import type { JobDeclaration, Need, Progress } from '#domain/job.ts';
import type { Json } from '#domain/json.ts';
import type { Making } from '#domain/kind.ts';
import type { PacedProgress } from '#domain/pace.ts';
import { createPacer } from '#domain/pace.ts';
import type { Naming } from '#domain/identifiers/naming.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { Database, Transaction } from '#store/connection/database.ts';
import { addJobRecords, addOutputFile, readJobFiles, removeInputFiles } from '#store/queue/files.ts';
import type { JobFile } from '#store/queue/files.ts';
import { appendJobLog } from '#store/queue/log.ts';
import type { ClaimedJob } from '#store/queue/mailbox.ts';
import { fenceRun } from '#store/queue/mailbox.ts';
import { writeProgress } from '#store/queue/progress.ts';
import { completeJob } from '#store/queue/reply.ts';
import type { SearchMirror } from '#store/search/port.ts';
import { making } from '../../generated-values.ts';
import type { Threads } from '../threads/pool.ts';

/** What the operator chose for jobs. */
export type JobOptions = {
  /** How many bad records the report of a refused import lists at most. */
  readonly importFaults: number;
  /** Whether custom_report is among the reports. */
  readonly customReports: boolean;
  /** How much of the disk of the database imports leave free (libs/store/files/disk-space.ts). */
  readonly diskReserveBytes: number;
};

const usualOptions: JobOptions = { importFaults: 1000, customReports: false, diskReserveBytes: 0 };

/** The surroundings of one run. */
export type JobContext = {
  readonly jobId: number;
  /** Counts from 1; a run that another worker's death cut off counts. */
  readonly attempt: number;
  readonly repoId: number | null;
  /** For whom the job runs; permissions as they are at the start of the run. */
  readonly caller: Caller;
  /** The wire body of a job that a client made, as JSON text. */
  readonly body: string | null;
  /** For reading: statements end with `signal`. Write through `transaction`; tidy up, after an abort too, through `database.unbound`. */
  readonly database: Database;
  readonly threads: Threads;
  /** The search index beside PostgreSQL's; null: there is none. */
  readonly searchMirror: SearchMirror | null;
  /** Random ids, and how the installation names records. */
  readonly making: Making;
  readonly options: JobOptions;
  /** Aborted when the job is canceled, takes too long, or the worker stops: check it between chunks and pass it on. */
  readonly signal: AbortSignal;
  /** A transaction that commits only while this run is the job's. Deadlocks repeat `work`, so it has no effect outside the database. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: { readonly statementTimeoutMs?: number }): Promise<T>;
  /**
   * Ends the job as completed with this value at the commit of the transaction: call it last in the transaction of the job's effects
   * and the two are one. A handler that does not call it is completed with its return value in a transaction of its own.
   */
  complete(tx: Transaction, value: Json): Promise<void>;
  /** Shows how far the job is; stored at most five times a second, the last one of each label always. Use few labels: they are phases. */
  progress(progress: Progress): void;
  /** Adds a line to the job's log, which also a failed job keeps. */
  log(line: string): void;
  /** Lists records among those that the job made (or changed), if the transaction commits. */
  createdRecords(tx: Transaction, uris: readonly string[]): Promise<void>;
  changedRecords(tx: Transaction, uris: readonly string[]): Promise<void>;
  /** The files that the job was given, in order. */
  files(): Promise<readonly JobFile[]>;
  /** Takes the files that the job was given out of its list, if the transaction commits: for that which ends the job, since another run would miss them. */
  removeFiles(tx: Transaction): Promise<void>;
  /** Lists a written blob among the job's output files. */
  addOutputFile(tx: Transaction, blobId: string): Promise<number>;
};

/** A job kind with its handler, the payload's type forgotten; defineHandler makes it. */
export type JobHandler = {
  readonly declaration: Pick<JobDeclaration<unknown>, 'name' | 'attempts' | 'timeoutSeconds'>;
  /** What the owner must be allowed when it runs. */
  needs(payload: unknown): readonly Need[];
  /** Checks the payload and runs. */
  run(payload: unknown, context: JobContext): Promise<Json | void>;
};

/** Joins a declaration and the function that does it. */
export function defineHandler<Payload>(
  declaration: JobDeclaration<Payload>,
  run: (payload: Payload, context: JobContext) => Promise<Json | void>,
): JobHandler {
  return {
    declaration,
    needs: (payload) => declaration.needs?.(declaration.payload.parse(payload)) ?? [],
    run: async (payload, context) => run(declaration.payload.parse(payload), context),
  };
}

/** What makeContext needs. */
export type ContextSettings = {
  readonly job: ClaimedJob;
  readonly caller: Caller;
  readonly database: Database;
  readonly threads: Threads;
  readonly signal: AbortSignal;
  /** Absent: no slugs and no ARKs. */
  readonly naming?: Naming | undefined;
  readonly searchMirror?: SearchMirror | null | undefined;
  /** Absent: the defaults of the configuration. */
  readonly options?: JobOptions | undefined;
};

/** The context of a run, and what the worker's loop needs of it. */
export type RunContext = { readonly context: JobContext; readonly isCompleted: () => boolean; flush(): Promise<void> };

/** Makes the context of a run. */
export function makeContext(settings: ContextSettings): RunContext {
  const { job, caller, threads, signal } = settings;
  // What shows how the job ends outlives the signal; what it does ends with it.
  const lasting = settings.database;
  const database = lasting.until(signal);
  const log = createThrottle<string>(async (lines) => appendJobLog(lasting, job.id, lines.join('')));
  const phases: PacedProgress[] = [];
  const pace = createPacer(() => performance.now());
  const progress = createThrottle<PacedProgress>(async (steps) => {
    for (const step of steps) phases.splice(phases.at(-1)?.label === step.label ? -1 : phases.length, 1, step);
    // A handler that makes a label for every record would grow the row without end.
    phases.splice(0, phases.length - 50);
    await writeProgress(lasting, job.id, phases);
  });
  const flush = async (): Promise<void> => {
    await Promise.allSettled([log.flush(), progress.flush()]);
  };
  let isCompleted = false;
  const context: JobContext = {
    jobId: job.id,
    attempt: job.attempt,
    repoId: job.repoId,
    caller,
    body: job.body,
    database,
    threads,
    searchMirror: settings.searchMirror ?? null,
    making: settings.naming === undefined ? making : { ...making, naming: settings.naming },
    options: settings.options ?? usualOptions,
    signal,
    transaction: async (work, options) =>
      database.transaction(async (tx) => {
        await fenceRun(tx, job);
        return work(tx);
      }, options),
    complete: async (tx, value) => {
      signal.throwIfAborted();
      // Before the end is seen, so that who waits for the end finds the whole log.
      await flush();
      await completeJob(tx, job, value);
      tx.afterCommit(() => {
        isCompleted = true;
      });
    },
    progress: (step) => progress.add(pace(step)),
    log: (line) => log.add(`${line}\n`),
    createdRecords: async (tx, uris) => addJobRecords(tx, job.id, uris, true),
    changedRecords: async (tx, uris) => addJobRecords(tx, job.id, uris, false),
    files: async () => readJobFiles(database.reader, job.id),
    removeFiles: async (tx) => removeInputFiles(tx, job.id),
    addOutputFile: async (tx, blobId) => addOutputFile(tx, job.id, blobId),
  };
  return { context, isCompleted: () => isCompleted, flush };
}

const throttleMs = 200;
const throttleItems = 500;

/** Collects items and hands them on together, at once and then at most five times a second, one hand-over at a time and in order. */
function createThrottle<Item>(handOver: (items: readonly Item[]) => Promise<void>): {
  add(item: Item): void;
  flush(): Promise<void>;
} {
  let items: Item[] = [];
  let timer: NodeJS.Timeout | undefined;
  let quietUntil = 0;
  let last = Promise.resolve();
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (items.length === 0) return last;
    const taken = items;
    items = [];
    quietUntil = performance.now() + throttleMs;
    // A progress or log line that cannot be stored must not end the job.
    last = last.then(async () => handOver(taken)).catch(() => undefined);
    return last;
  };
  return {
    add: (item) => {
      items.push(item);
      if (items.length >= throttleItems) void flush();
      else timer ??= setTimeout(() => void flush(), Math.max(0, quietUntil - performance.now()));
    },
    flush,
  };
}

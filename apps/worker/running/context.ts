// Makes the context of a run (apps/worker/handler.ts): everything that it writes is written for this run alone, or not at all.
import type { Caller } from '#domain/access/caller.ts';
import type { Naming } from '#domain/identifiers/naming.ts';
import type { PacedProgress } from '#domain/pace.ts';
import { createPacer } from '#domain/pace.ts';
import type { Database } from '#store/connection/database.ts';
import { flushLog } from '#store/connection/flush-log.ts';
import { addJobRecords, addOutputFile, readJobFiles, removeInputFiles } from '#store/queue/files.ts';
import { appendJobLog, runAgainLine } from '#store/queue/log.ts';
import type { ClaimedJob } from '#store/queue/claim.ts';
import { fenceRun } from '#store/queue/mailbox.ts';
import { writeProgress } from '#store/queue/progress.ts';
import { amendValue, completeJob } from '#store/queue/reply.ts';
import type { SearchMirror } from '#store/search/port.ts';
import { generatedValues } from '../../generated-values.ts';
import type { JobContext, JobOptions } from '../handler.ts';
import type { Threads } from '../threads/pool.ts';
import { createThrottle } from './throttle.ts';

const usualOptions: JobOptions = {
  importFaults: 1000,
  eadAgents: 'external',
  customReports: false,
  diskReserveBytes: 0,
};

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
export type RunContext = {
  readonly context: JobContext;
  readonly isCompleted: () => boolean;
  /** Whether the handler told why it fails. */
  readonly hasToldFailure: () => boolean;
  flush(): Promise<void>;
};

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
  let hasToldFailure = false;
  let lines = 0;
  const addLine = (line: string): void => {
    lines += 1;
    log.add(`${line}\n`);
  };
  const context: JobContext = {
    jobId: job.id,
    attempt: job.attempt,
    repoId: job.repoId,
    caller,
    body: job.body,
    database,
    threads,
    searchMirror: settings.searchMirror ?? null,
    generatedValues: settings.naming === undefined ? generatedValues : { ...generatedValues, naming: settings.naming },
    options: settings.options ?? usualOptions,
    signal,
    transaction: async (work, options) => {
      let before = lines;
      return database.transaction(async (tx) => {
        // A deadlock undid what the work has told of already, and has it done again.
        if (lines > before) addLine(runAgainLine);
        before = lines;
        await fenceRun(tx, job);
        return work(tx);
      }, options);
    },
    complete: async (tx, value) => {
      signal.throwIfAborted();
      // Before the end is seen, so that who waits for the end finds the whole log.
      await flush();
      await completeJob(tx, job, value);
      tx.afterCommit(() => {
        isCompleted = true;
      });
    },
    completeAhead: async (tx, value) => {
      await context.complete(tx, value);
      await flushLog(tx, lasting);
    },
    amend: async (tx, value) => amendValue(tx, job, value),
    progress: (step) => progress.add(pace(step)),
    log: addLine,
    tellFailure: (lines) => {
      hasToldFailure = true;
      for (const line of lines) addLine(line);
    },
    createdRecords: async (tx, uris) => addJobRecords(tx, job.id, uris, true),
    changedRecords: async (tx, uris) => addJobRecords(tx, job.id, uris, false),
    files: async () => readJobFiles(database.reader, job.id),
    removeFiles: async (tx) => removeInputFiles(tx, job.id),
    addOutputFile: async (tx, blobId, viewer) =>
      addOutputFile(tx, job.id, blobId, viewer?.seesSuppressed === true ? job.repoId : null),
  };
  return { context, isCompleted: () => isCompleted, hasToldFailure: () => hasToldFailure, flush };
}

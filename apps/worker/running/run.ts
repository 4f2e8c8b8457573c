// The worker's loop: claim jobs, run their handlers, report how they ended, and take back the jobs of workers that died.
// How a mailbox keeps order and what happens when a process is killed: docs/decisions/0007.
import { Failure, errorTable, fail } from '#domain/errors.ts';
import type { Caller } from '#domain/access/caller.ts';
import type { Naming } from '#domain/identifiers/naming.ts';
import type { Database, Reader } from '#store/connection/database.ts';
import type { Listener } from '#store/connection/listener.ts';
import { createWaker } from '#store/connection/listener.ts';
import { toFailure } from '#store/connection/pg-errors.ts';
import { cancelChannel, queueChannel } from '#store/queue/channels.ts';
import type { ClaimedJob } from '#store/queue/mailbox.ts';
import { RunLost, claimJob, giveBackJob, readCanceled, recoverJobs } from '#store/queue/mailbox.ts';
import type { Presence } from '#store/queue/presence.ts';
import { openPresence } from '#store/queue/presence.ts';
import { completeJob, failJob } from '#store/queue/reply.ts';
import type { SearchMirror } from '#store/search/port.ts';
import type { JobHandler, JobOptions, RunContext } from './context.ts';
import { makeContext } from './context.ts';
import { demandAll } from './owner.ts';
import type { Threads } from '../threads/pool.ts';

/** What a worker needs. Times are milliseconds; the defaults are for production. */
export type WorkerSettings = {
  readonly database: Database;
  readonly listener: Listener;
  /** The database without a transaction pooler: the worker's presence is a connection. */
  readonly directUrl: string;
  readonly handlers: readonly JobHandler[];
  readonly threads: Threads;
  /** Jobs at once. Each takes up to two connections of the pool. */
  readonly concurrency: number;
  /** The permissions of a job's owner. */
  readonly readCaller: (reader: Reader, owner: string | null) => Promise<Caller>;
  readonly log: (event: string, fields: object) => void;
  /** How jobs name records; absent: no slugs and no ARKs. */
  readonly naming?: Naming;
  /** The search index beside PostgreSQL's, if there is one. */
  readonly searchMirror?: SearchMirror | null;
  /** What the operator chose for jobs; absent: the defaults of the configuration. */
  readonly options?: JobOptions;
  readonly pollMs?: number;
  readonly recoverMs?: number;
  /** How long `stop` lets running jobs go on before it gives them back. */
  readonly drainMs?: number;
};

/** A worker at work. */
export type Worker = {
  /** Claims nothing more, lets what runs end within drainMs, gives the rest back, and returns when all is at rest. */
  stop(): Promise<void>;
  /** Jobs now running; for metrics. */
  readonly running: number;
};

/** Why a run was aborted; the signal's reason. */
class Ending extends Error {
  readonly why: 'canceled' | 'timeout' | 'stopping' | 'presence_lost';

  constructor(why: Ending['why']) {
    super(`the run was ended: ${why}`);
    this.name = 'AbortError';
    this.why = why;
  }
}
type Run = { readonly job: ClaimedJob; readonly abort: (ending: Ending) => void; readonly done: Promise<void> };

/** A run that goes on this long after its time limit counts as hung and is taken back by any worker. */
const graceSeconds = 60;

/** Starts a worker. It keeps trying where the database is away; nothing is thrown after the start. */
export async function startWorker(settings: WorkerSettings): Promise<Worker> {
  const { database, listener, handlers, concurrency, log, pollMs = 500, recoverMs = 1000, drainMs = 10_000 } = settings;
  const byName = new Map(handlers.map((handler) => [handler.declaration.name, handler]));
  const deadlines = Object.fromEntries(
    handlers.map(({ declaration }) => [declaration.name, declaration.timeoutSeconds + graceSeconds]),
  );
  const runs = new Map<number, Run>();
  const stopping = new AbortController();
  const bell = createWaker();
  let presence: Presence | undefined;
  let afterMailbox = '';

  const abortAll = (ending: Ending): void => {
    for (const run of runs.values()) run.abort(ending);
  };
  const ensurePresence = async (): Promise<Presence> => {
    if (presence === undefined || presence.isLost()) {
      presence = await openPresence(settings.directUrl, () => {
        log('worker_presence_lost', { jobs: [...runs.keys()] });
        abortAll(new Ending('presence_lost'));
        bell.wake();
      });
    }
    return presence;
  };

  const begin = (job: ClaimedJob): void => {
    const controller = new AbortController();
    const abort = (ending: Ending): void => controller.abort(ending);
    const done = runJob({ settings, job, handler: byName.get(job.type), controller }).finally(() => {
      runs.delete(job.id);
      bell.wake();
    });
    runs.set(job.id, { job, abort, done });
  };

  const claimAll = async (): Promise<void> => {
    while (runs.size < concurrency && !stopping.signal.aborted) {
      const here = await ensurePresence();
      const long = [...runs.values()].filter(({ job }) => job.isLong).length;
      const job = await claimJob(database, {
        worker: here.worker,
        deadlines,
        withLong: long < Math.max(1, concurrency - 1),
        afterMailbox,
      });
      if (job === null) return;
      afterMailbox = job.mailbox;
      begin(job);
      // The presence may have ended while the claim was under way; then nobody else told this run.
      if (here.isLost()) runs.get(job.id)?.abort(new Ending('presence_lost'));
    }
  };

  const unsubscribes = [
    await listener.subscribe(queueChannel, bell.wake),
    await listener.subscribe(cancelChannel, (payload) =>
      runs.get(Number(payload ?? Number.NaN))?.abort(new Ending('canceled')),
    ),
  ];
  const watching = every(
    recoverMs,
    stopping.signal,
    async () => {
      if (runs.size > 0)
        for (const id of await readCanceled(database, [...runs.keys()])) runs.get(id)?.abort(new Ending('canceled'));
      const taken = await recoverJobs(database);
      if (taken.length > 0) log('jobs_recovered', { jobs: taken });
    },
    (error) => log('worker_watch_failed', { err: error }),
  );
  const claiming = (async () => {
    while (!stopping.signal.aborted) {
      await claimAll().catch((error: unknown) => log('worker_claim_failed', { err: error }));
      await bell.wait(pollMs, stopping.signal);
    }
  })();

  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopping.abort();
    await Promise.all([claiming, watching]);
    const all = Promise.allSettled([...runs.values()].map(({ done }) => done));
    const timer = setTimeout(() => abortAll(new Ending('stopping')), drainMs);
    await all;
    clearTimeout(timer);
    for (const unsubscribe of unsubscribes) unsubscribe();
    await presence?.close();
  };
  return {
    stop: () => (stopped ??= stop()),
    get running() {
      return runs.size;
    },
  };
}

type RunSettings = {
  readonly settings: WorkerSettings;
  readonly job: ClaimedJob;
  readonly handler: JobHandler | undefined;
  readonly controller: AbortController;
};

/** Runs a job to its end, whatever that is; never throws. */
async function runJob({ settings, job, handler, controller }: RunSettings): Promise<void> {
  const { database, threads, log } = settings;
  const timeoutSeconds = handler?.declaration.timeoutSeconds ?? 1;
  const timer = setTimeout(() => controller.abort(new Ending('timeout')), timeoutSeconds * 1000);
  let run: RunContext | undefined;
  const startedAt = performance.now();
  log('job_started', { job: job.id, type: job.type, attempt: job.attempt });
  try {
    if (handler === undefined) throw fail('internal', `No handler for jobs of type ${job.type}`);
    const caller = await settings.readCaller(database.until(controller.signal).reader, job.owner);
    run = makeContext({
      job,
      caller,
      database,
      threads,
      signal: controller.signal,
      naming: settings.naming,
      searchMirror: settings.searchMirror,
      options: settings.options,
    });
    const payload: unknown = JSON.parse(job.payload);
    // What nobody owns was made by the service itself, such as what goes by the clock.
    if (job.owner !== null) demandAll(caller, handler.needs(payload));
    controller.signal.throwIfAborted();
    const value = (await handler.run(payload, run.context)) ?? null;
    await run.flush();
    if (!run.isCompleted()) {
      controller.signal.throwIfAborted();
      await database.transaction(async (tx) => completeJob(tx, job, value));
    }
    log('job_completed', { job: job.id, type: job.type, ms: Math.round(performance.now() - startedAt) });
  } catch (error) {
    if (run?.isCompleted() === true) log('job_error_after_completion', { job: job.id, type: job.type, err: error });
    else await settle({ settings, job, handler, run, error, ending: endingOf(controller.signal) });
  } finally {
    clearTimeout(timer);
  }
}

type Settling = {
  readonly settings: WorkerSettings;
  readonly job: ClaimedJob;
  readonly handler: JobHandler | undefined;
  readonly run: RunContext | undefined;
  readonly error: unknown;
  readonly ending: Ending | undefined;
};

/** Stores how a run ended that did not complete. Repeated until the database takes it, or the job is surely somebody else's. */
async function settle(settling: Settling): Promise<void> {
  const { settings, job, handler, run, error, ending } = settling;
  const { database, log } = settings;
  const failure = failureOf(error, ending, handler);
  const isRetried =
    ending === undefined &&
    !(error instanceof RunLost) &&
    errorTable[failure.code].retry &&
    job.attempt < (handler?.declaration.attempts ?? 1);
  log('job_ended', {
    job: job.id,
    type: job.type,
    why: ending?.why ?? 'failed',
    code: failure.code,
    retried: isRetried,
    err: error,
  });
  const isGivenBack = ending?.why === 'stopping' || ending?.why === 'presence_lost';
  // That it was canceled is told by whoever stores it.
  if (!isGivenBack && !isRetried && ending?.why !== 'canceled' && !(error instanceof RunLost))
    run?.context.log(failure.message);
  await run?.flush();
  for (let waitMs = 100; ; waitMs = Math.min(5000, waitMs * 2)) {
    try {
      if (isRetried)
        return await giveBackJob(database, job, {
          counted: true,
          pauseMs: Math.min(30_000, 500 * 2 ** (job.attempt - 1)),
        });
      if (isGivenBack) return await giveBackJob(database, job, { counted: false, pauseMs: 0 });
      return await failJob(database, job, failure);
    } catch (settleError) {
      log('job_settle_failed', { job: job.id, err: settleError });
      // Where the presence is gone the others take the job back as soon as the database is there.
      if (isGivenBack && waitMs > 1000) return;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

function endingOf(signal: AbortSignal): Ending | undefined {
  return signal.reason instanceof Ending ? signal.reason : undefined;
}

function failureOf(error: unknown, ending: Ending | undefined, handler: JobHandler | undefined): Failure {
  if (ending?.why === 'timeout')
    return fail(
      'unavailable',
      `The job took longer than ${handler?.declaration.timeoutSeconds ?? 0} seconds and was stopped`,
    );
  if (ending?.why === 'canceled' || error instanceof RunLost) return fail('conflict', 'The job was canceled');
  const failure = toFailure(error);
  return failure instanceof Failure
    ? failure
    : fail('internal', 'The job failed for a reason that is in the log of the server', {}, error);
}

/** Calls `work` again and again with a pause between, until the signal. */
async function every(
  pauseMs: number,
  signal: AbortSignal,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Promise<void> {
  const bell = createWaker();
  while (!signal.aborted) {
    await work().catch(onError);
    await bell.wait(pauseMs, signal);
  }
}

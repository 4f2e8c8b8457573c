// One run of a job: the owner's rights, the handler, and how the job ends, whatever happens on the way.
import { Failure, errorTable, fail } from '#domain/errors.ts';
import type { Caller } from '#domain/access/caller.ts';
import { isObject } from '#domain/json.ts';
import type { Naming } from '#domain/identifiers/naming.ts';
import type { Database, Reader } from '#store/connection/database.ts';
import { toFailure } from '#store/connection/pg-errors.ts';
import type { ClaimedJob } from '#store/queue/claim.ts';
import { onBehalfOf } from '#store/observing/origin.ts';
import type { OpenSpan } from '#store/observing/tracing.ts';
import { codeOf, inSpan } from '#store/observing/tracing.ts';
import { readJobLog, runAgainLine } from '#store/queue/log.ts';
import { RunLost, giveBackJob } from '#store/queue/mailbox.ts';
import { completeJob, failJob } from '#store/queue/reply.ts';
import type { SearchMirror } from '#store/search/port.ts';
import type { JobContext, JobHandler, JobOptions } from '../handler.ts';
import type { Threads } from '../threads/pool.ts';
import type { RunContext } from './context.ts';
import { makeContext } from './context.ts';
import { failureWords } from './failure-words.ts';
import { demandAll } from './owner.ts';

/** What runs of a worker have in common. */
export type RunServices = {
  readonly database: Database;
  readonly threads: Threads;
  /** The permissions of a job's owner. */
  readonly readCaller: (reader: Reader, owner: string | null) => Promise<Caller>;
  readonly log: (event: string, fields: object) => void;
  /** How jobs name records; absent: no slugs and no ARKs. */
  readonly naming?: Naming;
  /** The search index beside PostgreSQL's, if there is one. */
  readonly searchMirror?: SearchMirror | null;
  /** What the operator chose for jobs; absent: the defaults of the configuration. */
  readonly options?: JobOptions;
};

/** Why a run was aborted; the signal's reason. */
export class Ending extends Error {
  readonly why: 'canceled' | 'timeout' | 'stopping' | 'presence_lost';

  constructor(why: Ending['why']) {
    super(`the run was ended: ${why}`);
    this.name = 'AbortError';
    this.why = why;
  }
}

type RunSettings = {
  readonly services: RunServices;
  readonly job: ClaimedJob;
  readonly handler: JobHandler | undefined;
  readonly controller: AbortController;
};

/** Runs a job to its end, whatever that is; never throws. */
export async function runJob(settings: RunSettings): Promise<void> {
  const { id, type, attempt, traceparent } = settings.job;
  const attributes = {
    'messaging.system': 'muniment',
    'messaging.operation.type': 'process',
    'messaging.destination.name': type,
    'messaging.message.id': String(id),
    'muniment.job.attempt': attempt,
  };
  const start = { name: `process ${type}`, kind: 'consumer' as const, attributes, parent: traceparent };
  await onBehalfOf({ job: id, type }, () => inSpan(start, (span) => runWithin(settings, span)));
}

async function runWithin({ services, job, handler, controller }: RunSettings, span: OpenSpan): Promise<void> {
  const { database, threads, log } = services;
  const timeoutSeconds = handler?.declaration.timeoutSeconds ?? 1;
  const timer = setTimeout(() => controller.abort(new Ending('timeout')), timeoutSeconds * 1000);
  let run: RunContext | undefined;
  const startedAt = performance.now();
  log('job_started', { job: job.id, type: job.type, attempt: job.attempt });
  try {
    if (handler === undefined) throw fail('internal', `No handler for jobs of type ${job.type}`);
    const caller = await services.readCaller(database.until(controller.signal).reader, job.owner);
    run = makeContext({
      job,
      caller,
      database,
      threads,
      signal: controller.signal,
      naming: services.naming,
      searchMirror: services.searchMirror,
      options: services.options,
    });
    const payload: unknown = JSON.parse(job.payload);
    // What nobody owns was made by the service itself, such as what goes by the clock.
    if (job.owner !== null) demandAll(caller, handler.needs(payload));
    controller.signal.throwIfAborted();
    if (job.run > 1 && (await readJobLog(database.reader, job.id, 0)).sizeBytes > 0) run.context.log(runAgainLine);
    const value = (await handler.run(payload, run.context)) ?? null;
    await run.flush();
    if (!run.isCompleted()) {
      controller.signal.throwIfAborted();
      await database.transaction(async (tx) => completeJob(tx, job, value));
    }
    log('job_completed', { job: job.id, type: job.type, ms: Math.round(performance.now() - startedAt) });
  } catch (error) {
    if (run?.isCompleted() === true) log('job_error_after_completion', { job: job.id, type: job.type, err: error });
    else {
      const ending = endingOf(controller.signal);
      span.fail(ending?.why ?? codeOf(error));
      await recordEnd({ services, job, handler, run, error, ending });
    }
  } finally {
    clearTimeout(timer);
  }
}

type UnfinishedRun = {
  readonly services: RunServices;
  readonly job: ClaimedJob;
  readonly handler: JobHandler | undefined;
  readonly run: RunContext | undefined;
  readonly error: unknown;
  readonly ending: Ending | undefined;
};

/** Whether a job is tried again whose run ended in this error, where nobody ended it. */
const isTriedAgain = (error: unknown, attempt: number, attempts: number): boolean =>
  errorTable[failureOf(error, undefined, undefined).code].retry && attempt < attempts;

/** Whether a run that ends in this error is the end of its job, as whoever reads its log takes what is told of it. */
export const isEndOfJob = (
  error: unknown,
  { signal, attempt }: Pick<JobContext, 'signal' | 'attempt'>,
  { attempts }: JobHandler['declaration'],
): boolean => !signal.aborted && !isTriedAgain(error, attempt, attempts);

/** What becomes of a job whose run did not complete it. */
type Fate = 'tried again' | 'given back' | 'canceled' | 'somebody else has it' | 'failed';

function fateOf({ job, handler, error, ending }: UnfinishedRun): Fate {
  if (ending?.why === 'stopping' || ending?.why === 'presence_lost') return 'given back';
  if (ending?.why === 'canceled') return 'canceled';
  if (error instanceof RunLost) return 'somebody else has it';
  const isWorthIt = ending === undefined && isTriedAgain(error, job.attempt, handler?.declaration.attempts ?? 1);
  return isWorthIt ? 'tried again' : 'failed';
}

/** Stores how a run ended that did not complete. Repeated until the database takes it, or the job is surely somebody else's. */
async function recordEnd(unfinished: UnfinishedRun): Promise<void> {
  const { services, job, handler, run, error, ending } = unfinished;
  const { log } = services;
  const failure = failureOf(error, ending, handler);
  const fate = fateOf(unfinished);
  log('job_ended', {
    job: job.id,
    type: job.type,
    why: ending?.why ?? 'failed',
    code: failure.code,
    retried: fate === 'tried again',
    err: error,
  });
  // That it was canceled is told by whoever stores it.
  if (fate === 'failed' && run !== undefined) tellEnd(run, failure);
  await run?.flush();
  for (let waitMs = 100; ; waitMs = Math.min(5000, waitMs * 2)) {
    try {
      return await storeFate(services.database, job, fate, failure);
    } catch (recordError) {
      log('job_settle_failed', { job: job.id, err: recordError });
      // Where the presence is gone the others take the job back as soon as the database is there.
      if (fate === 'given back' && waitMs > 1000) return;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** Tells why the run fails: for people, where the handler has not done so, and whole for programs where there is more to it than a text. */
function tellEnd({ context, hasToldFailure }: RunContext, failure: Failure): void {
  const words = failureWords(failure.error);
  const isText = !isObject(failure.error) || Object.keys(failure.error).join() === 'message';
  if (isText || !hasToldFailure()) for (const line of words) context.log(line);
  if (!isText) context.log(failure.message);
}

async function storeFate(database: Database, job: ClaimedJob, fate: Fate, failure: Failure): Promise<void> {
  if (fate === 'given back') return giveBackJob(database, job, { counted: false, pauseMs: 0 });
  if (fate !== 'tried again') return failJob(database, job, failure);
  return giveBackJob(database, job, { counted: true, pauseMs: Math.min(30_000, 500 * 2 ** (job.attempt - 1)) });
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

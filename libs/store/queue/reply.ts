// How a job ends, and how whoever waits for it learns: the outcome is stored with the end of the job, NOTIFY wakes, polling is the floor.
import { z } from 'zod';
import type { ErrorCode } from '#domain/errors.ts';
import { Failure, errorTable, fail } from '#domain/errors.ts';
import type { Progress } from '#domain/job.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import type { Database, Transaction } from '../connection/database.ts';
import type { Listener } from '../connection/listener.ts';
import { createWaker } from '../connection/listener.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { completeActivations, giveBackActivations } from './activations.ts';
import { jobChannel, queueChannel, tellOfJobs } from './channels.ts';
import type { ClaimedJob } from './claim.ts';
import { canceledLine, logCanceled } from './log.ts';
import { RunLost } from './mailbox.ts';
import { newPhases } from './progress.ts';

// What a row says of its run.
const noRun = sql.fragment`worker = NULL, deadline = NULL, activation = NULL, activation_attempt = NULL`;

/**
 * Ends the run as completed with the value that waiters get, at the commit of this transaction: put last into the transaction of the
 * job's effects, it makes the two one. Throws RunLost where the job was canceled or taken back: let it roll back.
 */
export async function completeJob(tx: Transaction, job: ClaimedJob, value: Json): Promise<void> {
  // Tells in the same statement, since every job comes by here; as tellOfJobs does.
  const ended = await tx.run(sql`
    UPDATE job SET status = 'completed', outcome = ${sql.json({ ok: value })}, time_finished = clock_timestamp(), system_mtime = now(), ${noRun}
    WHERE id = ${job.id} AND run = ${job.run} AND status = 'running' AND cancel_requested IS NULL
    RETURNING pg_notify(${jobChannel}, id::text), pg_notify(${queueChannel}, mailbox)`);
  if (ended === 0) throw new RunLost(job.id);
  await completeActivations(tx, [job.activation]);
}

/** Gives waiters another value, of a run that this transaction has ended by completeJob. */
export async function amendValue(tx: Transaction, job: ClaimedJob, value: Json): Promise<void> {
  await tx.run(sql`UPDATE job SET outcome = ${sql.json({ ok: value })} WHERE id = ${job.id} AND status = 'completed'`);
}

/** Ends the run without success: canceled where that was asked, failed with the failure otherwise. Does nothing where the run is lost. */
export async function failJob(database: Database, job: ClaimedJob, failure: Failure): Promise<void> {
  const outcome = { failure: { code: failure.code, error: failure.error, extra: failure.extra } };
  await database.transaction(async (tx) => {
    const count = await tx.run(sql`
      UPDATE job SET status = CASE WHEN cancel_requested IS NULL THEN 'failed' ELSE 'canceled' END, outcome = ${sql.json(outcome)},
        time_finished = clock_timestamp(), system_mtime = now(), ${noRun}
      WHERE id = ${job.id} AND run = ${job.run} AND status = 'running'`);
    // Where the run is lost the activation went with it, or else, where the row is gone, it is free for whoever comes.
    if (count === 0) return giveBackActivations(tx, [job.activation]);
    await completeActivations(tx, [job.activation]);
    await logCanceled(tx, [job.id]);
    await tellOfJobs(tx, [job]);
  });
}

/**
 * What waitForJob takes; `onProgress` hears of new progress: of each phase (label) in order, at least its last. Abort the signal to stop waiting (the job goes on).
 * `patienceMs`: how long the database may be away meanwhile; it says nothing of the job, which may have ended well.
 */
export type WaitOptions = {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly pollMs?: number;
  readonly patienceMs?: number;
};

const JobRow = z.strictObject({ status: column.text, outcome: column.maybeText, progress: column.maybeText });

/**
 * Waits for the job's end and gives the value of its handler. Throws the Failure that the handler threw, `conflict` where the job was
 * canceled, `not_found` where it is gone, the signal's reason where that is aborted, and what the database says where that is away for too long. Subscribes
 * before it looks, so nothing is missed.
 */
export async function waitForJob(
  database: Database,
  listener: Listener,
  jobId: number,
  options: WaitOptions = {},
): Promise<Json> {
  const { signal, onProgress, pollMs = 1000, patienceMs = 30_000 } = options;
  const bell = createWaker();
  const unsubscribe = await listener.subscribe(jobChannel, (payload) => {
    if (payload === null || payload === String(jobId)) bell.wake();
  });
  let shown: readonly Progress[] = [];
  let seenAt = performance.now();
  try {
    for (;;) {
      signal?.throwIfAborted();
      const job = await database.reader
        .maybeOne(
          sql.type(JobRow)`
        SELECT status, outcome, progress FROM job LEFT JOIN job_progress ON job_id = id WHERE id = ${jobId}`,
        )
        .catch((error: unknown) => {
          if (performance.now() - seenAt >= patienceMs) throw error;
          return undefined;
        });
      if (job === undefined) {
        await bell.wait(pollMs, signal);
        continue;
      }
      seenAt = performance.now();
      if (job === null) throw fail('not_found', 'Job not found');
      if (onProgress !== undefined) {
        const { phases, fresh } = newPhases(job.progress, shown);
        shown = phases;
        for (const progress of fresh) onProgress(progress);
      }
      if (job.status === 'canceled') throw fail('conflict', canceledLine);
      if (job.status === 'completed' || job.status === 'failed') return readOutcome(job.outcome);
      await bell.wait(pollMs, signal);
    }
  } finally {
    unsubscribe();
  }
}

/** The value of a stored outcome; throws the failure of a failed one. */
function readOutcome(text: string | null): Json {
  const outcome: unknown = JSON.parse(text ?? '{}');
  if (!isObject(outcome)) throw fail('internal', 'The job left no outcome');
  if (isObject(outcome['failure'])) throw toStoredFailure(outcome['failure']);
  return outcome['ok'] ?? null;
}

function toStoredFailure(stored: JsonObject): Failure {
  const { code, error = null, extra } = stored;
  return new Failure(isErrorCode(code) ? code : 'internal', error, isObject(extra) ? defined(extra) : {});
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(errorTable, code);
}

function defined(object: JsonObject): { readonly [key: string]: Json } {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, value ?? null]));
}

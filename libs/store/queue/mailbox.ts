// Claiming jobs in mailbox order, fencing what a run writes, and taking back the jobs of workers that died (docs/decisions/0007).
// The mutex of a mailbox is the unique index job_running_mailbox_key; the fence of a run is its number, `job.run`.
import pg from 'pg';
import { fail } from '#domain/errors.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';
import { queueChannel, tellOfJob } from './channels.ts';
import { logCanceled } from './log.ts';
import { presenceClass } from './presence.ts';

/** A job that this worker runs now. `attempt` counts from 1. */
export type ClaimedJob = {
  readonly id: number;
  readonly run: number;
  readonly attempt: number;
  readonly type: string;
  readonly mailbox: string;
  readonly isLong: boolean;
  readonly repoId: number | null;
  readonly owner: string | null;
  /** JSON text. */
  readonly payload: string;
  readonly body: string | null;
};

/** The run is no longer the job's: it was canceled, or given to another worker because this one seemed dead. Nothing may be written. */
export class RunLost extends Error {
  constructor(jobId: number) {
    super(`the run of job ${jobId} has ended`);
    this.name = 'RunLost';
  }
}

/**
 * What to claim: the job types that this worker knows with the seconds after which a run of each counts as hung, whether long jobs
 * too, and the mailbox claimed last (for round robin in a deep backlog; '' at first).
 */
export type ClaimSettings = {
  readonly worker: number;
  readonly deadlines: Readonly<Record<string, number>>;
  readonly withLong: boolean;
  readonly afterMailbox?: string;
};

/** Claims the oldest job that is due and first in a mailbox where nothing runs; null where there is none (claim_job in db/migrations/0005). */
export async function claimJob(database: Database, settings: ClaimSettings): Promise<ClaimedJob | null> {
  const { worker, deadlines, withLong, afterMailbox = '' } = settings;
  try {
    const [job] = await database.write<ClaimedJob>(sql`
      SELECT id, run, attempts AS attempt, type, mailbox, is_long AS "isLong", repo_id AS "repoId", owner, payload::text AS payload, body::text AS body
      FROM claim_job(${worker}, ${sql.json(deadlines)}, ${withLong}, ${afterMailbox})`);
    return job ?? null;
  } catch (error) {
    // Two claims met over one mailbox and the index let one through; the mailbox is taken, so there is nothing to have here.
    if (error instanceof pg.DatabaseError && error.constraint === 'job_running_mailbox_key') return null;
    throw error;
  }
}

/**
 * Makes sure, until the transaction ends, that the job is still this run's: takes a key-share lock on its row, which the taking back
 * of a dead worker's jobs must wait for, and which other updates of the row do not notice. Throws RunLost.
 */
export async function fenceRun(tx: Transaction, job: ClaimedJob): Promise<void> {
  const held = await tx.maybeOne(
    sql`SELECT FROM job WHERE id = ${job.id} AND run = ${job.run} AND status = 'running' FOR KEY SHARE`,
  );
  if (held === null) throw new RunLost(job.id);
}

/** Puts the run's job back into its place: to be tried again after a pause (`counted`), or because its worker stops. */
export async function giveBackJob(
  database: Database,
  job: ClaimedJob,
  options: { readonly counted: boolean; readonly pauseMs: number },
): Promise<void> {
  await database.transaction(async (tx) => {
    const count = await tx.run(sql`
      UPDATE job SET worker = NULL, deadline = NULL, system_mtime = now(),
        status = CASE WHEN cancel_requested IS NULL THEN 'queued' ELSE 'canceled' END,
        time_finished = CASE WHEN cancel_requested IS NULL THEN NULL ELSE now() END,
        attempts = attempts - ${options.counted ? 0 : 1}, run_after = now() + ${options.pauseMs} * interval '1 millisecond'
      WHERE id = ${job.id} AND run = ${job.run} AND status = 'running'`);
    if (count === 0) return;
    await logCanceled(tx, [job.id]);
    await tellOfJob(tx, job.id);
  });
}

const lostOutcome = JSON.stringify({
  failure: { code: 'internal', error: 'The job was given up: each worker that ran it died or hung.', extra: {} },
});

/**
 * Takes back the jobs of workers whose presence is gone, or whose run is past its deadline: queued again in their old place, or ended where
 * they were canceled or have lost five workers (and their attempts). A job in which a transaction of the dead worker is still open in PostgreSQL
 * is left for the next time. Returns the ids of the jobs. Cheap where nothing runs; call it every second or so.
 */
export async function recoverJobs(database: Database): Promise<readonly number[]> {
  return database.transaction(async (tx) => {
    // Who gets a worker's lock knows that the worker is dead: numbers are not used again, and the lock is kept until the commit.
    const jobs = await tx.any<{ id: number }>(sql`
      WITH present AS MATERIALIZED (SELECT DISTINCT worker FROM job WHERE status = 'running' AND worker IS NOT NULL),
      dead AS MATERIALIZED (SELECT worker FROM present WHERE pg_try_advisory_xact_lock(${presenceClass}, worker)),
      lost AS MATERIALIZED (
        SELECT id FROM job WHERE status = 'running' AND (worker IN (SELECT worker FROM dead) OR deadline < now()) FOR UPDATE SKIP LOCKED)
      UPDATE job SET worker = NULL, deadline = NULL, system_mtime = now(), run = run + 1, run_after = now(),
        status = CASE WHEN cancel_requested IS NOT NULL THEN 'canceled' WHEN attempts >= greatest(max_attempts, 5) THEN 'failed' ELSE 'queued' END,
        time_finished = CASE WHEN cancel_requested IS NOT NULL OR attempts >= greatest(max_attempts, 5) THEN now() END,
        outcome = CASE WHEN cancel_requested IS NULL AND attempts >= greatest(max_attempts, 5) THEN ${lostOutcome}::json END
      FROM lost WHERE job.id = lost.id RETURNING job.id`);
    const ids = jobs.map(({ id }) => id);
    if (ids.length === 0) return ids;
    await logCanceled(tx, ids);
    await tx.any(
      sql`SELECT pg_notify('muniment_job', id::text), pg_notify(${queueChannel}, '') FROM unnest(${sql.array(ids, 'int4')}) AS id`,
    );
    return ids;
  });
}

/** Asks for a job to end. Queued: it ends at once. Running: its worker is told and rolls it back. One that has ended stays as it is. Fails with `not_found`. */
export async function cancelJob(tx: Transaction, jobId: number): Promise<void> {
  const job = await tx.maybeOne<{ isRunning: boolean }>(sql`
    UPDATE job SET cancel_requested = coalesce(cancel_requested, now()),
      time_finished = CASE WHEN status = 'queued' THEN now() END, status = CASE WHEN status = 'queued' THEN 'canceled' ELSE status END,
      system_mtime = now(), lock_version = lock_version + 1
    WHERE id = ${jobId} AND status IN ('queued', 'running') RETURNING status = 'running' AS "isRunning"`);
  if (job?.isRunning === true) await tx.any(sql`SELECT pg_notify('muniment_cancel', ${String(jobId)})`);
  else if (job !== null) {
    await logCanceled(tx, [jobId]);
    await tellOfJob(tx, jobId);
  } else if ((await tx.maybeOne(sql`SELECT FROM job WHERE id = ${jobId}`)) === null)
    throw fail('not_found', 'Job not found');
}

/** Those of the given jobs for which an end was asked; for a worker that may have missed the telling. */
export async function readCanceled(database: Database, jobIds: readonly number[]): Promise<readonly number[]> {
  const rows = await database.reader.any<{ id: number }>(
    sql`SELECT id FROM job WHERE id = ANY (${sql.array(jobIds, 'int4')}) AND cancel_requested IS NOT NULL`,
  );
  return rows.map(({ id }) => id);
}

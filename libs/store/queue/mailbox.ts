// Fencing what a run writes, giving jobs back, canceling them, and taking back the jobs of workers that died (docs/decisions/0007).
// The fence of a run is its number, `job.run`; that one job of a mailbox runs at a time is told by its activation (activations.ts).
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { column, EmptyRow, IdRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import type { Activation } from './activations.ts';
import { completeActivations, giveBackActivations, sendActivations } from './activations.ts';
import { tellOfJobs } from './channels.ts';
import type { ClaimedJob } from './claim.ts';
import { logCanceled } from './log.ts';
import { presenceClass } from './presence.ts';

/** The run is no longer the job's: it was canceled, or given to another worker because this one seemed dead. Nothing may be written. */
export class RunLost extends Error {
  constructor(jobId: number) {
    super(`the run of job ${jobId} has ended`);
    this.name = 'RunLost';
  }
}

/**
 * Makes sure, until the transaction ends, that the job is still this run's: takes a key-share lock on its row, which the taking back
 * of a dead worker's jobs must wait for, and which other updates of the row do not notice. Throws RunLost.
 */
export async function fenceRun(tx: Transaction, job: ClaimedJob): Promise<void> {
  const held = await tx.maybeOne(
    sql.type(EmptyRow)`SELECT FROM job WHERE id = ${job.id} AND run = ${job.run} AND status = 'running' FOR KEY SHARE`,
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
        attempts = attempts - ${options.counted ? 0 : 1}, run_after = now() + ${options.pauseMs} * interval '1 millisecond',
        activation = NULL, activation_attempt = NULL
      WHERE id = ${job.id} AND run = ${job.run} AND status = 'running'`);
    // Given back where the job is canceled or gone, too: whoever gets an activation too many finds nothing, and uses it up.
    await giveBackActivations(tx, [job.activation]);
    if (count === 0) return;
    await logCanceled(tx, [job.id]);
    await tellOfJobs(tx, [job]);
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
    const jobs = await tx.any(sql.type(TakenBack)`
      WITH present AS MATERIALIZED (SELECT DISTINCT worker FROM job WHERE status = 'running' AND worker IS NOT NULL),
      dead AS MATERIALIZED (SELECT worker FROM present WHERE pg_try_advisory_xact_lock(${presenceClass}, worker)),
      lost AS MATERIALIZED (
        SELECT id, activation, activation_attempt FROM job WHERE status = 'running' AND (worker IN (SELECT worker FROM dead) OR deadline < now()) FOR UPDATE SKIP LOCKED)
      UPDATE job SET worker = NULL, deadline = NULL, system_mtime = now(), run = run + 1, run_after = now(), activation = NULL, activation_attempt = NULL,
        status = CASE WHEN cancel_requested IS NOT NULL THEN 'canceled' WHEN attempts >= greatest(max_attempts, 5) THEN 'failed' ELSE 'queued' END,
        time_finished = CASE WHEN cancel_requested IS NOT NULL OR attempts >= greatest(max_attempts, 5) THEN now() END,
        outcome = CASE WHEN cancel_requested IS NULL AND attempts >= greatest(max_attempts, 5) THEN ${lostOutcome}::json END
      FROM lost WHERE job.id = lost.id
      RETURNING job.id, mailbox, status = 'queued' AS "isQueued", lost.activation, lost.activation_attempt AS "activationAttempt"`);
    if (jobs.length === 0) return [];
    const [again, ended] = [jobs.filter(({ isQueued }) => isQueued), jobs.filter(({ isQueued }) => !isQueued)];
    await giveBackActivations(tx, again.flatMap(activationsOf));
    await completeActivations(tx, ended.flatMap(activationsOf));
    // A run that began before there were activations has none.
    await sendActivations(
      tx,
      again.filter(({ activation }) => activation === null),
    );
    const ids = jobs.map(({ id }) => id);
    await logCanceled(tx, ids);
    await tellOfJobs(tx, jobs);
    return ids;
  });
}

const TakenBack = z.strictObject({
  id: column.int,
  mailbox: column.text,
  isQueued: column.bool,
  activation: column.maybeText,
  activationAttempt: column.maybeInt,
});
type TakenBack = z.infer<typeof TakenBack>;

const activationsOf = ({ activation, activationAttempt }: TakenBack): readonly Activation[] =>
  activation === null || activationAttempt === null ? [] : [{ id: activation, attempt: activationAttempt }];

const JobRow = z.strictObject({ isRunning: column.bool, mailbox: column.text });

/** Asks for a job to end. Queued: it ends at once. Running: its worker is told and rolls it back. One that has ended stays as it is. Fails with `not_found`. */
export async function cancelJob(tx: Transaction, jobId: number): Promise<void> {
  const job = await tx.maybeOne(sql.type(JobRow)`
    UPDATE job SET cancel_requested = coalesce(cancel_requested, now()),
      time_finished = CASE WHEN status = 'queued' THEN now() END, status = CASE WHEN status = 'queued' THEN 'canceled' ELSE status END,
      system_mtime = now(), lock_version = lock_version + 1
    WHERE id = ${jobId} AND status IN ('queued', 'running') RETURNING status = 'running' AS "isRunning", mailbox`);
  if (job?.isRunning === true) await tx.run(sql`SELECT pg_notify('muniment_cancel', ${String(jobId)})`);
  else if (job !== null) {
    await logCanceled(tx, [jobId]);
    await tellOfJobs(tx, [{ id: jobId, mailbox: job.mailbox }]);
  } else if ((await tx.maybeOne(sql.type(EmptyRow)`SELECT FROM job WHERE id = ${jobId}`)) === null)
    throw fail('not_found', 'Job not found');
}

/**
 * Deletes the jobs of a repository that goes. One that runs is hidden and canceled instead, as where a client deletes it: its run holds the row, and may wait for
 * the repository meanwhile, which would be waiting in a circle.
 */
export async function deleteJobsOf(tx: Transaction, repoId: number): Promise<void> {
  await tx.run(sql`DELETE FROM job WHERE repo_id = ${repoId} AND status <> 'running'`);
  const left = await tx.any(sql.type(IdRow)`UPDATE job SET visible = false WHERE repo_id = ${repoId} RETURNING id`);
  for (const { id } of left) await cancelJob(tx, id);
}

/** Those of the given jobs for which an end was asked; for a worker that may have missed the telling. */
export async function readCanceled(database: Database, jobIds: readonly number[]): Promise<readonly number[]> {
  const rows = await database.reader.any(sql.type(IdRow)`
    SELECT id FROM job WHERE id = ANY (${sql.array(jobIds, 'int4')}) AND cancel_requested IS NOT NULL`);
  return rows.map(({ id }) => id);
}

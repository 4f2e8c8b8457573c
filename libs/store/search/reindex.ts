// Reindexing as the job sees it: what was handed to the slow lanes, how much of that is left, and documents whose record is gone.
import { z } from 'zod';
import type { Database, Reader, Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { enqueueAll, shownJobs } from './pending.ts';
import { raiseEdition } from './document-version.ts';
import { beginRebuild, dropRebuild, isBuilding } from './postgres/rebuild.ts';
import { isGone } from './postgres/write.ts';

/** Which records are indexed anew: see ReindexPayload of the job. `isRebuild`: into an index beside the live one, which must be of everything. */
export type Reindexed = {
  readonly kinds: readonly string[];
  readonly repoId: number | null;
  readonly rewrite: boolean;
  readonly isRebuild: boolean;
};

/** The number of records, and whether they go beside the live index, until that is finished. */
export type Reindexing = { readonly total: number; readonly isRebuild: boolean };

const MadeRow = z.strictObject({ total: column.int, beside: column.bool });

/** Makes records due once for a job, however often it is run. Fails where writers of documents are in the way of an index beside theirs (`isRetryable`). */
export async function enqueueReindex(
  tx: Transaction,
  jobId: number,
  { kinds, repoId, rewrite, isRebuild }: Reindexed,
): Promise<Reindexing> {
  const made = await tx.maybeOne(sql.type(MadeRow)`SELECT total, beside FROM reindex_run WHERE job_id = ${jobId}`);
  if (made !== null && (!made.beside || (await isBuilding(tx, jobId))))
    return { total: made.total, isRebuild: made.beside };
  await tx.run(
    sql`DELETE FROM reindex_run WHERE job_id = ${jobId} OR NOT EXISTS (SELECT FROM job WHERE job.id = reindex_run.job_id)`,
  );
  if (rewrite) await raiseEdition(tx);
  if (isRebuild) await dropRebuild(tx);
  const total = await enqueueAll(tx, kinds, repoId, { jobId, lane: isRebuild ? 2 : 1 });
  await tx.run(sql`INSERT INTO reindex_run (job_id, total, beside) VALUES (${jobId}, ${total}, ${isRebuild})`);
  if (isRebuild) await beginRebuild(tx, jobId);
  return { total, isRebuild };
}

/** Forgets that records were made due for a job: what they were written into is gone. */
export async function forgetReindex(tx: Transaction, jobId: number): Promise<void> {
  await tx.run(sql`DELETE FROM reindex_run WHERE job_id = ${jobId}`);
}

/**
 * Takes what is not due yet of a job that was canceled out of the lane; of any other job nothing. What was indexed anew stays so. Waits for
 * nobody: dependents that the indexer is at goes when it comes to it again (`fillLane`), for it may itself be waiting for a batch.
 */
export async function withdrawReindex(database: Database, jobId: number): Promise<void> {
  await database.transaction(async (tx) => {
    const canceled = await tx.run(
      sql`DELETE FROM reindex_run WHERE job_id = (SELECT id FROM job WHERE id = ${jobId} AND cancel_requested IS NOT NULL)`,
    );
    if (canceled === 0) return;
    await tx.run(
      sql`DELETE FROM reindex_fan WHERE n = ANY(ARRAY(SELECT n FROM reindex_fan WHERE job_id = ${jobId} FOR UPDATE SKIP LOCKED))`,
    );
    // The tables go with the indexer's next look (dropAbandoned).
    await tx.run(
      sql`DELETE FROM reindex_due WHERE ctid = ANY(ARRAY(SELECT ctid FROM reindex_due WHERE lane = 2 AND EXISTS (SELECT FROM search_build WHERE job_id = ${jobId}) FOR UPDATE SKIP LOCKED))`,
    );
  });
}

const LeftRow = z.strictObject({ left: column.int });

/**
 * How many records of a job are still to be indexed: those due in its lane, and those its dependents have not come to. Other work in
 * lane 1 counts too, and what has come to its last record and does not know it yet counts one, so the number errs upwards.
 */
export async function readReindexLeft(reader: Reader, jobId: number, { isRebuild }: Reindexing): Promise<number> {
  const isAhead = sql.fragment`r.kind = f.kind AND (f.repo_id IS NULL OR r.repo_id = f.repo_id) AND (f.after_kind = '' OR r.id > f.after_id)`;
  const { left } = await reader.one(sql.type(LeftRow)`
    SELECT (SELECT count(*) FROM reindex_due WHERE lane = ${isRebuild ? 2 : 1}) + coalesce((
      SELECT sum((SELECT count(*) FROM record r WHERE ${isAhead}) + (SELECT count(*) FROM ${shownJobs} WHERE ${isAhead}))
      FROM reindex_fan f WHERE f.job_id = ${jobId}), 0) + (SELECT count(*) FROM reindex_fan WHERE job_id = ${jobId} OR lane = 2 AND ${isRebuild}) AS left`);
  return left;
}

/** Takes out documents of these kinds whose record does not exist. Gives their number. */
export async function removeStray(tx: Transaction, kinds: readonly string[], repoId: number | null): Promise<number> {
  return tx.run(sql`
    WITH gone AS (DELETE FROM search_doc d WHERE d.kind = ANY(${sql.array([...kinds], 'text')}) AND (${repoId}::int IS NULL OR d.repo_id = ${repoId})
      AND ${isGone(sql.fragment`d.kind`, sql.fragment`d.record_id`, kinds)} RETURNING no)
    DELETE FROM search_body b USING gone WHERE b.no = gone.no`);
}

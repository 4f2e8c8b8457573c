// Jobs as their owners see them: listed, read, with their files and records; and deleted (contract trees-and-jobs 3.1, 3.3).
// Only visible jobs, and only of one repository. How jobs run is in queue/.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import { reasonOfAsked, reasonOfOurs } from '#domain/job-reason.ts';
import { jobs, wireJobs } from '#domain/jobs/index.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject, textOf } from '#domain/json.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import type { KeptFile } from './files.ts';
import { readJobFiles } from './files.ts';
import { cancelJob } from './mailbox.ts';
import { presentPhase } from './progress.ts';
import { column, IdRow } from '../connection/columns.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';

/** Which jobs to list: all by status and id, or those that have ended, the last ended first. */
export type JobListing = {
  /** Null: those of no repository. */
  readonly repoId: number | null;
  /** Those of this owner alone; absent: of everybody. */
  readonly owner?: string | null;
  readonly which: 'all' | 'archived';
  readonly modifiedSince: number;
  readonly part:
    | { readonly kind: 'page'; readonly page: number; readonly pageSize: number }
    | { readonly kind: 'id_set'; readonly ids: readonly number[] };
};

const JobRow = z.strictObject({
  id: column.int,
  repoId: column.maybeInt,
  type: column.text,
  body: column.maybeText,
  status: column.text,
  owner: column.maybeText,
  lockVersion: column.int,
  submitted: column.text,
  started: column.maybeText,
  finished: column.maybeText,
  createTime: column.time,
  systemMtime: column.time,
  queuePosition: column.maybeInt,
  hasRecords: column.bool,
  progress: column.maybeText,
  outcome: column.maybeText,
});
type JobRow = z.infer<typeof JobRow>;

// A running job that was canceled can only end so (completeJob refuses it), and is shown so from that moment.
const status = sql.fragment`CASE WHEN j.status = 'running' AND j.cancel_requested IS NOT NULL THEN 'canceled' ELSE j.status END`;

// NOTE: the three times of a job are not ISO on the wire (contract 3.1, checked), the audit times are.
const columns = sql.fragment`
  j.id, j.repo_id AS "repoId", j.type, j.body, ${status} AS status, j.owner, j.lock_version AS "lockVersion",
  to_char(j.time_submitted, 'YYYY-MM-DD HH24:MI:SS "UTC"') AS submitted, to_char(j.time_started, 'YYYY-MM-DD HH24:MI:SS "UTC"') AS started,
  to_char(j.time_finished, 'YYYY-MM-DD HH24:MI:SS "UTC"') AS finished, j.time_submitted AS "createTime", j.system_mtime AS "systemMtime",
  CASE WHEN j.status = 'queued' THEN (SELECT count(*) FROM job q WHERE q.status = 'queued' AND q.visible AND q.id < j.id) END AS "queuePosition",
  EXISTS (SELECT FROM job_record WHERE job_id = j.id) AS "hasRecords",
  CASE WHEN j.status = 'running' THEN (SELECT p.progress FROM job_progress p WHERE p.job_id = j.id) END AS progress,
  CASE WHEN j.status = 'completed' THEN j.outcome END AS outcome`;

/** The address of a job; one that belongs to no repository (a merge of agents, the deletion of a repository) has an address of its own. */
export const jobUri = (repoId: number | null, id: number): string =>
  repoId === null ? `/jobs/${id}` : `/repositories/${repoId}/jobs/${id}`;

/** The wire shape of a job. */
function toWire(row: JobRow): JsonObject {
  const body: unknown = JSON.parse(row.body ?? '{}');
  const given = isObject(body) ? body : {};
  // Jobs that a request of another kind stands on have no body; they are known by the name of their declaration.
  const isOurs = row.body === null;
  const job = isObject(given['job']) ? given['job'] : isOurs ? { jsonmodel_type: row.type } : {};
  const type = typeof job['jsonmodel_type'] === 'string' ? job['jsonmodel_type'] : '';
  const isKnown = isOurs || wireJobs.has(type);
  return dropAbsent({
    lock_version: row.lockVersion,
    time_submitted: row.submitted,
    time_started: row.started,
    time_finished: row.finished,
    job_type: type,
    // Stored as the JSON text of what was sent, and shown as stored (contract 3.1).
    job_params: typeof given['job_params'] === 'string' ? JSON.stringify(given['job_params']) : null,
    created_by: row.owner,
    last_modified_by: row.owner,
    create_time: row.createTime,
    system_mtime: row.systemMtime,
    user_mtime: row.systemMtime,
    jsonmodel_type: 'job',
    uri: jobUri(row.repoId, row.id),
    owner: row.owner,
    status: row.status,
    queue_position: row.queuePosition,
    has_modified_records: row.hasRecords ? true : null,
    inactive_record: !isKnown,
    job: isKnown ? job : type,
    repository: row.repoId === null ? null : { ref: `/repositories/${row.repoId}` },
    // Ours: how far a running job is and how fast, and what a completed one tells (an import: records by kind).
    progress: row.progress === null ? null : presentPhase(row.progress),
    result: resultOf(row.outcome),
  });
}

function resultOf(outcome: string | null): Json {
  const parsed: unknown = JSON.parse(outcome ?? 'null');
  return isObject(parsed) ? (parsed['ok'] ?? null) : null;
}

function dropAbsent(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined));
}

function conditions({
  repoId,
  owner,
  which,
  modifiedSince,
}: Pick<JobListing, 'repoId' | 'owner' | 'which' | 'modifiedSince'>): Fragment {
  // Two texts, since no index answers IS NOT DISTINCT FROM.
  const place = repoId === null ? sql.fragment`j.repo_id IS NULL` : sql.fragment`j.repo_id = ${repoId}`;
  const whose = owner === undefined ? sql.fragment`` : sql.fragment`AND j.owner = ${owner}`;
  return sql.fragment`j.visible AND ${place} ${whose} AND j.system_mtime >= to_timestamp(${modifiedSince})
    AND (${which === 'all'} OR ${status} NOT IN ('queued', 'running'))`;
}

const TotalRow = z.strictObject({ total: column.int });

/** The total, and the jobs of a page or of some ids in wire shape. */
export async function listJobs(
  reader: Reader,
  listing: JobListing,
): Promise<{ readonly total: number; readonly jobs: readonly JsonObject[] }> {
  const { part, which } = listing;
  const order =
    which === 'all'
      ? sql.fragment`${status} COLLATE "C", j.id`
      : sql.fragment`j.time_finished DESC NULLS LAST, j.id DESC`;
  const where =
    part.kind === 'page'
      ? conditions(listing)
      : sql.fragment`${conditions(listing)} AND j.id = ANY (${sql.array(part.ids, 'int4')})`;
  const window =
    part.kind === 'page'
      ? sql.fragment`LIMIT ${part.pageSize} OFFSET ${(part.page - 1) * part.pageSize}`
      : sql.fragment``;
  const { total } = await reader.one(sql.type(TotalRow)`SELECT count(*) AS total FROM job j WHERE ${where}`);
  const rows = await reader.any(sql.type(JobRow)`
    SELECT ${columns} FROM job j WHERE ${where} ORDER BY ${order} ${window}`);
  return { total, jobs: rows.map(toWire) };
}

/** The ids of all jobs of the listing, ascending. */
export async function listJobIds(
  reader: Reader,
  listing: Pick<JobListing, 'repoId' | 'owner' | 'which' | 'modifiedSince'>,
): Promise<readonly number[]> {
  const rows = await reader.any(sql.type(IdRow)`SELECT j.id FROM job j WHERE ${conditions(listing)} ORDER BY j.id`);
  return rows.map(({ id }) => id);
}

/** Running jobs, the last changed first, then queued ones, the oldest first. */
export async function listActiveJobs(reader: Reader, repoId: number): Promise<readonly JsonObject[]> {
  const rows = await reader.any(sql.type(JobRow)`
    SELECT ${columns} FROM job j WHERE j.visible AND j.repo_id = ${repoId} AND j.status IN ('queued', 'running') AND j.cancel_requested IS NULL
    ORDER BY j.status = 'queued', CASE WHEN j.status = 'running' THEN j.system_mtime END DESC, j.id`);
  return rows.map(toWire);
}

const FirstRow = z.strictObject({ id: column.int, repoId: column.maybeInt, status: column.text });

/** The job of a mailbox that runs or is the next to run, with its address; null where none waits. */
export async function readFirstOf(
  reader: Reader,
  mailbox: string,
): Promise<{ readonly id: number; readonly uri: string; readonly status: string } | null> {
  const row = await reader.maybeOne(sql.type(FirstRow)`
    SELECT j.id, j.repo_id AS "repoId", ${status} AS status FROM job j
    WHERE j.mailbox = ${mailbox} AND j.status IN ('queued', 'running') ORDER BY j.id LIMIT 1`);
  return row === null ? null : { id: row.id, uri: jobUri(row.repoId, row.id), status: row.status };
}

const JobWithReasonRow = JobRow.extend({ payload: column.maybeText });

/** A job of a repository (null: of none) in wire shape, with why it is there. Fails with `not_found`. */
export async function readJob(reader: Reader, repoId: number | null, id: number): Promise<JsonObject> {
  const row = await reader.maybeOne(sql.type(JobWithReasonRow)`
    SELECT ${columns}, CASE WHEN j.body IS NULL THEN j.payload::text END AS payload FROM job j WHERE j.id = ${id} AND j.visible AND j.repo_id IS NOT DISTINCT FROM ${repoId}`);
  if (row === null) throw fail('not_found', 'Job not found');
  const { payload, ...job } = row;
  const shown = toWire(job);
  const reason = reasonOf(row.type, payload, row.owner, shown['job']);
  return reason === null ? shown : { ...shown, reason };
}

/** Why a job is there, with uris in place of ids; null: its type is no more. `payload` is that of a job without a body. */
function reasonOf(type: string, payload: string | null, owner: string | null, asked: Json | undefined): Json {
  const declaration = declarations.get(type);
  if (declaration === undefined || !isObject(asked)) return null;
  const { by, records, follows } =
    payload === null ? reasonOfAsked(asked) : reasonOfOurs(declaration, JSON.parse(payload), owner);
  return dropAbsent({
    by,
    records: records.length === 0 ? null : records.map((ref) => ({ ref })),
    job: follows === null ? null : { ref: jobUri(follows.repoId, follows.id) },
  });
}

const declarations = new Map(Object.entries(jobs));

/** A job as the search index takes it: in wire shape, without what changes all the time and what only its own page tells; and the uris of the files that it made. */
export type JobToIndex = { readonly id: number; readonly job: JsonObject; readonly files: readonly string[] };

const JobsToIndexRow = JobRow.extend({ fileIds: column.ints });

/** Visible jobs of any repository for the search index; others of the ids are left out. */
export async function readJobsToIndex(reader: Reader, ids: readonly number[]): Promise<readonly JobToIndex[]> {
  if (ids.length === 0) return [];
  const rows = await reader.any(sql.type(JobsToIndexRow)`
    SELECT ${columns}, ARRAY(SELECT f.id FROM job_file f WHERE f.job_id = j.id AND f.role = 'output' ORDER BY f.id) AS "fileIds"
    FROM job j WHERE j.id = ANY (${sql.array(ids, 'int4')}) AND j.visible AND j.repo_id IS NOT NULL ORDER BY j.id`);
  return rows.map((row) => {
    const { progress: _progress, result: _result, ...job } = toWire(row);
    return { id: row.id, job, files: row.fileIds.map((id) => `${String(job['uri'])}/output_files/${id}`) };
  });
}

/** Lists a job that was made unseen, since its maker is sent to its address. */
export async function showJob(tx: Transaction, id: number): Promise<void> {
  await tx.run(sql`UPDATE job SET visible = true WHERE id = ${id}`);
}

/** The files of a job that clients may see: what it was given, then what it made. Fails with `not_found` where there is no such job. */
export async function listJobFiles(reader: Reader, repoId: number | null, id: number): Promise<readonly KeptFile[]> {
  await readJob(reader, repoId, id);
  const files = await readJobFiles(reader, id);
  return files.filter(({ role }) => role !== 'payload');
}

/** One of these files. Fails with `not_found`. */
export async function readJobFile(
  reader: Reader,
  address: { readonly repoId: number | null; readonly jobId: number; readonly fileId: number },
): Promise<KeptFile> {
  const files = await listJobFiles(reader, address.repoId, address.jobId);
  const file = files.find(({ id }) => id === address.fileId);
  if (file === undefined) throw fail('not_found', 'File not found');
  return file;
}

const UriRow = z.strictObject({ uri: column.text });

/** The uris of the records that a job made or changed, the newest first, one page of them; collection management records are left out. */
export async function listJobRecords(
  reader: Reader,
  jobId: number,
  page: { readonly page: number; readonly pageSize: number },
): Promise<{ readonly total: number; readonly uris: readonly string[] }> {
  const where = sql.fragment`job_id = ${jobId} AND uri NOT LIKE '%/collection_management/%'`;
  const { total } = await reader.one(sql.type(TotalRow)`SELECT count(*) AS total FROM job_record WHERE ${where}`);
  const rows = await reader.any(sql.type(UriRow)`
    SELECT uri FROM job_record WHERE ${where} ORDER BY n DESC LIMIT ${page.pageSize} OFFSET ${(page.page - 1) * page.pageSize}`);
  return { total, uris: rows.map(({ uri }) => uri) };
}

const StatusRow = z.strictObject({ status: column.text });

/** Deletes a job in any state with its log and lists; a running one is canceled first and vanishes at once. Fails with `not_found`. */
export async function deleteJob(tx: Transaction, repoId: number, id: number): Promise<void> {
  const job = await tx.maybeOne(sql.type(StatusRow)`
    UPDATE job SET visible = false WHERE id = ${id} AND visible AND repo_id = ${repoId} RETURNING status`);
  if (job === null) throw fail('not_found', 'Job not found');
  // The row of a running job stays until its run has ended (the run holds it); expiry removes what is invisible and has ended.
  if (job.status === 'running') await cancelJob(tx, id);
  else await tx.run(sql`DELETE FROM job WHERE id = ${id}`);
}

const LockVersionRow = z.strictObject({ lockVersion: column.int });

/** What a change of a job answers: its lock version. */
export async function readJobLockVersion(reader: Pick<Transaction, 'maybeOne'>, id: number): Promise<number> {
  return (
    (
      await reader.maybeOne(sql.type(LockVersionRow)`
        SELECT lock_version AS "lockVersion" FROM job WHERE id = ${id}`)
    )?.lockVersion ?? 0
  );
}

/** The type of a visible job as the wire names it, for the permissions of canceling. Fails with `not_found`. */
export async function readJobType(reader: Reader, repoId: number | null, id: number): Promise<string> {
  return textOf(await readJob(reader, repoId, id), 'job_type') ?? '';
}

// Jobs as their owners see them, whole: of each state, of every maker, listed and alone. Read beside the contract (trees-and-jobs 3.1, 3.3) before it was kept.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { Failure } from '#domain/errors.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { column, IdRow } from '#store/connection/columns.ts';
import { Database } from '#store/connection/database.ts';
import type { Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import type { JobListing } from '#store/queue/client-jobs.ts';
import {
  deleteJob,
  listActiveJobs,
  listJobFiles,
  listJobIds,
  listJobRecords,
  listJobs,
  readFirstOf,
  readJob,
  readJobFile,
  readJobLockVersion,
  readJobsToIndex,
  readJobType,
  showJob,
} from '#store/queue/client-jobs.ts';
import { createDatabase } from '#test/support/database.ts';
import { expectKept, keptText } from '#test/support/kept.ts';

const own = await createDatabase();
const database = new Database({ url: own.url, poolSize: 2 });
const { reader } = database;
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

type Made = {
  readonly type: string;
  readonly status: string;
  readonly visible?: boolean;
  readonly repoId?: number | null;
  readonly owner?: string | null;
  readonly payload?: Json;
  readonly body?: JsonObject;
  readonly minute: number;
  readonly isCanceled?: boolean;
  readonly outcome?: JsonObject;
};

const trim = { jsonmodel_type: 'trim_whitespace_job' };
const merged = {
  what: 'subject',
  repoId: null,
  destination: '/subjects/1',
  candidates: ['/subjects/2'],
  selections: null,
  actor: 'jane',
  agentUri: null,
};

// Their ids count from 1.
const made: readonly Made[] = [
  {
    type: 'trim-whitespace',
    status: 'completed',
    minute: 1,
    body: { job: trim, job_params: '{"a":1}' },
    outcome: { ok: { trimmed: 3 } },
  },
  { type: 'trim-whitespace', status: 'running', minute: 2, body: { job: trim } },
  { type: 'trim-whitespace', status: 'running', minute: 3, body: { job: trim }, isCanceled: true },
  { type: 'trim-whitespace', status: 'queued', minute: 4, body: { job: trim }, owner: 'joe' },
  { type: 'expire', status: 'queued', minute: 5, visible: false, repoId: null, owner: null, payload: {} },
  {
    type: 'batch-import',
    status: 'queued',
    minute: 6,
    body: { job: { jsonmodel_type: 'no_more_job', at: ['/repositories/2/resources/4', 'x'] } },
  },
  {
    type: 'merge-records',
    status: 'completed',
    minute: 7,
    repoId: null,
    payload: merged,
    outcome: { ok: { moved: 2 } },
  },
  {
    type: 'undo-merge',
    status: 'failed',
    minute: 8,
    repoId: null,
    payload: { mergeId: 7, repoId: null, actor: 'jane' },
  },
  {
    type: 'batch-import',
    status: 'failed',
    minute: 9,
    body: {
      job: { jsonmodel_type: 'import_job', of: ['/repositories/2/resources/4', '/repositories/2/resources/4', 'x'] },
    },
    outcome: { failure: { code: 'internal', error: 'x' } },
  },
  { type: 'gone-work', status: 'canceled', minute: 10, owner: null, payload: {} },
  { type: 'trim-whitespace', status: 'running', minute: 11, body: { job: trim }, repoId: 3 },
  { type: 'trim-whitespace', status: 'running', minute: 12, body: { job: trim } },
];

const at = (minute: number): string => `2024-05-06T07:${String(minute).padStart(2, '0')}:00Z`;

async function make(tx: Transaction, job: Made, nth: number): Promise<void> {
  const { repoId = 2, owner = 'jane', visible = true, payload = {}, body, outcome } = job;
  const { id } = await tx.one(sql.type(IdRow)`
    INSERT INTO job (visible, type, mailbox, is_long, repo_id, owner, payload, body, status, time_submitted, time_started, time_finished, system_mtime, lock_version, cancel_requested, outcome)
    VALUES (${visible}, ${job.type}, ${`box ${nth % 3 === 0 ? 'third' : nth}`}, false, ${repoId}::int, ${owner}::text, ${JSON.stringify(payload)}::json, ${body === undefined ? null : JSON.stringify(body)}::json, ${job.status}, ${at(job.minute)}::timestamptz,
      ${job.status === 'queued' ? null : at(job.minute + 20)}::timestamptz, ${job.status === 'queued' || job.status === 'running' ? null : at(50 - job.minute)}::timestamptz, ${at(job.minute + 10)}::timestamptz, ${nth},
      ${job.isCanceled === true ? at(30) : null}::timestamptz, ${outcome === undefined ? null : JSON.stringify(outcome)}::json)
    RETURNING id`);
  expect(id).toBe(nth + 1);
}

beforeAll(async () => {
  await database.transaction(async (tx) => {
    for (const [nth, job] of made.entries()) await make(tx, job, nth);
    const phases = ['reading', 'trimming'].map((label, n) => ({ label, done: n + 1, total: 9 }));
    await tx.run(
      sql`INSERT INTO job_progress (job_id, progress) VALUES (1, '[]'), (2, ${JSON.stringify(phases)}::json), (12, '[]')`,
    );
    for (const path of ['resources/1', 'collection_management/1', 'resources/2', 'resources/3'])
      await tx.run(sql`INSERT INTO job_record (job_id, uri, created) VALUES (1, ${`/repositories/2/${path}`}, true)`);
    for (const [n, role] of ['input', 'payload', 'output', 'output'].entries())
      await tx.run(sql`
        WITH b AS (INSERT INTO blob (id, file_name, media_type, size_bytes) VALUES (${`00000000-0000-0000-0000-00000000000${n}`}::uuid, ${`${role}.txt`}, 'text/plain', ${n === 0 ? null : n}::bigint) RETURNING id)
        INSERT INTO job_file (job_id, blob_id, role, shows_suppressed) SELECT 1, id, ${role}, ${n === 3} FROM b`);
  });
});

const page = { kind: 'page', page: 1, pageSize: 50 } as const;
const all = { repoId: 2, which: 'all', modifiedSince: 0, part: page } as const;
const listed = async (more: Partial<JobListing>) => {
  const { total, jobs } = await listJobs(reader, { ...all, ...more });
  return { total, uris: jobs.map(({ uri, status }) => `${String(uri)} ${String(status)}`) };
};

/** What is given, or the words of the refusal. */
const given = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    return { refused: error.code, error: error.error };
  });

it('are shown with what their state has to tell', async () => {
  const alone: { [id: string]: unknown } = {};
  for (const [nth, { repoId = 2 }] of made.entries()) alone[nth + 1] = await given(readJob(reader, repoId, nth + 1));
  alone['of another repository'] = await given(readJob(reader, 3, 1));
  alone['of no repository'] = await given(readJob(reader, null, 1));
  await expectKept(
    keptText({ alone, indexed: await readJobsToIndex(reader, [1, 2, 5, 7, 9, 11, 99]) }, 3),
    'jobs/shown.json',
  );
  // Lists do not tell why a job is there.
  const { jobs } = await listJobs(reader, { ...all, part: { kind: 'id_set', ids: [1, 4, 10] } });
  const withoutReason = [10, 1, 4].map((id) => ({ ...Object(alone[id]), reason: undefined }));
  expect(jobs).toEqual(withoutReason);
});

it('are listed by state and number, by their ends, by owner, by change', async () => {
  const lists = {
    all: await listed({}),
    'a second page': await listed({ part: { kind: 'page', page: 2, pageSize: 3 } }),
    'some ids': await listed({ part: { kind: 'id_set', ids: [12, 1, 5, 7] } }),
    'no ids': await listed({ part: { kind: 'id_set', ids: [] } }),
    ended: await listed({ which: 'archived' }),
    'of an owner': await listed({ owner: 'joe' }),
    'of nobody': await listed({ owner: null }),
    'of no repository': await listed({ repoId: null }),
    'changed since': await listed({ modifiedSince: Date.parse(at(16)) / 1000 }),
    'active ones': (await listActiveJobs(reader, 2)).map(({ uri }) => uri),
    ids: await listJobIds(reader, { repoId: 2, which: 'all', modifiedSince: 0 }),
    'ids of those that ended': await listJobIds(reader, { repoId: 2, which: 'archived', modifiedSince: 0 }),
  };
  await expectKept(keptText(lists, 3), 'jobs/listed.json');
});

it('have files and records', async () => {
  expect(await listJobFiles(reader, 2, 1)).toEqual([
    {
      id: 1,
      blobId: '00000000-0000-0000-0000-000000000000',
      role: 'input',
      fileName: 'input.txt',
      mediaType: 'text/plain',
      sizeBytes: 0,
      showsSuppressed: false,
    },
    {
      id: 3,
      blobId: '00000000-0000-0000-0000-000000000002',
      role: 'output',
      fileName: 'output.txt',
      mediaType: 'text/plain',
      sizeBytes: 2,
      showsSuppressed: false,
    },
    {
      id: 4,
      blobId: '00000000-0000-0000-0000-000000000003',
      role: 'output',
      fileName: 'output.txt',
      mediaType: 'text/plain',
      sizeBytes: 3,
      showsSuppressed: true,
    },
  ]);
  expect(await given(listJobFiles(reader, 3, 1))).toEqual({ refused: 'not_found', error: 'Job not found' });
  expect(await readJobFile(reader, { repoId: 2, jobId: 1, fileId: 4 })).toMatchObject({ id: 4, sizeBytes: 3 });
  for (const fileId of [2, 9])
    expect(await given(readJobFile(reader, { repoId: 2, jobId: 1, fileId }))).toEqual({
      refused: 'not_found',
      error: 'File not found',
    });
  const uris = [3, 2, 1].map((id) => `/repositories/2/resources/${id}`);
  expect(await listJobRecords(reader, 1, { page: 1, pageSize: 2 })).toEqual({ total: 3, uris: uris.slice(0, 2) });
  expect(await listJobRecords(reader, 1, { page: 2, pageSize: 2 })).toEqual({ total: 3, uris: uris.slice(2) });
  expect(await listJobRecords(reader, 2, { page: 1, pageSize: 2 })).toEqual({ total: 0, uris: [] });
});

it('are told of by mailbox, version and type', async () => {
  expect(await readFirstOf(reader, 'box third')).toEqual({ id: 4, uri: '/repositories/2/jobs/4', status: 'queued' });
  expect(await readFirstOf(reader, 'box 2')).toEqual({ id: 3, uri: '/repositories/2/jobs/3', status: 'canceled' });
  expect(await readFirstOf(reader, 'box 4')).toEqual({ id: 5, uri: '/jobs/5', status: 'queued' });
  expect(await readFirstOf(reader, 'box 8')).toBeNull();
  expect([await readJobLockVersion(reader, 3), await readJobLockVersion(reader, 99)]).toEqual([2, 0]);
  expect([await readJobType(reader, 2, 2), await readJobType(reader, 2, 10)]).toEqual([
    'trim_whitespace_job',
    'gone-work',
  ]);
});

const LeftRow = z.strictObject({ id: column.int, visible: column.bool, canceled: column.bool });

it('are deleted where nothing runs, and canceled where something does', async () => {
  await database.transaction((tx) => showJob(tx, 5));
  expect((await listed({ repoId: null })).uris).toEqual(['/jobs/7 completed', '/jobs/8 failed', '/jobs/5 queued']);
  for (const id of [1, 2, 4]) await database.transaction((tx) => deleteJob(tx, 2, id));
  for (const [repoId, id] of [
    [2, 1],
    [2, 2],
    [3, 6],
    [2, 99],
  ] as const)
    expect(await given(database.transaction((tx) => deleteJob(tx, repoId, id)))).toEqual({
      refused: 'not_found',
      error: 'Job not found',
    });
  const left = await reader.any(sql.type(LeftRow)`
    SELECT id, visible, cancel_requested IS NOT NULL AS canceled FROM job WHERE id IN (1, 2, 4, 6) ORDER BY id`);
  expect(left).toEqual([
    { id: 2, visible: false, canceled: true },
    { id: 6, visible: true, canceled: false },
  ]);
});

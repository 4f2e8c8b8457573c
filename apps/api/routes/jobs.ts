// Jobs that clients make: create (with files), list, read, log, files, records, cancel, delete; and what types there are
// (contract trees-and-jobs 3). Jobs run in the worker; these routes only make and read rows.
import { Readable } from 'node:stream';
import { fail } from '#domain/errors.ts';
import { jobs } from '#domain/jobs/index.ts';
import type { JobDeclaration } from '#domain/job.ts';
import {
  checkJobObject,
  importTypes,
  jobTypes,
  parseJobParams,
  WireJobPayload,
  wireTypeOf,
} from '#domain/job-types.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectOf, textOf } from '#domain/json.ts';
import { isCheckedAtOnce, parseReportChoice } from '#domain/reports/choice.ts';
import { reportOf } from '#domain/reports/reports.ts';
import type { Caller } from '#domain/access/caller.ts';
import { can } from '#domain/access/caller.ts';
import type { Blob } from '#store/files/blobs.ts';
import { readBlob, writeBlob } from '#store/files/blobs.ts';
import {
  deleteJob,
  listActiveJobs,
  listJobFiles,
  listJobIds,
  listJobRecords,
  listJobs,
  readJob,
  readJobFile,
  readJobType,
} from '#store/queue/client-jobs.ts';
import type { JobListing } from '#store/queue/client-jobs.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { openDiskSpace } from '#store/files/disk-space.ts';
import { parseResolve, resolveRefs } from '#store/records/reading/resolve.ts';
import { chooseReport } from '#store/reports/choose.ts';
import { attachment } from '../reply/attachment.ts';
import { jsonBody, multipart } from '../request/body.ts';
import type { UploadedFile } from '../request/body.ts';
import { listParameters, toPage, toPagination } from '../request/pagination.ts';
import { id, jsonParameter, nonNegative, repositoryId, resolve } from '../request/parameters.ts';
import { stream } from '../reply/reply.ts';
import { defineRoute } from '../route.ts';
import { canceled, logOf } from '../record-routes/jobs.ts';
import type { Call, Route } from '../route.ts';
import type { Services } from '../services.ts';

const area = 'jobs';
const view = { all: ['view_repository'] } as const;
const address = { repo_id: repositoryId(), id: id() };

/** Declarations of jobs by the type that clients name. */
export type WireJobs = ReadonlyMap<string, JobDeclaration<WireJobPayload>>;

/** Those of the registry that have a wireName. */
function declaredWireJobs(): WireJobs {
  const declared: readonly { readonly wireName?: string }[] = Object.values(jobs);
  // Every declaration with a wireName takes WireJobPayload (libs/domain/job-types.ts).
  return new Map(
    declared.flatMap((job) =>
      job.wireName === undefined ? [] : [[job.wireName, job as JobDeclaration<WireJobPayload>] as const],
    ),
  );
}

function demand(caller: Caller, codes: readonly string[], repoId: number): void {
  if (!codes.every((code) => can(caller, code, repoId))) throw fail('access_denied', 'Access denied');
}

type Creation = {
  readonly wireJobs: WireJobs;
  readonly services: Services;
  readonly caller: Caller;
  readonly repoId: number;
  readonly given: JsonObject;
  readonly files: readonly UploadedFile[];
};

async function createJob({ wireJobs, services, caller, repoId, given, files }: Creation): Promise<JsonObject> {
  const object = objectOf(given, 'job');
  if (object === undefined) throw fail('invalid_record', { job: ['Property is required but was missing'] });
  const name = textOf(object, 'jsonmodel_type') ?? textOf(given, 'job_type') ?? '';
  const type = Object.hasOwn(jobTypes, name) ? jobTypes[name] : undefined;
  const declaration = wireJobs.get(name);
  if (type === undefined || declaration === undefined) throw fail('not_found', `No runner found for ${name}`);
  demand(caller, type.create, repoId);
  const checked = checkJobObject(name, type, object);
  if ('problems' in checked) throw fail('invalid_record', checked.problems);
  const params = textOf(given, 'job_params');
  if (params === undefined && (given['job_params'] ?? null) !== null)
    throw fail('invalid_record', {
      job_params: [`Must be a string (you provided a ${wireTypeOf(given['job_params'] ?? null)})`],
    });
  if (name === 'report_job') await checkReport(services, caller, repoId, checked.job, parseJobParams(params));
  const body: JsonObject = {
    jsonmodel_type: 'job',
    job: checked.job,
    ...(params === undefined ? {} : { job_params: params }),
  };
  const payload = WireJobPayload.parse({
    repoId,
    actor: caller.username,
    job: checked.job,
    params: parseJobParams(params),
  });
  const { database, config } = services;
  const diskSpace = await openDiskSpace(database.reader, config.MUNIMENT_DISK_RESERVE_MB * 1e6);
  // One after the other: a request is one sender, and its files are already here.
  const blobs: Blob[] = [];
  for (const file of files)
    blobs.push(
      await writeBlob(database, file.open(), {
        fileName: file.filename,
        mediaType: file.mediaType,
        maxBytes: config.MUNIMENT_MAX_UPLOAD_BYTES,
        diskSpace,
      }),
    );
  const { jobId } = await database.transaction(async (tx) =>
    enqueueJob(tx, declaration, payload, {
      visible: true,
      repoId,
      owner: caller.username,
      body,
      files: blobs.map((blob) => ({ blobId: blob.id, role: 'input' })),
    }),
  );
  return {
    status: 'Created',
    id: jobId,
    lock_version: 0,
    stale: null,
    uri: `/repositories/${repoId}/jobs/${jobId}`,
    warnings: [],
  };
}

/** Refuses parameters of a report that can be told to be wrong now; the job looks again when it runs. */
async function checkReport(
  { database, config }: Services,
  caller: Caller,
  repoId: number,
  job: JsonObject,
  params: JsonObject,
): Promise<void> {
  const code = textOf(job, 'report_type') ?? '';
  const declared = reportOf(code, config.MUNIMENT_CUSTOM_REPORTS);
  if (declared === undefined || !isCheckedAtOnce(declared)) return;
  const { needs } = await chooseReport(database.reader, code, parseReportChoice(declared, params), {
    repoId,
    seesSuppressed: false,
  });
  demand(caller, needs, repoId);
}

const created = {
  200: 'The job is queued.',
  400: 'A parameter of the job is missing or wrong.',
  404: 'No such job type.',
};

type ResolveCall = Pick<Call<unknown, unknown>, 'services' | 'caller'>;

/** Embeds what `resolve` names into jobs or records of jobs. */
async function resolved<T extends JsonObject>(
  call: ResolveCall,
  names: readonly string[],
  records: readonly T[],
): Promise<readonly T[]> {
  if (names.length > 0) {
    await resolveRefs(call.services.database.reader, records, parseResolve(names), {
      seesSuppressed: false,
      mayView: (repoId) => can(call.caller, 'view_repository', repoId),
    });
  }
  return records;
}

function listRoute(path: string, which: JobListing['which'], summary: string, doc: string): Route {
  return defineRoute({
    method: 'GET',
    path,
    area,
    summary,
    doc,
    access: view,
    parameters: { repo_id: repositoryId(), ...listParameters },
    replies: { 200: 'A page of jobs, some jobs, or all ids.' },
    handler: async (call) => {
      const { params, services } = call;
      const listing = { repoId: params.repo_id, which, modifiedSince: params.modified_since };
      const part = toPagination(params);
      if (part.kind === 'all_ids') return listJobIds(services.database.reader, listing);
      const found = await listJobs(services.database.reader, { ...listing, part });
      const results = await resolved(call, params.resolve, found.jobs);
      return part.kind === 'page' ? toPage(part.page, part.pageSize, found.total, results) : results;
    },
  });
}

const list = listRoute(
  '/repositories/:repo_id/jobs',
  'all',
  'List jobs',
  'In order of status, then id; sort_field and sort_direction change nothing.',
);
const archived = listRoute(
  '/repositories/:repo_id/jobs/archived',
  'archived',
  'List jobs that have ended',
  'The last ended first.',
);

const active = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/jobs/active',
  area,
  summary: 'Running and queued jobs',
  access: view,
  parameters: { repo_id: repositoryId(), resolve },
  replies: { 200: 'An array of jobs: running ones, the last changed first, then queued ones, the oldest first.' },
  handler: async (call) =>
    resolved(call, call.params.resolve, await listActiveJobs(call.services.database.reader, call.params.repo_id)),
});

const read = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/jobs/:id',
  area,
  summary: 'Read a job',
  access: view,
  parameters: { ...address, resolve },
  replies: { 200: 'The job.', 404: 'No such job.' },
  handler: async (call) => {
    const job = await readJob(call.services.database.reader, call.params.repo_id, call.params.id);
    await resolved(call, call.params.resolve, [job]);
    return job;
  },
});

const log = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/jobs/:id/log',
  area,
  summary: 'The log of a job',
  access: view,
  doc: 'From a byte offset to the present end: ask again from where you are while the job runs.',
  parameters: { ...address, offset: nonNegative({ default: 0, doc: 'Bytes to leave out at the beginning.' }) },
  replies: {
    200: { says: 'The text from the offset on; empty where there is nothing yet.', contentType: 'text/plain' },
    404: 'No such job.',
  },
  handler: async ({ services, params }) => {
    const { reader } = services.database;
    await readJob(reader, params.repo_id, params.id);
    return logOf(reader, params.id, params.offset);
  },
});

const outputFiles = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/jobs/:id/output_files',
  area,
  summary: 'Ids of the files of a job',
  access: view,
  parameters: address,
  replies: { 200: 'An array of integers: the files that were given and those that were made.', 404: 'No such job.' },
  handler: async ({ services, params }) =>
    (await listJobFiles(services.database.reader, params.repo_id, params.id)).map((file) => file.id),
});

const outputFile = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/jobs/:id/output_files/:file_id',
  area,
  summary: 'A file of a job',
  access: view,
  parameters: { ...address, file_id: id() },
  replies: { 200: { says: 'The bytes.', contentType: 'application/octect-stream' }, 404: 'No such file.' },
  handler: async ({ services, params }) => {
    const { database } = services;
    const file = await readJobFile(database.reader, {
      repoId: params.repo_id,
      jobId: params.id,
      fileId: params.file_id,
    });
    // The misspelling is on the wire (contract 3.3), and clients compare.
    return stream(Readable.from(readBlob(database, file.blobId), { objectMode: false }), 'application/octect-stream', {
      'content-length': String(file.sizeBytes),
      ...(file.fileName === null ? {} : { 'content-disposition': attachment(file.fileName) }),
    });
  },
});

const records = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/jobs/:id/records',
  area,
  summary: 'Records that a job made or changed',
  access: view,
  parameters: { ...address, ...listParameters },
  replies: { 200: 'A page of `{record: {ref}}`, the newest first.', 404: 'No such job.' },
  handler: async (call) => {
    const { params, services } = call;
    await readJob(services.database.reader, params.repo_id, params.id);
    const { page, pageSize } = pageOf(toPagination(params));
    const { total, uris } = await listJobRecords(services.database.reader, params.id, { page, pageSize });
    return toPage(
      page,
      pageSize,
      total,
      await resolved(
        call,
        params.resolve,
        uris.map((ref) => ({ record: { ref } })),
      ),
    );
  },
});

/** Records of a job have no ids of their own, so the other two forms of a listing give the first page, as large as it may be. */
function pageOf(part: ReturnType<typeof toPagination>): { readonly page: number; readonly pageSize: number } {
  return part.kind === 'page' ? part : { page: 1, pageSize: 250 };
}

const cancel = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/jobs/:id/cancel',
  area,
  summary: 'Cancel a job',
  doc: 'A queued or running job is canceled and what it did is undone; one that has ended is left as it is.',
  access: { all: ['cancel_job'] },
  parameters: address,
  replies: { 200: 'The job is canceled, or had ended.', 404: 'No such job.' },
  handler: async ({ services, caller, params }) => {
    const { database } = services;
    const type = await readJobType(database.reader, params.repo_id, params.id);
    demand(caller, typeof type === 'string' ? (jobTypes[type]?.cancel ?? []) : [], params.repo_id);
    return canceled(database, params.id);
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/repositories/:repo_id/jobs/:id',
  area,
  summary: 'Delete a job',
  access: { all: ['cancel_job'] },
  parameters: address,
  replies: { 200: 'The job is deleted; a running one is canceled.', 404: 'No such job.' },
  handler: async ({ services, params }) => {
    await services.database.transaction(async (tx) => deleteJob(tx, params.repo_id, params.id));
    return { status: 'Deleted', id: params.id };
  },
});

const imports = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/jobs/import_types',
  area,
  summary: 'Import formats on offer',
  access: 'public',
  parameters: { repo_id: repositoryId() },
  replies: { 200: 'An array of names and descriptions.' },
  handler: () => importTypes,
});

/** The routes that depend on which job types there are. */
export function makeJobRoutes(wireJobs: WireJobs): readonly Route[] {
  const create = defineRoute({
    method: 'POST',
    path: '/repositories/:repo_id/jobs',
    area,
    summary: 'Start a job',
    doc: 'The body is a `job` whose `job` property names the type (`jsonmodel_type`) and its parameters. Some types need further permissions.',
    access: { all: ['create_job'] },
    parameters: { repo_id: repositoryId() },
    body: jsonBody({
      example: {
        jsonmodel_type: 'job',
        job: { jsonmodel_type: 'report_job', report_type: 'accession_report', format: 'csv' },
      },
    }),
    replies: created,
    handler: async ({ services, caller, params, body }) =>
      createJob({ wireJobs, services, caller, repoId: params.repo_id, given: body, files: [] }),
  });

  const createWithFiles = defineRoute({
    method: 'POST',
    path: '/repositories/:repo_id/jobs_with_files',
    area,
    summary: 'Start a job with uploaded files',
    doc: 'A multipart form: `job` is the JSON text of the job, `files[]` are its files.',
    access: { all: ['create_job'] },
    parameters: { repo_id: repositoryId(), job: jsonParameter({ doc: 'The job as JSON text.' }) },
    body: multipart({ doc: 'The files of the job under `files[]`.' }),
    replies: created,
    handler: async ({ services, caller, params, body }) => {
      const files = body.filter(({ field }) => field === 'files');
      if (files.length === 0) throw fail('bad_parameter', { files: ['Parameter required but no value provided'] });
      return createJob({ wireJobs, services, caller, repoId: params.repo_id, given: params.job, files });
    },
  });

  const types = defineRoute({
    method: 'GET',
    path: '/job_types',
    area,
    summary: 'Job types on offer',
    access: 'public',
    parameters: {},
    replies: { 200: 'An object of types with the permissions to make and cancel jobs of them.' },
    handler: () => {
      const offered = Object.entries(jobTypes).filter(([name, type]) => type.hidden !== true && wireJobs.has(name));
      return Object.fromEntries(
        offered.map(([name, type]) => [name, { create_permissions: type.create, cancel_permissions: type.cancel }]),
      );
    },
  });
  return [create, createWithFiles, types];
}

/** The routes of jobs. */
export const jobRoutes: readonly Route[] = [
  ...makeJobRoutes(declaredWireJobs()),
  list,
  active,
  archived,
  imports,
  read,
  log,
  outputFiles,
  outputFile,
  records,
  cancel,
  remove,
];

// Making jobs as clients do, with and without files (contract trees-and-jobs 3.3). What may be asked for, by whom and with which parameters is in
// the declarations (libs/domain/jobs); the jobs run in the worker.
import { created } from '../openapi/shapes/envelopes.ts';
import { newJob } from '../openapi/shapes/jobs.ts';
import type { Caller } from '#domain/access/caller.ts';
import { can } from '#domain/access/caller.ts';
import { classOf, says, wrongType } from '#domain/checking/wording.ts';
import { fail } from '#domain/errors.ts';
import type { WireJob } from '#domain/job.ts';
import { checkJobObject, parseJobParams } from '#domain/job-parameters.ts';
import { wireJobs } from '#domain/jobs/index.ts';
import { report } from '#domain/jobs/report.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectOf, textOf } from '#domain/json.ts';
import { isCheckedAtOnce, parseReportChoice } from '#domain/reports/choice.ts';
import { reportCodes, reportOf } from '#domain/reports/reports.ts';
import type { Blob } from '#store/files/blobs.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { openDiskSpace } from '#store/files/disk-space.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { chooseReport } from '#store/reports/choose.ts';
import type { UploadedFile } from '../request/body.ts';
import { jsonBody, multipart } from '../request/body.ts';
import { jsonParameter, repositoryId } from '../request/parameters.ts';
import type { Replies, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { Services } from '../services.ts';

const area = 'jobs';

function demand(caller: Caller, codes: readonly string[], repoId: number): void {
  if (!codes.every((code) => can(caller, code, repoId))) throw fail('access_denied', 'Access denied');
}

type Creation = {
  readonly declarations: ReadonlyMap<string, WireJob>;
  readonly services: Services;
  readonly caller: Caller;
  readonly repoId: number;
  readonly given: JsonObject;
  readonly files: readonly UploadedFile[];
};

async function createJob({ declarations, services, caller, repoId, given, files }: Creation): Promise<JsonObject> {
  const object = objectOf(given, 'job');
  if (object === undefined) throw fail('invalid_record', { job: ['Property is required but was missing'] });
  const name = textOf(object, 'jsonmodel_type') ?? textOf(given, 'job_type') ?? '';
  const declaration = declarations.get(name);
  if (declaration === undefined) throw fail('not_found', `No runner found for ${name}`);
  demand(caller, declaration.wire.create, repoId);
  const checked = checkJobObject(declaration.wire, object);
  if ('problems' in checked) throw fail('invalid_record', checked.problems);
  const { text, params } = readParams(given);
  if (name === report.wire.name) await checkReport(services, caller, repoId, checked.job, params);
  const body: JsonObject = {
    jsonmodel_type: 'job',
    job: checked.job,
    ...(text === undefined ? {} : { job_params: text }),
  };
  const payload = declaration.payload.parse({ repoId, actor: caller.username, job: checked.job, params });
  const blobs = await storeFiles(services, files);
  const { jobId } = await services.database.transaction(async (tx) =>
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

/** `job_params`: the text as it was sent, and what it says. */
function readParams(given: JsonObject): { readonly text: string | undefined; readonly params: JsonObject } {
  const text = textOf(given, 'job_params');
  if (text === undefined && (given['job_params'] ?? null) !== null)
    throw fail('invalid_record', {
      job_params: [wrongType(['string'], classOf(given['job_params']))],
    });
  return { text, params: parseJobParams(text) };
}

/** Stores the files one after the other: a request is one sender, and its files are already here. */
async function storeFiles({ database, config }: Services, files: readonly UploadedFile[]): Promise<readonly Blob[]> {
  const diskSpace = await openDiskSpace(database.reader, config.MUNIMENT_DISK_RESERVE_MB * 1e6);
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
  return blobs;
}

/** Refuses a report that there is not, and parameters that can be told to be wrong now; the job looks again when it runs. */
async function checkReport(
  { database, config }: Services,
  caller: Caller,
  repoId: number,
  job: JsonObject,
  params: JsonObject,
): Promise<void> {
  const code = textOf(job, 'report_type') ?? '';
  const declared = reportOf(code, config.MUNIMENT_CUSTOM_REPORTS);
  if (declared === undefined)
    throw fail('invalid_record', { report_type: [says.outside(code, reportCodes(config.MUNIMENT_CUSTOM_REPORTS))] });
  if (!isCheckedAtOnce(declared)) return;
  const { needs } = await chooseReport(database.reader, code, parseReportChoice(declared, params), {
    repoId,
    seesSuppressed: false,
  });
  demand(caller, needs, repoId);
}

const replies: Replies = {
  200: { says: 'The job is queued.', shape: created },
  400: 'A parameter of the job is missing or wrong.',
  404: 'No such job type.',
};

/** The routes for these declarations. */
export function makeNewJobRoutes(declarations: ReadonlyMap<string, WireJob>): readonly Route[] {
  const create = defineRoute({
    method: 'POST',
    path: '/repositories/:repo_id/jobs',
    operation: 'createJob',
    area,
    summary: 'Start a job',
    doc: 'The body is a `job` whose `job` property names the type (`jsonmodel_type`) and its parameters. Some types need further permissions.',
    access: { all: ['create_job'] },
    parameters: { repo_id: repositoryId() },
    body: jsonBody({
      shape: newJob,
      example: {
        jsonmodel_type: 'job',
        job: { jsonmodel_type: 'report_job', report_type: 'accession_report', format: 'csv' },
      },
    }),
    replies,
    handler: async ({ services, caller, params, body }) =>
      createJob({ declarations, services, caller, repoId: params.repo_id, given: body, files: [] }),
  });

  const createWithFiles = defineRoute({
    method: 'POST',
    path: '/repositories/:repo_id/jobs_with_files',
    operation: 'createJobWithFiles',
    area,
    summary: 'Start a job with uploaded files',
    doc: 'A multipart form: `job` is the JSON text of the job, `files[]` are its files.',
    access: { all: ['create_job'] },
    parameters: {
      repo_id: repositoryId(),
      job: jsonParameter({
        doc: 'The job as JSON text.',
        example: {
          jsonmodel_type: 'job',
          job: { jsonmodel_type: 'import_job', import_type: 'ead_xml', filenames: ['harbour.xml'] },
        },
      }),
    },
    body: multipart({
      doc: 'The files of the job under `files[]`.',
      exampleFile: 'test/fixtures/formats/ead/harbour.xml',
    }),
    replies,
    handler: async ({ services, caller, params, body }) => {
      const files = body.filter(({ field }) => field === 'files');
      if (files.length === 0) throw fail('bad_parameter', { files: ['Parameter required but no value provided'] });
      return createJob({ declarations, services, caller, repoId: params.repo_id, given: params.job, files });
    },
  });

  return [create, createWithFiles];
}

/** The routes of this file. */
export const newJobRoutes: readonly Route[] = makeNewJobRoutes(wireJobs);

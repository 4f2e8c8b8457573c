// What a job of a repository leaves: its log, its files, and the list of records that it made or changed (contract trees-and-jobs 3.3).
import { shape } from '../openapi/shape.ts';
import { jobRecord } from '../openapi/shapes/jobs.ts';
import { can } from '#domain/access/caller.ts';
import { maySeeSuppressed } from '#domain/access/suppression.ts';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { wireJobs } from '#domain/jobs/index.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectOf, objectsOf, textOf } from '#domain/json.ts';
import type { Reader } from '#store/connection/database.ts';
import { listJobFiles, listJobRecords, readJob } from '#store/queue/client-jobs.ts';
import { requireShown } from '#store/records/reading/read.ts';
import type { Viewer } from '#store/records/reading/viewer.ts';
import { fileOf, jobFileType } from '../record-routes/job-file.ts';
import { logOf, withResolved } from '../record-routes/jobs.ts';
import { seesConfidential } from '../record-routes/viewing.ts';
import { listParameters, toPage, toPagination } from '../request/pagination.ts';
import { id, nonNegative, repositoryId } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

const area = 'jobs';
const view = { all: ['view_repository'] } as const;
const address = { repo_id: repositoryId(), id: id() };

const log = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/jobs/:id/log',
  operation: 'getJobLog',
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
  operation: 'listJobFiles',
  area,
  summary: 'Ids of the files of a job',
  access: view,
  parameters: address,
  replies: {
    200: { says: 'The files that were given and those that were made.', shape: shape.list(shape.integer) },
    404: 'No such job.',
  },
  handler: async ({ services, params }) =>
    (await listJobFiles(services.database.reader, params.repo_id, params.id)).map((file) => file.id),
});

/** Fails with `not_found` where one of the records that a job is about is hidden from the viewer: its files tell what is in it. */
async function requireNamedShown(reader: Reader, job: JsonObject, viewer: Viewer): Promise<void> {
  const named = objectsOf(objectOf(job, 'reason'), 'records').flatMap(
    (record) => parseUri(textOf(record, 'ref') ?? '') ?? [],
  );
  // Ten at most, and mostly one.
  for (const { kind, id, repoId } of named)
    if (repoId !== null) await requireShown(reader, kindNamed(kind), [id], viewer);
}

const outputFile = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/jobs/:id/output_files/:file_id',
  operation: 'getJobFile',
  area,
  summary: 'A file of a job',
  doc: 'Files of reports about users and of contact details are for those who may make such a report, finding aids that show how the repository can be reached for those who see contact details. What was printed of a record that is suppressed by now is for those who may see it, and so are files in which suppressed records may stand, as whoever had them made sees these.',
  access: view,
  parameters: { ...address, file_id: id() },
  replies: { 200: { says: 'The bytes.', contentType: jobFileType }, 404: 'No such file.' },
  handler: async ({ services, caller, params: { repo_id: repoId, id: jobId, file_id: fileId } }) => {
    const made = await readJob(services.database.reader, repoId, jobId);
    const wire = wireJobs.get(textOf(made, 'job_type') ?? '')?.wire;
    const result = made['result'] ?? null;
    const codes = wire?.filesNeed?.(objectOf(made, 'job') ?? {}, result) ?? [];
    const isHidden = wire?.filesShowContacts?.(result) === true && !seesConfidential({ caller, services });
    if (isHidden || !codes.every((code) => can(caller, code, repoId))) throw fail('access_denied', 'Access denied');
    const sees = maySeeSuppressed(caller, repoId);
    await requireNamedShown(services.database.reader, made, { seesSuppressed: sees });
    return fileOf(services.database, { repoId, jobId, fileId }, sees);
  },
});

const records = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/jobs/:id/records',
  operation: 'listJobRecords',
  area,
  summary: 'Records that a job made or changed',
  access: view,
  parameters: { ...address, ...listParameters },
  replies: {
    200: { says: 'A page of `{record: {ref}}`, the newest first.', shape: shape.page(jobRecord) },
    404: 'No such job.',
  },
  handler: async (call) => {
    const { params, services } = call;
    await readJob(services.database.reader, params.repo_id, params.id);
    const { page, pageSize } = pageOf(toPagination(params));
    const { total, uris } = await listJobRecords(services.database.reader, params.id, { page, pageSize });
    return toPage(
      page,
      pageSize,
      total,
      await withResolved(
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

/** The routes of this file. */
export const jobFileRoutes: readonly Route[] = [log, outputFiles, outputFile, records];

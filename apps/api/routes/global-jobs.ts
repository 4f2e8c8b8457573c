// Jobs that belong to no repository: merges of agents, subjects and container profiles, the deletion of a repository, and indexing anew. Requests that stand on
// them answer `Prefer: respond-async` with these addresses. They are for who made the job, and for administrators.
import { shape } from '../openapi/shape.ts';
import { touched } from '../openapi/shapes/envelopes.ts';
import { job } from '../openapi/shapes/jobs.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { can } from '#domain/access/caller.ts';
import { listJobFiles, listJobIds, listJobs, readJob } from '#store/queue/client-jobs.ts';
import { listParameters, toPage, toPagination } from '../request/pagination.ts';
import { id, nonNegative } from '../request/parameters.ts';
import type { Call, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { fileOf, jobFileType } from '../record-routes/job-file.ts';
import { canceled, logOf, withResolved } from '../record-routes/jobs.ts';

const area = 'jobs';
const doc =
  'For jobs of no repository: merges of records that belong to none, the deletion of a repository, and making the search index anew. Only its owner and administrators may.';

/** The job, where the caller may know it. */
async function ownJob(
  { services, caller }: Pick<Call<unknown, unknown>, 'services' | 'caller'>,
  jobId: number,
): Promise<JsonObject> {
  const job = await readJob(services.database.reader, null, jobId);
  if (job['owner'] !== caller.username && !can(caller, 'administer_system', null))
    throw fail('access_denied', 'Access denied');
  return job;
}

const list = defineRoute({
  method: 'GET',
  path: '/jobs',
  operation: 'listGlobalJobs',
  area,
  summary: 'List jobs of no repository',
  doc: 'An addition of Muniment: merges of records that belong to none, the deletion of a repository, and making the search index anew, also by the clock. Administrators see all, others their own, in order of status, then id.',
  access: 'session',
  parameters: listParameters,
  replies: { 200: { says: 'A page of jobs, some jobs, or all ids.', shape: shape.listing(job) } },
  handler: async (call) => {
    const { params, caller } = call;
    const { reader } = call.services.database;
    const listing = {
      repoId: null,
      which: 'all',
      modifiedSince: params.modified_since,
      ...(can(caller, 'administer_system', null) ? {} : { owner: caller.username }),
    } as const;
    const part = toPagination(params);
    if (part.kind === 'all_ids') return listJobIds(reader, listing);
    const found = await listJobs(reader, { ...listing, part });
    const results = await withResolved(call, params.resolve, found.jobs);
    return part.kind === 'page' ? toPage(part.page, part.pageSize, found.total, results) : results;
  },
});

const read = defineRoute({
  method: 'GET',
  path: '/jobs/:id',
  operation: 'getGlobalJob',
  area,
  summary: 'Read a job of no repository',
  doc,
  access: 'session',
  parameters: { id: id() },
  replies: { 200: { says: 'The job.', shape: job }, 404: 'Job not found' },
  handler: (call) => ownJob(call, call.params.id),
});

const log = defineRoute({
  method: 'GET',
  path: '/jobs/:id/log',
  operation: 'getGlobalJobLog',
  area,
  summary: 'The log of a job of no repository',
  doc,
  access: 'session',
  parameters: { id: id(), offset: nonNegative({ default: 0, doc: 'Bytes to leave out at the beginning.' }) },
  replies: {
    200: { says: 'The text from the offset on; empty where there is nothing yet.', contentType: 'text/plain' },
    404: 'Job not found',
  },
  handler: async (call) => {
    await ownJob(call, call.params.id);
    return logOf(call.services.database.reader, call.params.id, call.params.offset);
  },
});

const outputFiles = defineRoute({
  method: 'GET',
  path: '/jobs/:id/output_files',
  operation: 'listGlobalJobFiles',
  area,
  summary: 'Ids of the files of a job of no repository',
  doc: `${doc} A migration has \`problems.ndjson\` there, where something could not be read.`,
  access: 'session',
  parameters: { id: id() },
  replies: {
    200: { says: 'The files that were given and those that were made.', shape: shape.list(shape.integer) },
    404: 'Job not found',
  },
  handler: async (call) => {
    await ownJob(call, call.params.id);
    return (await listJobFiles(call.services.database.reader, null, call.params.id)).map((file) => file.id);
  },
});

const outputFile = defineRoute({
  method: 'GET',
  path: '/jobs/:id/output_files/:file_id',
  operation: 'getGlobalJobFile',
  area,
  summary: 'A file of a job of no repository',
  doc,
  access: 'session',
  parameters: { id: id(), file_id: id() },
  replies: { 200: { says: 'The bytes.', contentType: jobFileType }, 404: 'No such job or file.' },
  handler: async (call) => {
    await ownJob(call, call.params.id);
    const address = { repoId: null, jobId: call.params.id, fileId: call.params.file_id };
    // They are for their owner and administrators alone.
    return fileOf(call.services.database, address, true);
  },
});

const cancel = defineRoute({
  method: 'POST',
  path: '/jobs/:id/cancel',
  operation: 'cancelGlobalJob',
  area,
  summary: 'Cancel a job of no repository',
  doc,
  access: 'session',
  parameters: { id: id() },
  replies: { 200: { says: 'The job is canceled, or had ended.', shape: touched }, 404: 'Job not found' },
  handler: async (call) => {
    await ownJob(call, call.params.id);
    return canceled(call.services.database, call.params.id);
  },
});

/** The routes of this file. */
export const globalJobRoutes: readonly Route[] = [list, read, log, outputFiles, outputFile, cancel];

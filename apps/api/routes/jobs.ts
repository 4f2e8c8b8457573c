// Jobs of a repository: listed, read, canceled and deleted (contract trees-and-jobs 3.1, 3.3). Making them is in new-jobs.ts, what they leave in
// job-files.ts.
import { shape } from '../openapi/shape.ts';
import { deleted, touched } from '../openapi/shapes/envelopes.ts';
import { job } from '../openapi/shapes/jobs.ts';
import { can } from '#domain/access/caller.ts';
import { fail } from '#domain/errors.ts';
import { wireJobs } from '#domain/jobs/index.ts';
import type { JobListing } from '#store/queue/client-jobs.ts';
import { deleteJob, listActiveJobs, listJobIds, listJobs, readJob, readJobType } from '#store/queue/client-jobs.ts';
import { canceled, withResolved } from '../record-routes/jobs.ts';
import { listParameters, toPage, toPagination } from '../request/pagination.ts';
import { id, repositoryId, resolve } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

const area = 'jobs';
const view = { all: ['view_repository'] } as const;
const address = { repo_id: repositoryId(), id: id() };

function listRoute(path: string, operation: string, which: JobListing['which'], summary: string, doc: string): Route {
  return defineRoute({
    method: 'GET',
    path,
    operation,
    area,
    summary,
    doc,
    access: view,
    parameters: { repo_id: repositoryId(), ...listParameters },
    replies: { 200: { says: 'A page of jobs, some jobs, or all ids.', shape: shape.listing(job) } },
    handler: async (call) => {
      const { params, services } = call;
      const listing = { repoId: params.repo_id, which, modifiedSince: params.modified_since };
      const part = toPagination(params);
      if (part.kind === 'all_ids') return listJobIds(services.database.reader, listing);
      const found = await listJobs(services.database.reader, { ...listing, part });
      const results = await withResolved(call, params.resolve, found.jobs);
      return part.kind === 'page' ? toPage(part.page, part.pageSize, found.total, results) : results;
    },
  });
}

const list = listRoute(
  '/repositories/:repo_id/jobs',
  'listJobs',
  'all',
  'List jobs',
  'In order of status, then id; sort_field and sort_direction change nothing.',
);
const archived = listRoute(
  '/repositories/:repo_id/jobs/archived',
  'listEndedJobs',
  'archived',
  'List jobs that have ended',
  'The last ended first.',
);

const active = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/jobs/active',
  operation: 'listActiveJobs',
  area,
  summary: 'Running and queued jobs',
  access: view,
  parameters: { repo_id: repositoryId(), resolve },
  replies: {
    200: {
      says: 'Running ones, the last changed first, then queued ones, the oldest first.',
      shape: shape.list(job),
    },
  },
  handler: async (call) =>
    withResolved(call, call.params.resolve, await listActiveJobs(call.services.database.reader, call.params.repo_id)),
});

const read = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/jobs/:id',
  operation: 'getJob',
  area,
  summary: 'Read a job',
  access: view,
  parameters: { ...address, resolve },
  replies: { 200: { says: 'The job.', shape: job }, 404: 'No such job.' },
  handler: async (call) => {
    const job = await readJob(call.services.database.reader, call.params.repo_id, call.params.id);
    await withResolved(call, call.params.resolve, [job]);
    return job;
  },
});

const cancel = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/jobs/:id/cancel',
  operation: 'cancelJob',
  area,
  summary: 'Cancel a job',
  doc: 'A queued or running job is canceled and what it did is undone; one that has ended is left as it is.',
  access: { all: ['cancel_job'] },
  parameters: address,
  replies: { 200: { says: 'The job is canceled, or had ended.', shape: touched }, 404: 'No such job.' },
  handler: async ({ services, caller, params }) => {
    const { database } = services;
    const type = await readJobType(database.reader, params.repo_id, params.id);
    const codes = wireJobs.get(type)?.wire.cancel ?? [];
    if (!codes.every((code) => can(caller, code, params.repo_id))) throw fail('access_denied', 'Access denied');
    return canceled(database, params.id);
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/repositories/:repo_id/jobs/:id',
  operation: 'deleteJob',
  area,
  summary: 'Delete a job',
  access: { all: ['cancel_job'] },
  parameters: address,
  replies: { 200: { says: 'The job is deleted; a running one is canceled.', shape: deleted }, 404: 'No such job.' },
  handler: async ({ services, params }) => {
    await services.database.transaction(async (tx) => deleteJob(tx, params.repo_id, params.id));
    return { status: 'Deleted', id: params.id };
  },
});

/** The routes of this file. */
export const jobRoutes: readonly Route[] = [list, active, archived, read, cancel, remove];

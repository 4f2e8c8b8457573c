// Jobs that belong to no repository: merges of agents, subjects and container profiles, and the deletion of a repository. Requests that stand on
// them answer `Prefer: respond-async` with these addresses. They are for who made the job, and for administrators.
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { can } from '#domain/access/caller.ts';
import { readJob } from '#store/queue/client-jobs.ts';
import { id, nonNegative } from '../request/parameters.ts';
import type { Call, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { canceled, logOf } from '../record-routes/jobs.ts';

const area = 'jobs';
const doc =
  'For jobs of no repository: merges of records that belong to none, and the deletion of a repository. Only its owner and administrators may.';

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

const read = defineRoute({
  method: 'GET',
  path: '/jobs/:id',
  area,
  summary: 'Read a job of no repository',
  doc,
  access: 'session',
  parameters: { id: id() },
  replies: { 200: 'The job.', 404: 'Job not found' },
  handler: (call) => ownJob(call, call.params.id),
});

const log = defineRoute({
  method: 'GET',
  path: '/jobs/:id/log',
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

const cancel = defineRoute({
  method: 'POST',
  path: '/jobs/:id/cancel',
  area,
  summary: 'Cancel a job of no repository',
  doc,
  access: 'session',
  parameters: { id: id() },
  replies: { 200: 'The job is canceled, or had ended.', 404: 'Job not found' },
  handler: async (call) => {
    await ownJob(call, call.params.id);
    return canceled(call.services.database, call.params.id);
  },
});

/** The routes of this file. */
export const globalJobRoutes: readonly Route[] = [read, log, cancel];

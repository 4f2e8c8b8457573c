// The search index as operators see it: how far it is behind, and making it anew. Additions of Muniment.
import { fail } from '#domain/errors.ts';
import { reindex, reindexPermissions } from '#domain/jobs/reindex.ts';
import { indexedKinds } from '#domain/search/declared.ts';
import { jobUri } from '#store/queue/client-jobs.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { readIndexLag } from '#store/search/pending.ts';
import { boolean, listOf, optionalRepositoryId, text } from '../request/parameters.ts';
import { json } from '../reply/reply.ts';
import { defineRoute } from '../route.ts';
import type { Route } from '../route.ts';

const area = 'search';

const status = defineRoute({
  method: 'GET',
  path: '/system/index-status',
  area,
  summary: 'How far the search index is behind',
  access: { any: ['index_system', 'administer_system'] },
  parameters: {},
  replies: {
    200: {
      says: 'Changes not yet looked at, records due at once and in bulk, and the age of the oldest single change that waits.',
      example: { waiting_seconds: 0.02, changes: 0, due: 1, due_bulk: 0, fans: 0 },
    },
  },
  handler: async (call) => {
    const { entries, pending, pendingBulk, dependents, waitingSeconds } = await readIndexLag(call.services.database);
    return { waiting_seconds: waitingSeconds, changes: entries, due: pending, due_bulk: pendingBulk, fans: dependents };
  },
});

const start = defineRoute({
  method: 'POST',
  path: '/system/reindex',
  area,
  summary: 'Make the search index anew',
  access: { any: [...reindexPermissions] },
  doc: 'Starts a job that makes search documents anew from the records, of a kind, of a repository, or all. Searching goes on, and single changes are indexed first. A document that is there as it would be written stays; `rewrite` writes it all the same, of everything into an index beside the live one, which takes its place at the end.',
  parameters: {
    repo_id: optionalRepositoryId('Only the records of this repository.'),
    kind: listOf(text())({ optional: true, doc: 'Only records of these kinds, such as resource.' }),
    rewrite: boolean({
      default: false,
      doc: 'Whether documents are written also where nothing has changed: for an index that is in doubt.',
    }),
  },
  replies: {
    202: {
      says: 'The job has been made; at its address it is followed and canceled.',
      example: { status: 'Accepted', id: 12, uri: '/jobs/12' },
    },
    400: 'A kind that is not indexed.',
  },
  handler: async (call) => {
    const { repo_id: repoId, kind, rewrite } = call.params;
    const unknown = (kind ?? []).filter((name) => !indexedKinds.has(name));
    if (unknown.length > 0) throw fail('bad_parameter', { kind: unknown.map((name) => `'${name}' is not indexed`) });
    const payload = { kinds: kind === null ? null : [...kind], repoId, rewrite };
    const { jobId } = await call.services.database.transaction((tx) =>
      enqueueJob(tx, reindex, payload, { visible: true, owner: call.caller.username }),
    );
    const uri = jobUri(null, jobId);
    return json({ status: 'Accepted', id: jobId, uri }, 202, { location: uri });
  },
});

/** The routes of this file. */
export const searchIndexRoutes: readonly Route[] = [status, start];

// The search index as operators see it: how far it is behind, and making it anew. Additions of Muniment.
import { shape } from '../openapi/shape.ts';
import { madeJobReply } from '../openapi/shapes/envelopes.ts';
import { fail } from '#domain/errors.ts';
import { reindex, reindexMailbox, reindexPermissions } from '#domain/jobs/reindex.ts';
import { indexedKinds } from '#domain/search/declared.ts';
import { readFirstOf } from '#store/queue/client-jobs.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { readIndexLag } from '#store/search/lag.ts';
import { boolean, listOf, optionalRepositoryId, text } from '../request/parameters.ts';
import { madeJob } from '../record-routes/jobs.ts';
import { defineRoute } from '../route.ts';
import type { Route } from '../route.ts';

const area = 'search';

const status = defineRoute({
  method: 'GET',
  path: '/system/index-status',
  operation: 'getIndexStatus',
  area,
  summary: 'How far the search index is behind',
  access: { any: ['index_system', 'administer_system'] },
  parameters: {},
  replies: {
    200: {
      says: 'Changes not yet looked at, records due at once and in bulk, fans of records that are still to become due, about how many records all that is, the age of the oldest change that waits, how long all takes at the pace of the last minutes (null where that is not known), and the job that makes the index anew or is the next to do so.',
      shape: shape.object({
        waiting_seconds: shape.nullable(shape.number),
        changes: shape.integer,
        due: shape.integer,
        due_bulk: shape.integer,
        fans: shape.integer,
        records: shape.integer,
        seconds_left: shape.nullable(shape.number),
        job: shape.nullable(shape.object({ id: shape.integer, uri: shape.uri, status: shape.text })),
      }),
      example: {
        waiting_seconds: 0.02,
        changes: 0,
        due: 1,
        due_bulk: 0,
        fans: 0,
        records: 1,
        seconds_left: 0.01,
        job: null,
      },
    },
  },
  handler: async (call) => {
    const { database } = call.services;
    const [lag, job] = await Promise.all([readIndexLag(database), readFirstOf(database.reader, reindexMailbox)]);
    // What is told to be in the index is found by the next search, whichever server answers it.
    await call.services.replicas?.settled();
    return {
      waiting_seconds: lag.waitingSeconds,
      changes: lag.entries,
      due: lag.pending,
      due_bulk: lag.pendingBulk,
      fans: lag.dependents,
      records: lag.records,
      seconds_left: lag.secondsLeft,
      job,
    };
  },
});

const start = defineRoute({
  method: 'POST',
  path: '/system/reindex',
  operation: 'startReindex',
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
    ...madeJobReply(),
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
    return madeJob(jobId);
  },
});

/** The routes of this file. */
export const searchIndexRoutes: readonly Route[] = [status, start];

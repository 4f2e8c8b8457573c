// Deleting several records at once, all or none (contract 5.7).
import { shape } from '../openapi/shape.ts';
import { acceptedReply } from '../openapi/shapes/envelopes.ts';
import { Failure, fail } from '#domain/errors.ts';
import { directlyDeleted } from '#domain/jobs/delete-record.ts';
import { deleteRecords } from '#domain/jobs/delete-records.ts';
import type { JsonObject } from '#domain/json.ts';
import { can } from '#domain/access/caller.ts';
import type { Named, NamedRefusal } from '#store/records/deleting/batch-delete.ts';
import { batchFailure, deleteAllNamed, isManyToDelete, readNamed } from '#store/records/deleting/batch-delete.ts';
import { goneRepository } from '#store/records/writing/home.ts';
import { changeAccess, denied, refuseAdministrator } from '../access/accounts.ts';
import { auditedBy } from '../access/audit.ts';
import { mayDeletePreference } from '../access/preferences.ts';
import { doJob, joinJob } from '../record-routes/jobs.ts';
import { listOf, text } from '../request/parameters.ts';
import { deletedReply } from '../reply/envelopes.ts';
import type { Reply } from '../reply/reply.ts';
import type { Call, Route } from '../route.ts';
import { defineRoute } from '../route.ts';

const batchDelete = defineRoute({
  method: 'POST',
  path: '/batch_delete',
  operation: 'deleteRecords',
  area: 'batch deletes',
  summary: 'Delete several records',
  doc: 'Deletes each record as its own DELETE would, with its own permission, in one transaction: where one fails, nothing is deleted and `failures` says what each failed for. A record may be named together with one that it is below.',
  // Each record asks for its own permission in the handler; a caller without a session gets a failure for each.
  access: 'public',
  repeatable: true,
  parameters: {
    record_uris: listOf(text())({ doc: 'Uris of the records.', example: ['/repositories/2/accessions/1'] }),
  },
  replies: {
    200: {
      says: 'All are deleted.',
      shape: shape.object({
        status: shape.oneOf('OK'),
        results: shape.list(shape.object({ status: shape.oneOf('Deleted'), id: shape.integer, uri: shape.uri })),
      }),
      example: { status: 'OK', results: [{ status: 'Deleted', id: 1, uri: '/repositories/2/accessions/1' }] },
    },
    ...acceptedReply,
    403: 'One could not be deleted: `failures` has a `response` for each such uri; nothing is deleted.',
  },
  handler: async (call) => {
    const uris = call.params.record_uris;
    const joined = await joinJob(call, null);
    if (joined !== null) return joined;
    const judged = await Promise.all([...new Set(uris)].map((uri) => judge(call, uri)));
    const refused = judged.filter((each) => 'failure' in each);
    if (refused.length > 0) throw batchFailure(refused);
    const named = judged.filter((each) => 'kind' in each);
    const ids = new Map(named.map(({ uri, id }) => [uri, id]));
    const answer = {
      status: 'OK',
      results: uris.map((uri): JsonObject => ({ ...deletedReply(ids.get(uri) ?? 0), uri })),
    };
    return (await removeAll(call, named, answer)) ?? answer;
  },
});

/** Deletes records at once, or many by a job (decision 0022); gives the reply where a job does it that the client does not wait for. */
async function removeAll(
  call: Call<unknown, unknown>,
  named: readonly Named[],
  promise: JsonObject,
): Promise<Reply | null> {
  const { services } = call;
  const by = auditedBy(call);
  if (!(await isManyToDelete(services.database.reader, named, directlyDeleted))) {
    await changeAccess(services, (tx) => deleteAllNamed(tx, named, by));
    services.preferences.forget();
    return null;
  }
  // The job is in no repository: of those that go, the jobs go with them.
  const payload = { uris: named.map(({ uri }) => uri), by };
  const early = await doJob(call, deleteRecords, payload, { owner: by.actor }, { promise });
  services.sessionStore.forget();
  services.repositories.forget();
  services.preferences.forget();
  return early;
}

type Judging = Pick<Call<unknown, unknown>, 'caller' | 'services'>;

/** What a uri names, or why the caller may not delete it: the checks that a DELETE of it makes before its handler. */
async function judge(call: Judging, uri: string): Promise<Named | NamedRefusal> {
  const named = readNamed(uri);
  const may = named?.kind.may.delete;
  if (named === null || may === undefined) return { uri, failure: fail('not_found', 'Not found') };
  const { kind } = named;
  const repoId = kind.name === 'repository' ? named.id : named.repoId;
  if (repoId !== null && !(await call.services.repositoryExists(repoId))) return { uri, failure: goneRepository() };
  if (!can(call.caller, may, repoId)) return { uri, failure: fail('access_denied', 'Access denied') };
  const demand = furtherDemands[kind.name];
  if (demand === undefined) return named;
  return demand(call, named).then(
    () => named,
    (error: unknown): NamedRefusal => {
      if (!(error instanceof Failure) || error.status >= 500) throw error;
      return { uri, failure: error };
    },
  );
}

/** What the DELETE of some kinds asks beyond the permission: these fail for who may not. */
const furtherDemands: { readonly [kind: string]: (call: Judging, named: Named) => Promise<void> } = {
  user: (call, { id }) => refuseAdministrator(call, id),
  preference: async (call, { id, repoId }) => {
    if (!(await mayDeletePreference(call, id, repoId ?? 0))) throw denied();
  },
};

/** The routes of this file. */
export const batchDeleteRoutes: readonly Route[] = [batchDelete];

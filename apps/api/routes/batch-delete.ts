// Deleting several records at once, all or none (contract 5.7).
import { shape } from '../openapi/shape.ts';
import { parseUri, kindNamed } from '#domain/addresses.ts';
import type { Failure } from '#domain/errors.ts';
import { fail, toWireBody } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { can } from '#domain/access/caller.ts';
import type { AuditEvent } from '#store/access/audit.ts';
import type { Named, NamedRefusal } from '#store/records/deleting/batch-delete.ts';
import { deleteNamed } from '#store/records/deleting/batch-delete.ts';
import { audit } from '../access/audit.ts';
import { changeAccess, refuseAdministrator } from '../access/accounts.ts';
import { listOf, text } from '../request/parameters.ts';
import { deletedReply } from '../reply/envelopes.ts';
import type { Call, Route } from '../route.ts';
import { defineRoute } from '../route.ts';

// Deletions that the audit log tells of.
const accountEvents: { readonly [kind: string]: AuditEvent } = { user: 'user_deleted', group: 'group_deleted' };

// A repository among them may take long.
const longMs = 600_000;

const batchDelete = defineRoute({
  method: 'POST',
  path: '/batch_delete',
  operation: 'deleteRecords',
  area: 'batch deletes',
  summary: 'Delete several records',
  doc: 'Deletes each record as its own DELETE would, with its own permission, in one transaction: where one fails, nothing is deleted and `failures` says what each failed for. A record may be named together with one that it is below.',
  // Each record asks for its own permission in the handler; a caller without a session gets a failure for each.
  access: 'public',
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
    403: 'One could not be deleted: `failures` has a `response` for each such uri; nothing is deleted.',
  },
  handler: async (call) => {
    const uris = call.params.record_uris;
    const judged = await Promise.all([...new Set(uris)].map((uri) => judge(call, uri)));
    const refused = judged.flatMap((each) => ('failure' in each ? [each] : []));
    if (refused.length > 0) throw failed(refused);
    const named = judged.flatMap((each) => ('kind' in each ? [each] : []));
    await changeAccess(
      call.services,
      async (tx) => {
        const refusals = await deleteNamed(tx, named, call.caller.username);
        if (refusals.length > 0) throw failed(refusals);
        for (const { uri, kind } of named) {
          const event = accountEvents[kind.name];
          if (event !== undefined) await audit(tx, call, { event, subject: uri });
        }
      },
      { statementTimeoutMs: longMs },
    );
    const ids = new Map(named.map(({ uri, id }) => [uri, id]));
    return { status: 'OK', results: uris.map((uri): JsonObject => ({ ...deletedReply(ids.get(uri) ?? 0), uri })) };
  },
});

type Judging = Pick<Call<unknown, unknown>, 'caller' | 'services'>;

/** What a uri names, or why the caller may not delete it: the checks that a DELETE of it makes before its handler. */
async function judge(call: Judging, uri: string): Promise<Named | NamedRefusal> {
  const address = parseUri(uri);
  const kind = address === null ? null : kindNamed(address.kind);
  if (address === null || kind?.may.delete === undefined) return { uri, failure: fail('not_found', 'Not found') };
  const named: Named = { uri, kind, id: address.id, repoId: address.repoId };
  const repoId = kind.name === 'repository' ? address.id : address.repoId;
  if (repoId !== null && !(await call.services.repositoryExists(repoId)))
    return { uri, failure: fail('bad_parameter', { repo_id: ['Failed validation -- The Repository must exist'] }) };
  if (!can(call.caller, kind.may.delete, repoId)) return { uri, failure: fail('access_denied', 'Access denied') };
  if (kind.name !== 'user') return named;
  return refuseAdministrator(call, address.id).then(
    () => named,
    (failure: Failure): NamedRefusal => ({ uri, failure }),
  );
}

/** The answer of a batch in which any failed: each failure as its own DELETE would have answered it. */
function failed(refusals: readonly NamedRefusal[]): Failure {
  return fail('access_denied', {
    failures: refusals.map(({ uri, failure }) => ({ response: [`${JSON.stringify(toWireBody(failure))}\n`], uri })),
  });
}

/** The routes of this file. */
export const batchDeleteRoutes: readonly Route[] = [batchDelete];

// Transfers of records to another repository (contract 5.3): kinds that declare the permission have the route. A job in the mailbox of the
// repository that it takes from, which the request waits for.
import { shape } from '../openapi/shape.ts';
import { acceptedReply } from '../openapi/shapes/envelopes.ts';
import { areaOf, operationName } from './names.ts';
import { fail } from '#domain/errors.ts';
import { transferRecord } from '#domain/jobs/transfer-record.ts';
import type { Kind } from '#domain/kind.ts';
import { globalRepoId, can } from '#domain/access/caller.ts';
import { lockVersionOf } from '#store/records/reading/read.ts';
import { id, repositoryId, text } from '../request/parameters.ts';
import type { Call, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { doJob, joinJob } from './jobs.ts';
import { viewerOf } from './viewing.ts';

/** The parameter that names the target. */
export const targetRepo = text({ doc: 'Uri of the repository to move to.' });

/**
 * The id of the repository that `target_repo` names. Fails with `bad_parameter` where it is none, and with `access_denied` where the
 * caller lacks the permission there.
 */
export async function targetRepoId(
  call: Pick<Call<unknown, unknown>, 'services' | 'caller'>,
  uri: string,
  permission: string,
): Promise<number> {
  const repoId = Number(/^\/repositories\/(\d{1,9})$/.exec(uri)?.[1] ?? 0);
  if (repoId === globalRepoId || !(await call.services.repositoryExists(repoId)))
    throw fail('bad_parameter', { target_repo: ['Repository not found'] });
  if (!can(call.caller, permission, repoId)) throw fail('access_denied', 'Access denied');
  return repoId;
}

/** The transfer route of a kind, or none. */
export function transferRoutes(kind: Kind): readonly Route[] {
  const permission = kind.may.transfer;
  if (permission === undefined) return [];
  return [
    defineRoute({
      method: 'POST',
      path: `${kind.uri}/transfer`,
      operation: `transfer${operationName(kind)}`,
      area: areaOf(kind),
      summary: 'Move to another repository',
      doc: 'Moves the record with its components, and the digital objects, top containers, events and assessments that belong to it alone. Its id stays. Needs the permission in both repositories.',
      access: { all: [permission] },
      parameters: { repo_id: repositoryId(), id: id(), target_repo: targetRepo },
      replies: {
        200: {
          says: 'It is in the other repository.',
          shape: shape.object({
            status: shape.oneOf('Moved'),
            id: shape.integer,
            merge_destination: shape.integer,
            target: shape.integer,
          }),
        },
        ...acceptedReply,
        400: 'No such target.',
        404: `${kind.model} not found`,
        409: 'Another record forbids it, or an identifier is taken: by uri of the record concerned.',
      },
      handler: async (call) => {
        const { repo_id: from, id: recordId } = call.params;
        const joined = await joinJob(call, from);
        if (joined !== null) return joined;
        const to = await targetRepoId(call, call.params.target_repo, permission);
        await lockVersionOf(call.services.database.reader, kind, recordId, from, viewerOf(call));
        const answer = { status: 'Moved', id: recordId, merge_destination: to, target: to };
        const early = await doJob(
          call,
          transferRecord,
          { kind: kind.name, id: recordId, from, to, actor: call.caller.username },
          { repoId: from, owner: call.caller.username },
          { promise: answer },
        );
        return early ?? answer;
      },
    }),
  ];
}

// Publishing, unpublishing and suppressing (contract 5.1, 5.2): routes of the kinds that declare the permission. In trees each is a job in
// the mailbox of the root, which the request waits for; elsewhere it is one small transaction.
import { isInTree } from '#domain/tree/node-kinds.ts';
import { acceptedReply, suppressed as suppressedShape, touched } from '../openapi/shapes/envelopes.ts';
import { areaOf, operationName } from './names.ts';
import type { Kind } from '#domain/kind.ts';
import { publishRecords } from '#domain/jobs/publish-records.ts';
import { suppressRecords } from '#domain/jobs/suppress-records.ts';
import { treePlaceOf } from '#store/records/visibility/reach.ts';
import { publishRecord } from '#store/records/visibility/publish.ts';
import { lockVersionOf, requireShown } from '#store/records/reading/read.ts';
import { suppressRecord } from '#store/records/visibility/suppress.ts';
import { boolean, id, repositoryId } from '../request/parameters.ts';
import { suppressedReply, touchedReply } from '../reply/envelopes.ts';
import type { Reply } from '../reply/reply.ts';
import type { Call, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { doJob } from './jobs.ts';
import { viewerOf } from './viewing.ts';

/** The routes of a kind; none where it declares none of the permissions. */
export function publicationRoutes(kind: Kind): readonly Route[] {
  const { publish, unpublish, suppress } = kind.may;
  return [
    ...(publish === undefined ? [] : [publishRoute(kind, true, publish)]),
    ...(unpublish === undefined ? [] : [publishRoute(kind, false, unpublish)]),
    ...(suppress === undefined ? [] : [suppressRoute(kind, suppress)]),
  ];
}

const scope = (kind: Kind): { repo_id?: ReturnType<typeof repositoryId> } =>
  kind.scope === 'repository' ? { repo_id: repositoryId() } : {};

function publishRoute(kind: Kind, publish: boolean, permission: string): Route {
  const word = publish ? 'publish' : 'unpublish';
  return defineRoute({
    method: 'POST',
    path: `${kind.uri}/${word}`,
    operation: `${word}${operationName(kind)}`,
    area: areaOf(kind),
    summary: publish ? 'Publish with everything below' : 'Unpublish with everything below',
    doc: 'Sets the flag of the record, of its notes, documents, file versions and other parts that have one, and in trees of everything below it. Linked records are left alone, `lock_version` stays.',
    access: { all: [permission] },
    parameters: { ...scope(kind), id: id() },
    replies: {
      200: { says: 'Done.', shape: touched },
      ...(isInTree(kind) ? acceptedReply : {}),
      404: `${kind.model} not found`,
    },
    handler: async (call) => {
      const early = await doPublish(call, kind, call.params.id, publish);
      return (
        early ?? touchedReply(call.params.id, await lockVersionOf(call.services.database.reader, kind, call.params.id))
      );
    },
  });
}

type AnyCall = Pick<
  Call<unknown, unknown>,
  'services' | 'caller' | 'whenGone' | 'preferAsync' | 'repoId' | 'wantsSuppressed' | 'keyed'
>;

async function doPublish(call: AnyCall, kind: Kind, recordId: number, publish: boolean): Promise<Reply | null> {
  const { repoId, caller } = call;
  const { seesSuppressed } = viewerOf(call);
  await requireShown(call.services.database.reader, kind, [recordId], { seesSuppressed });
  const actor = caller.username;
  const place = await placeOf(call, kind, recordId);
  if (place !== null)
    return doJob(
      call,
      publishRecords,
      { kind: kind.name, id: recordId, ...place, publish, seesSuppressed, actor },
      { repoId, owner: actor },
    );
  await call.services.database.transaction((tx) =>
    publishRecord(tx, { kind, id: recordId, repoId, publish, seesSuppressed, actor }),
  );
  return null;
}

function suppressRoute(kind: Kind, permission: string): Route {
  return defineRoute({
    method: 'POST',
    path: `${kind.uri}/suppressed`,
    operation: `suppress${operationName(kind)}`,
    area: areaOf(kind),
    summary: 'Suppress, or show again',
    doc: 'Everything below the record gets the same state, and its links are hidden with it. Holders of the permission reach suppressed records here whatever they are shown elsewhere.',
    access: { all: [permission] },
    parameters: { ...scope(kind), id: id(), suppressed: boolean({ doc: 'True: suppress. False: show again.' }) },
    replies: {
      200: { says: 'Done.', shape: suppressedShape },
      ...(isInTree(kind) ? acceptedReply : {}),
      404: `${kind.model} not found`,
    },
    handler: async (call) => {
      const { id: recordId, suppressed } = call.params;
      return (await doSuppress(call, kind, recordId, suppressed)) ?? suppressedReply(recordId, suppressed);
    },
  });
}

async function doSuppress(call: AnyCall, kind: Kind, recordId: number, suppressed: boolean): Promise<Reply | null> {
  const { repoId, caller } = call;
  const actor = caller.username;
  const place = await placeOf(call, kind, recordId);
  if (place !== null)
    return doJob(
      call,
      suppressRecords,
      { kind: kind.name, id: recordId, ...place, suppressed, actor },
      { repoId, owner: actor },
    );
  await call.services.database.transaction((tx) =>
    suppressRecord(tx, { kind, id: recordId, repoId, suppressed, actor }),
  );
  return null;
}

/** The tree in which a record is, as the payload of a job names it; null for records in no tree. Fails with `not_found`. */
async function placeOf(
  call: AnyCall,
  kind: Kind,
  recordId: number,
): Promise<{ readonly repoId: number; readonly nodeKind: string; readonly rootId: number } | null> {
  const { reader } = call.services.database;
  if (call.repoId === null) return null;
  const place = await treePlaceOf(reader, kind, recordId, call.repoId);
  await lockVersionOf(reader, kind, recordId, call.repoId);
  return place === null ? null : { repoId: call.repoId, nodeKind: place.node.name, rootId: place.tree.rootId };
}

// Moves inside a tree: /parent of nodes, accept_children of roots and nodes (contract trees 1.11 to 1.13). Each is a job in the
// mailbox of its root, which the request waits for.
import { acceptedReply, touched } from '../openapi/shapes/envelopes.ts';
import { areaOf, operationName } from './names.ts';
import type { Kind } from '#domain/kind.ts';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { moveNodes } from '#domain/jobs/move-nodes.ts';
import { placesOf } from '#store/trees/read.ts';
import { lockVersionOf, requireShown } from '#store/records/reading/read.ts';
import { nodeKindOf } from '#domain/tree/node-kinds.ts';
import { id, integer, listOf, repositoryId, text } from '../request/parameters.ts';
import { touchedReply } from '../reply/envelopes.ts';
import type { Reply } from '../reply/reply.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Call, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { doJob } from './jobs.ts';
import { viewerOf } from './viewing.ts';

/** The move routes of a kind: none for kinds in no tree. */
export function moveRoutes(kind: Kind): readonly Route[] {
  const nodes = nodeKindOf(kind);
  const permission = kind.may.update;
  if (permission === undefined) return [];
  if (kind.tree !== undefined) return [parentRoute(kind, permission), acceptRoute(kind, kind, permission)];
  return nodes === null ? [] : [acceptRoute(kind, nodes, permission)];
}

type AnyCall = Pick<
  Call<unknown, unknown>,
  'services' | 'caller' | 'whenGone' | 'preferAsync' | 'repoId' | 'wantsSuppressed' | 'keyed'
>;

async function move(
  call: AnyCall,
  node: Kind,
  place: {
    readonly repoId: number;
    readonly rootId: number;
    readonly parentId: number | null;
    readonly position: number | null;
    readonly ids: readonly number[];
  },
): Promise<Reply | null> {
  if ((place.position ?? 0) < 0) throw fail('bad_parameter', { position: ['Must not be negative'] });
  await requireShown(call.services.database.reader, node, place.ids, viewerOf(call));
  const payload = { ...place, ids: [...place.ids], nodeKind: node.name, actor: call.caller.username };
  return doJob(call, moveNodes, payload, { repoId: place.repoId, owner: call.caller.username });
}

/** The reply of a move: the record it was asked of, with its unchanged version. */
async function moved(call: AnyCall, kind: Kind, recordId: number, early: Reply | null): Promise<Reply | JsonObject> {
  return early ?? touchedReply(recordId, await lockVersionOf(call.services.database.reader, kind, recordId));
}

function parentRoute(kind: Kind, permission: string): Route {
  return defineRoute({
    method: 'POST',
    path: `${kind.uri}/parent`,
    operation: `move${operationName(kind)}`,
    area: areaOf(kind),
    summary: 'Move below another parent',
    doc: 'Moves the node with everything below it. Without `parent` it goes directly under its root; without `position` to the end.',
    access: { all: [permission] },
    parameters: {
      repo_id: repositoryId(),
      id: id(),
      parent: id({ optional: true, doc: 'Id of the new parent node.' }),
      position: integer({ optional: true, doc: 'Place among the new siblings, from 0.' }),
    },
    replies: {
      200: { says: 'Moved.', shape: touched },
      ...acceptedReply,
      400: 'The parent is not in the same tree.',
      404: `${kind.model} not found`,
      409: 'The move would make a cycle.',
    },
    handler: async (call) => {
      const { repo_id: repoId, id: nodeId, parent, position } = call.params;
      const place = (
        await placesOf(call.services.database.reader, { repoId, code: kind.tree?.code ?? 0 }, [nodeId])
      ).get(nodeId);
      if (place === undefined) throw fail('not_found', `${kind.model} not found`);
      // An id that no record can have reads as 0, which must not be taken for "no parent".
      if (parent === 0)
        throw fail('bad_parameter', { parent: [`Not a node of this ${kindNamed(kind.tree?.root ?? '').model}`] });
      const early = await move(call, kind, {
        repoId,
        rootId: place.root_id,
        parentId: parent,
        position,
        ids: [nodeId],
      });
      return moved(call, kind, nodeId, early);
    },
  });
}

function acceptRoute(kind: Kind, node: Kind, permission: string): Route {
  return defineRoute({
    method: 'POST',
    path: `${kind.uri}/accept_children`,
    operation: `acceptChildrenOf${operationName(kind)}`,
    area: areaOf(kind),
    summary: 'Move nodes below this record',
    doc: 'Moves the given nodes below this record in the given order; the first comes to `position`.',
    access: { all: [permission] },
    parameters: {
      repo_id: repositoryId(),
      id: id(),
      children: listOf(text())({ optional: true, doc: 'Uris of the nodes, in the wanted order.' }),
      position: integer({ doc: 'Rank of the first of them, from 0.' }),
    },
    replies: {
      200: { says: 'Moved.', shape: touched },
      ...acceptedReply,
      400: 'A child is of another tree.',
      404: 'No such record.',
      409: 'The move would make a cycle.',
    },
    handler: async (call) => {
      const { repo_id: repoId, id: targetId, position } = call.params;
      const { reader } = call.services.database;
      const isNode = kind.tree !== undefined;
      const place = isNode
        ? (await placesOf(reader, { repoId, code: node.tree?.code ?? 0 }, [targetId])).get(targetId)
        : undefined;
      if (isNode && place === undefined) throw fail('not_found', `${kind.model} not found`);
      if (isNode) await requireShown(reader, kind, [targetId], viewerOf(call));
      else await lockVersionOf(reader, kind, targetId, repoId, viewerOf(call));
      const ids = (call.params.children ?? []).map((uri) => childId(uri, node, repoId));
      if (isNode && ids.includes(targetId)) throw fail('conflict', "Can't make a parent into its own child");
      const early =
        ids.length === 0
          ? null
          : await move(call, node, {
              repoId,
              rootId: place?.root_id ?? targetId,
              parentId: isNode ? targetId : null,
              position,
              ids,
            });
      return moved(call, kind, targetId, early);
    },
  });
}

function childId(uri: string, node: Kind, repoId: number): number {
  const address = parseUri(uri);
  if (address === null || address.kind !== node.name || address.repoId !== repoId)
    throw fail('bad_parameter', { children: [`Not a ${node.name} of this repository: ${uri}`] });
  return address.id;
}

// Children of tree records: reading them whole, creating several at once, and the node before (contract trees 1.14 to 1.16).
import { shape } from '../openapi/shape.ts';
import { touched } from '../openapi/shapes/envelopes.ts';
import { exampleBody } from '../openapi/examples.ts';
import { areaOf, operationName } from './names.ts';
import type { Kind } from '#domain/kind.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { Failure, fail } from '#domain/errors.ts';
import { uriOf } from '#domain/addresses.ts';
import { mostProblems } from '#domain/checking/pass.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import { childKindOf } from '#domain/tree/node-kinds.ts';
import { nodeOf } from '#domain/tree/tree.ts';
import { treeUnder } from '#store/records/writing/tree-place.ts';
import type { Reader } from '#store/connection/database.ts';
import { isHidden, lockVersionOf, readRecord, readRecords, requireShown } from '#store/records/reading/read.ts';
import type { Viewer } from '#store/records/reading/viewer.ts';
import { createMany } from '#store/records/writing/write-many.ts';
import { childrenIds, placesOf, previousNode, previousShownNode } from '#store/trees/read.ts';
import { jsonBody } from '../request/body.ts';
import { id, repositoryId } from '../request/parameters.ts';
import { touchedReply } from '../reply/envelopes.ts';
import { jsonStream, jsonText } from '../reply/reply.ts';
import { unknownHandling } from '../request/unknown-names.ts';
import type { Route, UntypedCall } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { CheckedRecord } from '../services.ts';
import { viewerOf, writeContext } from './viewing.ts';

const parameters = { repo_id: repositoryId(), id: id() };

type Children = {
  readonly kind: Kind;
  readonly repoId: number;
  readonly ids: readonly number[];
  readonly viewer: Viewer;
};

/** The routes of a kind's children: none for kinds in no tree. `previous` is of archival objects alone, as on the wire. */
export function childrenRoutes(kind: Kind): readonly Route[] {
  const node = childKindOf(kind);
  if (node === null) return [];
  const creates =
    node.tree?.batchCreate === true && kind.may.update !== undefined
      ? [createChildrenRoute(kind, node, kind.may.update)]
      : [];
  if (kind.tree === undefined) return creates;
  return [readChildrenRoute(kind), ...creates, ...(kind.tree?.showsPrevious === true ? [previousRoute(kind)] : [])];
}

/** How many children are read and made into text at once. */
const readAtOnce = 100;

async function* textsOf(reader: Reader, { kind, repoId, ids, viewer }: Children): AsyncGenerator<string> {
  let isFirst = true;
  yield '[';
  for (let from = 0; from < ids.length; from += readAtOnce) {
    const some = ids.slice(from, from + readAtOnce);
    const found = await readRecords(reader, new Map([[kind.name, some]]), viewer);
    const texts = some.flatMap((each) => found.get(uriOf(kind, each, repoId))?.text ?? []);
    if (texts.length === 0) continue;
    yield `${isFirst ? '' : ','}${texts.join(',')}`;
    isFirst = false;
  }
  yield ']';
}

const access = (permission: string): { readonly all: readonly string[] } => ({ all: [permission] });

function readChildrenRoute(kind: Kind): Route {
  return defineRoute({
    method: 'GET',
    path: `${kind.uri}/children`,
    fromReplica: true,
    operation: `list${operationName(kind)}Children`,
    area: areaOf(kind),
    summary: 'Read the children',
    access: access(kind.may.read),
    parameters,
    replies: {
      200: { says: 'The records directly below, in order.', shape: shape.list(shape.record(kind.name)) },
      404: `${kind.model} not found`,
    },
    handler: async (call) => {
      const { reader } = call.services.database;
      const { repo_id: repoId, id: nodeId } = call.params;
      const place = (await placesOf(reader, { repoId, code: kind.tree?.code ?? 0 }, [nodeId])).get(nodeId);
      if (place === undefined) throw fail('not_found', `${kind.model} not found`);
      await requireShown(reader, kind, [nodeId], viewerOf(call));
      const ids = await childrenIds(reader, treeUnder(kind, repoId, place.root_id), nodeId);
      const texts = textsOf(reader, { kind, repoId, ids, viewer: viewerOf(call) });
      return ids.length > readAtOnce ? jsonStream(texts) : jsonText((await Array.fromAsync(texts)).join(''));
    },
  });
}

function previousRoute(kind: Kind): Route {
  return defineRoute({
    method: 'GET',
    path: `${kind.uri}/previous`,
    operation: `getPrevious${operationName(kind)}`,
    area: areaOf(kind),
    summary: 'Read the record before this one',
    doc: 'The previous sibling that the caller may see, else the parent.',
    access: access(kind.may.read),
    parameters,
    replies: { 200: { says: 'The record.', shape: shape.record(kind.name) }, 404: 'No previous node' },
    handler: async (call) => {
      const { reader } = call.services.database;
      const { repo_id: repoId, id: nodeId } = call.params;
      await lockVersionOf(reader, kind, nodeId, repoId, viewerOf(call));
      const scope = { repoId, code: kind.tree?.code ?? 0, kindName: kind.name };
      const nearest = await previousNode(reader, scope, nodeId);
      const isPassedOver = nearest !== null && (await isHidden(reader, kind, [nearest], viewerOf(call)));
      const previous = isPassedOver ? await previousShownNode(reader, scope, nodeId) : nearest;
      if (previous === null) throw fail('not_found', 'No previous node');
      return jsonText((await readRecord(reader, kind, previous, repoId, viewerOf(call))).text);
    },
  });
}

function createChildrenRoute(kind: Kind, node: Kind, permission: string): Route {
  return defineRoute({
    method: 'POST',
    path: `${kind.uri}/children`,
    operation: `create${operationName(kind)}Children`,
    area: areaOf(kind),
    summary: 'Create several children',
    doc: `Creates each record of \`children\` below this one, all or none. Their ${node.tree?.rootProperty} and parent follow from the address.`,
    access: access(permission),
    parameters,
    body: jsonBody({
      doc: '{"children": [record, …]}',
      shape: shape.object({ children: shape.list(shape.record(node.name)) }),
      example: { children: [exampleBody(node.name)] },
    }),
    replies: {
      200: { says: 'Created; the version of the record they are below.', shape: touched },
      400: 'A child is not valid; nothing is created.',
      404: `${kind.model} not found`,
    },
    handler: async (call) => {
      const { repo_id: repoId, id: targetId } = call.params;
      const children = await checkChildren(call, node, call.body, repoId);
      const { reader } = call.services.database;
      const isNode = kind.tree !== undefined;
      const lockVersion = await lockVersionOf(reader, kind, targetId, repoId, viewerOf(call));
      const rootId = isNode
        ? ((await placesOf(reader, { repoId, code: node.tree?.code ?? 0 }, [targetId])).get(targetId)?.root_id ?? 0)
        : targetId;
      const place = placeRefs(node, repoId, rootId, isNode ? targetId : null);
      await call.services.database.transaction(async (tx) => {
        // One part after the other: each takes its places after the one before.
        for (let from = 0; from < children.length; from += createdAtOnce) {
          const some = children.slice(from, from + createdAtOnce).map(({ prepared }) => {
            const { parent: _, ...body } = prepared.body;
            return { ...prepared, body: { ...body, ...place } };
          });
          await createMany(tx, node, some, writeContext(call), withValue);
        }
      });
      return touchedReply(targetId, lockVersion);
    },
  });
}

function placeRefs(node: Kind, repoId: number, rootId: number, parentId: number | null): JsonObject {
  const tree = treeUnder(node, repoId, rootId);
  const root = { ref: `/repositories/${repoId}/${node.tree?.root ?? ''}s/${tree.rootId}` };
  return {
    [nodeOf(node).rootProperty]: root,
    ...(parentId === null ? {} : { parent: { ref: uriOf(node, parentId, repoId) } }),
  };
}

const checkedAtOnce = 500;
/** How many children are written with the same few statements. */
const createdAtOnce = 500;

/** Checks every child; the problems of all are reported together under `children/N/…`, up to the first few thousand. */
async function checkChildren(
  { services, caller: { userId }, headers }: Pick<UntypedCall, 'services' | 'caller' | 'headers'>,
  node: Kind,
  body: JsonObject,
  repoId: number,
): Promise<readonly CheckedRecord[]> {
  const unknown = unknownHandling(headers['prefer'], services.config);
  const given = body['children'];
  if (!Array.isArray(given))
    throw fail(
      'invalid_record',
      { children: ['Property is required but was missing'] },
      { warning: {}, invalid_object: '{}' },
    );
  const errors: { [path: string]: Json } = {};
  const check = async (child: Json, index: number): Promise<CheckedRecord | null> => {
    try {
      return await services.checkRecord(node.name, isObject(child) ? child : {}, {
        repoId,
        userId,
        operation: 'create',
        unknown,
      });
    } catch (error) {
      if (!(error instanceof Failure) || !isObject(error.error)) throw error;
      for (const [path, messages] of Object.entries(error.error))
        errors[`children/${index}/${path}`] = messages ?? null;
      return null;
    }
  };
  const checked: (CheckedRecord | null)[] = [];
  for (let at = 0; at < given.length && Object.keys(errors).length < mostProblems; at += checkedAtOnce)
    checked.push(
      ...(await Promise.all(given.slice(at, at + checkedAtOnce).map((child, index) => check(child, at + index)))),
    );
  if (Object.keys(errors).length > 0)
    throw fail('invalid_record', errors, { warning: {}, invalid_object: JSON.stringify(body).slice(0, 2000) });
  return checked.filter((child) => child !== null);
}

/** Errors of storage name the value too, so that one of many children is found (contract trees 1.15). */
function withValue(failure: Failure, { body }: Prepared): Failure {
  const named = Object.fromEntries(
    Object.entries(isObject(failure.error) ? failure.error : {}).map(([property, messages]) => [
      property,
      Array.isArray(messages) && typeof body[property] === 'string'
        ? messages.map((message) => `${String(message)} ( ${property}: ${String(body[property])} )`)
        : (messages ?? null),
    ]),
  );
  return fail(failure.code, named, failure.extra, failure);
}

// The uniform routes of a record kind, from its declaration: create, read, list, update, delete (contract 1.2, 4.1, 4.2).
// A kind whose declaration names no permission for an operation has no route for it.
import { shape } from '../openapi/shape.ts';
import { acceptedReply, created, updated, deleted } from '../openapi/shapes/envelopes.ts';
import { areaOf, operationName, operationNames } from './names.ts';
import { isInTree } from '#domain/tree/node-kinds.ts';
import type { Kind } from '#domain/kind.ts';
import { Failure, toWireBody } from '#domain/errors.ts';
import { can } from '#domain/access/caller.ts';
import { agentKinds } from '#domain/kinds/parts/agent-kinds.ts';
import { findSuccessor } from '#store/merges/successor.ts';
import type { ListFilter } from '#store/records/reading/list.ts';
import { listAllIds, listIdSet, listPage } from '#store/records/reading/list.ts';
import { readRecord } from '#store/records/reading/read.ts';
import { addCatalogedEvent } from '#store/records/writing/service-events.ts';
import { createRecord, updateRecord } from '#store/records/writing/write.ts';
import { recordBody } from '../request/body.ts';
import {
  listParameters,
  modifiedSince,
  toListOrder,
  toPage,
  toPagination,
  toSorting,
  toWindow,
} from '../request/pagination.ts';
import { id, repositoryId, resolve } from '../request/parameters.ts';
import type { Reply } from '../reply/reply.ts';
import { isReply, json, jsonPage, jsonPieces, jsonText } from '../reply/reply.ts';
import type { Access, Call, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { createdReply, updatedReply } from '../reply/envelopes.ts';
import { deleteOne } from './deletion.ts';
import { viewerOf, withRefsResolved, writeContext } from './viewing.ts';

// The parameters that every uniform route of one scope has; kinds of the global scope have no repo_id.
const below = { repo_id: repositoryId() };

const accessFor = <C>(permission: string): Access<C> => (permission === 'public' ? 'public' : { all: [permission] });
const collection = (kind: Kind): string => kind.uri.replace(/\/:id$/, '');
const words = (kind: Kind): string => kind.name.replaceAll('_', ' ');
const scopeParameters = (kind: Kind): { repo_id?: typeof below.repo_id } => (kind.scope === 'repository' ? below : {});

/** The routes of all operations that a kind declares. */
export function crudRoutes(kind: Kind): readonly Route[] {
  if (kind.uniform === false) return [];
  const may = kind.may;
  return [
    ...(may.create === undefined ? [] : [createRoute(kind, may.create)]),
    readRoute(kind),
    ...(kind.listing === 'own' ? [] : [kind.listing === 'array' ? arrayRoute(kind) : listRoute(kind)]),
    ...(may.update === undefined ? [] : [updateRoute(kind, may.update)]),
    ...(may.delete === undefined ? [] : [deleteRoute(kind, may.delete)]),
  ];
}

function createRoute(kind: Kind, permission: string): Route {
  return defineRoute({
    method: 'POST',
    path: collection(kind),
    operation: `create${operationName(kind)}`,
    area: areaOf(kind),
    summary: `Create one ${words(kind)}`,
    access: accessFor(permission),
    parameters: scopeParameters(kind),
    body: recordBody(kind.name, 'create'),
    replies: {
      200: { says: 'Created: its id, uri and lock_version.', shape: created },
      400: 'The record is not valid; `error` names each property.',
    },
    handler: async (call) => {
      const context = writeContext(call);
      const written = await call.services.database.transaction(async (tx) => {
        const made = await createRecord(tx, kind, call.body.prepared, context);
        if (agentKinds.includes(kind.name)) await addCatalogedEvent(tx, made.uri, call.caller.agentUri, context);
        return made;
      });
      return createdReply(kind, written);
    },
  });
}

/** Reads one record of a kind, with `resolve`. */
function readRoute(kind: Kind): Route {
  return defineRoute({
    method: 'GET',
    path: kind.uri,
    operation: `get${operationName(kind)}`,
    area: areaOf(kind),
    summary: `Read one ${words(kind)}`,
    access: accessFor(kind.may.read),
    ...(kind.may.update === undefined ? {} : { savedWith: kind.may.update }),
    parameters: { ...scopeParameters(kind), id: id(), resolve },
    replies: { 200: { says: 'The record.', shape: shape.record(kind.name) }, 404: `${kind.model} not found` },
    handler: async (call) => {
      const { reader } = call.services.database;
      const record = await readRecord(reader, kind, call.params.id, call.repoId, viewerOf(call)).catch(
        (error: unknown) => leadOn(call, kind, error),
      );
      if (isReply(record)) return record;
      if (call.params.resolve.length === 0) return jsonText(record.text);
      return jsonPieces(await withRefsResolved(call, call.params.resolve, record.text));
    },
  });
}

/**
 * The 404 of a record that was merged or moved, with where it is now. RFC 5829 registers `successor-version` for the resource that takes the
 * place of another in its history; `canonical` and `alternate` would say that the old address still stands for something.
 */
async function leadOn(call: Call<{ readonly id: number }, unknown>, kind: Kind, error: unknown): Promise<Reply> {
  if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
  const successor = await findSuccessor(call.services.database.reader, {
    kind: kind.name,
    id: call.params.id,
    repoId: kind.scope === 'repository' ? call.repoId : null,
  });
  if (successor === null || (successor.repoId !== null && !can(call.caller, 'view_repository', successor.repoId)))
    throw error;
  return json(toWireBody(error), error.status, { link: `<${successor.uri}>; rel="successor-version"` });
}

/** Lists the records of a kind by page, id set or all ids, with `resolve`. */
function listRoute(kind: Kind): Route {
  return defineRoute({
    method: 'GET',
    path: collection(kind),
    operation: `list${operationNames(kind)}`,
    area: areaOf(kind),
    summary: `List ${words(kind)} records`,
    fromReplica: true,
    access: kind.listedBy === undefined ? accessFor(kind.may.read) : { any: kind.listedBy },
    parameters: { ...scopeParameters(kind), ...listParameters },
    replies: {
      200: {
        says: 'With page: a page wrapper; with id_set: an array of records; with all_ids: an array of ids.',
        shape: shape.listing(shape.record(kind.name)),
      },
    },
    handler: async (call) => listed(kind, call),
  });
}

/** Lists all records of a kind as a plain array, without parameters (contract 4.2). */
function arrayRoute(kind: Kind): Route {
  return defineRoute({
    method: 'GET',
    path: collection(kind),
    operation: `list${operationNames(kind)}`,
    area: areaOf(kind),
    summary: `List ${words(kind)} records`,
    fromReplica: true,
    access: accessFor(kind.may.read),
    parameters: { ...scopeParameters(kind), modified_since: modifiedSince },
    replies: { 200: { says: 'An array of all records by id.', shape: shape.list(shape.record(kind.name)) } },
    handler: async (call) => {
      const { reader } = call.services.database;
      const filter: ListFilter = {
        kind,
        repoId: call.repoId,
        modifiedSince: call.params.modified_since,
        viewer: viewerOf(call),
      };
      const records = await listIdSet(reader, filter, await listAllIds(reader, filter));
      return jsonText(`[${records.map((record) => record.text).join(',')}]`);
    },
  });
}

type ListCall = Call<
  Parameters<typeof toPagination>[0] & Parameters<typeof toListOrder>[0] & { readonly resolve: readonly string[] },
  undefined
>;

async function listed(kind: Kind, call: ListCall): Promise<Reply> {
  const { reader } = call.services.database;
  const order = toListOrder(call.params);
  const filter: ListFilter = { kind, repoId: call.repoId, modifiedSince: order.modifiedSince, viewer: viewerOf(call) };
  const sorting = toSorting(kind, order);
  const pagination = toPagination(call.params);
  if (pagination.kind === 'all_ids') return jsonText(JSON.stringify(await listAllIds(reader, filter, sorting)));
  if (pagination.kind === 'id_set') {
    const records = await listIdSet(reader, filter, pagination.ids, sorting);
    return jsonPieces(
      await withRefsResolved(call, call.params.resolve, `[${records.map((record) => record.text).join(',')}]`),
    );
  }
  const page = await listPage(reader, filter, { ...sorting, ...toWindow(pagination) });
  const results = await withRefsResolved(
    call,
    call.params.resolve,
    `[${page.records.map((record) => record.text).join(',')}]`,
  );
  return jsonPage(toPage(pagination.page, pagination.pageSize, page.total, []), results);
}

function updateRoute(kind: Kind, permission: string): Route {
  return defineRoute({
    method: 'POST',
    path: kind.uri,
    operation: `update${operationName(kind)}`,
    area: areaOf(kind),
    summary: `Replace one ${words(kind)}`,
    doc: 'The body replaces the record as a whole; it must carry the lock_version that was read.',
    access: accessFor(permission),
    parameters: { ...scopeParameters(kind), id: id() },
    body: recordBody(kind.name, 'update'),
    replies: {
      200: { says: 'Updated: the new lock_version.', shape: updated },
      404: `${kind.model} not found`,
      409: 'Another update came first.',
    },
    handler: async (call) => {
      const written = await call.services.database.transaction((tx) =>
        updateRecord(tx, kind, call.params.id, call.body.prepared, call.body.lockVersion, {
          ...writeContext(call),
          asksPlace: call.body.asksPlace === true,
        }),
      );
      return updatedReply(kind, written);
    },
  });
}

function deleteRoute(kind: Kind, permission: string): Route {
  return defineRoute({
    method: 'DELETE',
    path: kind.uri,
    operation: `delete${operationName(kind)}`,
    area: areaOf(kind),
    summary: `Delete one ${words(kind)}`,
    doc: isInTree(kind)
      ? 'What has more than 1000 records below it, or to which more than 250 link, is deleted by a job, for which the request waits.'
      : 'What more than 250 records link to is deleted by a job, for which the request waits.',
    access: accessFor(permission),
    parameters: { ...scopeParameters(kind), id: id() },
    replies: {
      200: { says: 'Deleted, with everything below it in a tree.', shape: deleted },
      ...acceptedReply,
      404: `${kind.model} not found`,
      409: 'Another record forbids it.',
    },
    handler: (call) => deleteOne(kind, call.params.id, call),
  });
}

// Whole trees in one reply, streamed: `…/tree` of every root (which later releases dropped and clients still call), ordered_records, the
// containers of a collection, the small tree of the bulk updater; and the record types in a graph (contract, behaviour-records 4.4, 6.4).
import { shape } from '../openapi/shape.ts';
import { refOf } from '../openapi/shapes/refs.ts';
import {
  orderedRecords as orderedRecordsShape,
  smallTree as smallTreeShape,
  wholeTree,
} from '../openapi/shapes/trees.ts';
import { areaOf, operationName } from '../record-routes/names.ts';
import { fail } from '#domain/errors.ts';
import type { Kind } from '#domain/kind.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { accession } from '#domain/kinds/accession.ts';
import { kinds } from '#domain/kinds/index.ts';
import { resource } from '#domain/kinds/resource.ts';
import { nodeKindOf } from '#domain/tree/node-kinds.ts';
import { containerRefs } from '#domain/tree/shown.ts';
import { readRecord } from '#store/records/reading/read.ts';
import type { TreeView } from '#store/trees/answers.ts';
import { placesOf } from '#store/trees/read.ts';
import type { WholeTree } from '#store/trees/whole.ts';
import { modelsInGraph, nestedTree, orderedRecords, smallTree, treeContainers } from '#store/trees/whole.ts';
import { id, repositoryId, resolve } from '../request/parameters.ts';
import { jsonStream } from '../reply/reply.ts';
import type { Access, Call, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { viewerOf } from '../record-routes/viewing.ts';

const containerList = shape.list(refOf('top_container'));

const parameters = { repo_id: repositoryId(), id: id() };
const access: Access<unknown> = { all: ['view_repository'] };

type TreeCall = Pick<
  Call<{ readonly repo_id: number; readonly id: number }, unknown>,
  'params' | 'services' | 'release' | 'caller' | 'repoId' | 'wantsSuppressed'
>;

function viewOf(root: Kind, call: TreeCall): TreeView {
  const node = nodeKindOf(root);
  if (node === null) throw fail('internal', `${root.name} is no root`);
  return {
    repoId: call.params.repo_id,
    nodeKind: node,
    rootKind: root,
    release: call.release,
    publishedOnly: false,
    seesSuppressed: viewerOf(call).seesSuppressed,
  };
}

const wholeOf = (root: Kind, call: TreeCall): WholeTree => ({
  database: call.services.database,
  view: viewOf(root, call),
  rootId: call.params.id,
});

const nested = (root: Kind): Route =>
  defineRoute({
    method: 'GET',
    path: `${root.uri}/tree`,
    operation: `get${operationName(root)}Tree`,
    area: 'trees',
    summary: 'Read a whole tree',
    doc: 'Nested objects, streamed. For trees of more than a few thousand nodes, tree/root and tree/waypoint are the better way.',
    fromReplica: true,
    access,
    parameters,
    replies: {
      200: { says: 'The root with its nodes under `children`, each with theirs.', shape: wholeTree },
      404: `${root.model} not found`,
    },
    handler: async (call) => jsonStream(await nestedTree(wholeOf(root, call))),
  });

const ordered = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/resources/:id/ordered_records',
  operation: 'getOrderedRecords',
  area: 'resources',
  summary: 'Read what a collection publishes, in reading order',
  doc: 'Streamed. What is unpublished or suppressed is left out with all below it.',
  fromReplica: true,
  access,
  parameters,
  replies: {
    200: {
      says: 'The resource, then its tree.',
      shape: orderedRecordsShape,
      example: {
        jsonmodel_type: 'resource_ordered_records',
        uris: [{ ref: '/repositories/2/resources/1', display_string: 'Papers', depth: 0, level: 'collection' }],
      },
    },
    404: 'Resource not found',
  },
  handler: async (call) => jsonStream(await orderedRecords(wholeOf(resource, call))),
});

const collectionContainers = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/resources/:id/top_containers',
  operation: 'listResourceContainers',
  area: 'resources',
  summary: 'Refs of the containers of a collection',
  doc: 'Those of published records alone, in reading order, each once; streamed. `resolve` has no effect, as in the contract.',
  fromReplica: true,
  access,
  parameters: { ...parameters, resolve },
  replies: {
    200: { says: 'Refs.', shape: containerList, example: [{ ref: '/repositories/2/top_containers/1' }] },
    404: 'Resource not found',
  },
  handler: async (call) => jsonStream(await treeContainers(wholeOf(resource, call))),
});

const accessionContainers = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/accessions/:id/top_containers',
  operation: 'listAccessionContainers',
  area: 'accessions',
  summary: 'Refs of the containers of an accession',
  doc: '`resolve` has no effect, as in the contract.',
  fromReplica: true,
  access,
  parameters: { ...parameters, resolve },
  replies: {
    200: {
      says: 'Refs in the order of the instances.',
      shape: containerList,
      example: [{ ref: '/repositories/2/top_containers/1' }],
    },
    404: 'Accession not found',
  },
  handler: async (call) => {
    const { row } = await readRecord(
      call.services.database.reader,
      accession,
      call.params.id,
      call.params.repo_id,
      viewerOf(call),
    );
    // A stored body is our own canonical text.
    return containerRefs(JSON.parse(row.body)).map((ref) => ({ ref }));
  },
});

const small = defineRoute({
  method: 'GET',
  path: '/bulk_archival_object_updater/repositories/:repo_id/resources/:id/small_tree',
  operation: 'getSmallTree',
  area: 'bulk updates',
  summary: 'Compact tree for choosing components',
  release: 'R-B',
  fromReplica: true,
  access,
  parameters,
  replies: {
    200: { says: 'Titles, uris and identifiers of the whole collection, nested; streamed.', shape: smallTreeShape },
    404: 'Resource not found',
  },
  handler: async (call) => jsonStream(await smallTree(wholeOf(resource, call))),
});

const models = (kind: Kind): Route =>
  defineRoute({
    method: 'GET',
    path: `${kind.uri}/models_in_graph`,
    operation: `list${operationName(kind)}Models`,
    area: areaOf(kind),
    summary: 'Record types in a record and all below it',
    fromReplica: true,
    access,
    parameters,
    replies: {
      200: {
        says: 'Names of record types, in no order.',
        shape: shape.list(shape.text),
        example: ['archival_object', 'extent', 'date'],
      },
      404: `${kind.model} not found`,
    },
    handler: async (call) => {
      const { reader } = call.services.database;
      const { repo_id: repoId, id: recordId } = call.params;
      await readRecord(reader, kind, recordId, repoId, viewerOf(call));
      if (kind.tree === undefined) return modelsInGraph(reader, viewOf(kind, call), recordId, null);
      const place = (await placesOf(reader, { repoId, code: kind.tree.code }, [recordId])).get(recordId);
      return modelsInGraph(reader, viewOf(resource, call), place?.root_id ?? 0, recordId);
    },
  });

/** The routes of this file. */
export const wholeTreeRoutes: readonly Route[] = [
  ...[...kinds.values()].filter((kind) => nodeKindOf(kind) !== null).map(nested),
  ordered,
  collectionContainers,
  accessionContainers,
  small,
  models(resource),
  models(archivalObject),
];

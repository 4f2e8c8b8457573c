// Reading trees by waypoint: tree/root, tree/waypoint, tree/node, tree/node_from_root, for every kind of root (contract trees 1.2 to 1.6).
import { shape } from '../openapi/shape.ts';
import { treeEntry, treeNode as treeNodeShape, treePaths, treeRoot as treeRootShape } from '../openapi/shapes/trees.ts';
import { operationName, pascal } from './names.ts';
import type { Kind } from '#domain/kind.ts';
import { parseUri } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { textOf } from '#domain/json.ts';
import { nodeKindOf } from '#domain/tree/node-kinds.ts';
import type { TreeView } from '#store/trees/answers.ts';
import { treeNode, treeNodeFromRoot, treeRoot, treeWaypoint } from '#store/trees/answers.ts';
import { boolean, id, integer, listOf, repositoryId, text } from '../request/parameters.ts';
import { jsonPieces } from '../reply/reply.ts';
import type { Access, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { Services } from '../services.ts';
import type { Seeing } from './viewing.ts';
import { viewerOf } from './viewing.ts';

const common = {
  repo_id: repositoryId(),
  id: id(),
  published_only: boolean({ default: false, doc: 'True: only children that are published and not suppressed.' }),
};

/** The tree routes of a kind that is a root; none for others. */
export function treeRoutes(root: Kind): readonly Route[] {
  const node = nodeKindOf(root);
  if (node === null) return [];
  const describe = (name: string, summary: string) => ({
    method: 'GET' as const,
    path: `${root.uri}/tree/${name}`,
    operation: `get${operationName(root)}Tree${pascal(name)}`,
    area: 'trees',
    summary,
  });
  const access: Access<unknown> = { all: [root.may.read] };
  const viewOf = (
    call: Seeing & {
      readonly release: TreeView['release'];
      readonly params: { readonly repo_id: number; readonly published_only: boolean };
    },
  ): TreeView => ({
    repoId: call.params.repo_id,
    nodeKind: node,
    rootKind: root,
    release: call.release,
    publishedOnly: call.params.published_only,
    seesSuppressed: viewerOf(call).seesSuppressed,
    sluggedUrl: sluggedUrls(call.services),
  });
  return [
    defineRoute({
      ...describe('root', 'Read a root with its first waypoint'),
      fromReplica: true,
      access,
      parameters: common,
      replies: {
        200: { says: 'The root, the count of its children, and the first 200 of them.', shape: treeRootShape },
        404: `${root.model} not found`,
      },
      handler: (call) => treeRoot(call.services.database.reader, viewOf(call), call.params.id),
    }),
    defineRoute({
      ...describe('waypoint', 'Read 200 children'),
      fromReplica: true,
      access,
      parameters: {
        ...common,
        offset: integer({ doc: 'Which waypoint, from 0.' }),
        parent_node: text({ optional: true, doc: 'Uri of the parent node; absent: the root.' }),
      },
      replies: {
        200: { says: 'The children of that waypoint, in order.', shape: shape.list(treeEntry) },
        404: `${root.model} not found`,
      },
      handler: (call) => {
        const parent = call.params.parent_node;
        return treeWaypoint(
          call.services.database.reader,
          viewOf(call),
          call.params.id,
          parent === null || parent === '' ? null : nodeId(parent, node, 'parent_node'),
          call.params.offset,
        );
      },
    }),
    defineRoute({
      ...describe('node', 'Read a node with its first waypoint'),
      fromReplica: true,
      access,
      parameters: { ...common, node_uri: text({ doc: 'Uri of the node.' }) },
      replies: {
        200: { says: 'The node, the count of its children, and the first 200 of them.', shape: treeNodeShape },
        404: `${node.model} not found`,
      },
      handler: (call) =>
        treeNode(
          call.services.database.reader,
          viewOf(call),
          call.params.id,
          nodeId(call.params.node_uri, node, 'node_uri'),
        ),
    }),
    defineRoute({
      ...describe('node_from_root', 'Read the way from the root to nodes'),
      fromReplica: true,
      access,
      parameters: { ...common, node_ids: listOf(integer())({ doc: 'Ids of the nodes.' }) },
      replies: {
        200: {
          says: 'For each id the nodes above it, from the root down, with the waypoint each next one is in.',
          shape: treePaths,
        },
        404: `${node.model} not found`,
      },
      handler: async (call) =>
        jsonPieces(
          await treeNodeFromRoot(call.services.database.reader, viewOf(call), call.params.id, call.params.node_ids),
        ),
    }),
  ];
}

function nodeId(uri: string, node: Kind, parameter: string): number {
  const address = parseUri(uri);
  if (address === null || address.kind !== node.name)
    throw fail('bad_parameter', { [parameter]: [`Not the uri of a ${node.name}: ${uri}`] });
  return address.id;
}

/** The `slugged_url` of records in trees: where a public interface shows them by their slug (contract trees-and-jobs 1.2); empty where slugs are off. Names of repositories stand in none. */
export function sluggedUrls({ config }: Pick<Services, 'config'>): NonNullable<TreeView['sluggedUrl']> {
  if (config.MUNIMENT_SLUGS === 'off') return () => '';
  return (kind, body) => {
    const slug = textOf(body, 'slug') ?? '';
    return slug === '' ? '' : `${config.MUNIMENT_PUBLIC_URL}/${kind.plural}/${slug}`;
  };
}

// The documents of public trees (contract: behaviour-search.md section 9, behaviour-trees-and-jobs.md 1.8): what public interfaces ask of
// /search/records to draw a tree. They are not stored: the id says which part of which tree is meant, and the tree answers.
import { parseUri, uriOf } from '../../addresses.ts';
import type { Kind } from '../../kind.ts';
import { kinds } from '../../kinds/index.ts';
import { nodeKindOf } from '../../tree/node-kinds.ts';

/** A part of a tree: its root, 200 children of a node (null: of the root), a node, the way to a node, or all of it in reading order. */
type TreePart =
  | { readonly type: 'tree_root' }
  | { readonly type: 'tree_waypoint'; readonly parentId: number | null; readonly offset: number }
  | { readonly type: 'tree_node' | 'tree_node_from_root'; readonly nodeId: number }
  | { readonly type: 'resource_ordered_records' };

/** What the id of a tree document names. `parent`: the uri of the record that it is about. */
export type TreeDocumentKey = {
  readonly id: string;
  readonly root: {
    readonly uri: string;
    readonly id: number;
    readonly repoId: number;
    readonly kind: Kind;
    readonly nodeKind: Kind;
  };
  readonly parent: string;
  readonly part: TreePart;
};

const form =
  /^(\/repositories\/\d+\/[a-z_]+\/\d+)\/(?:(ordered_records)|tree\/(root)|tree\/waypoint_([^#]*)_(\d{1,9})|tree\/node_(\/[^#]+)|tree\/node_from_root_(\d{1,9}))$/;

/** Reads an id such as `<root>/tree/root`, `<root>/tree/waypoint_<parent>_<offset>`, `<root>/tree/node_<uri>`, `<root>/tree/node_from_root_<id>`, `<root>/ordered_records`; null for every other. */
export function parseTreeDocumentId(id: string): TreeDocumentKey | null {
  const found = form.exec(id);
  const root = found === null ? null : rootOf(found[1] ?? '');
  if (found === null || root === null) return null;
  const place = placeOf(found, root);
  return place === null ? null : { id, root, ...place };
}

type Root = TreeDocumentKey['root'];

/** The root that a uri names; null where it is none. */
function rootOf(uri: string): Root | null {
  const address = parseUri(uri);
  const kind = address === null ? undefined : kinds.get(address.kind);
  const nodeKind = kind === undefined ? null : nodeKindOf(kind);
  if (address?.repoId == null || kind === undefined || nodeKind === null) return null;
  return { uri, id: address.id, repoId: address.repoId, kind, nodeKind };
}

/** Which part of the tree an id names, and the record that it is about. */
function placeOf(found: RegExpExecArray, root: Root): Pick<TreeDocumentKey, 'parent' | 'part'> | null {
  const [, , ordered, isRoot, parent = '', offset, node, fromRoot] = found;
  if (isRoot !== undefined) return { parent: root.uri, part: { type: 'tree_root' } };
  if (ordered !== undefined)
    return root.kind.name === 'resource' ? { parent: root.uri, part: { type: 'resource_ordered_records' } } : null;
  if (fromRoot !== undefined) {
    const nodeId = Number(fromRoot);
    return { parent: uriOf(root.nodeKind, nodeId, root.repoId), part: { type: 'tree_node_from_root', nodeId } };
  }
  if (node !== undefined) {
    const nodeId = nodeIdOf(node, root);
    return nodeId === null ? null : { parent: node, part: { type: 'tree_node', nodeId } };
  }
  // Nothing before the offset, or the root itself: the children of the root.
  const isTop = parent === '' || parent === root.uri;
  const parentId = isTop ? null : nodeIdOf(parent, root);
  if (parentId === null && !isTop) return null;
  return { parent: isTop ? root.uri : parent, part: { type: 'tree_waypoint', parentId, offset: Number(offset) } };
}

/** The id of a node of the root's tree and repository; null for every other uri. */
function nodeIdOf(uri: string, { nodeKind, repoId }: Root): number | null {
  const named = parseUri(uri);
  return named !== null && named.kind === nodeKind.name && named.repoId === repoId ? named.id : null;
}

/** The document as it is answered, as JSON text like the stored ones; `json` is the answer of the tree as JSON text. */
export function toTreeDocument({ id, root, parent, part: { type } }: TreeDocumentKey, json: string): string {
  const repository = `/repositories/${root.repoId}`;
  return JSON.stringify({
    id,
    uri: id,
    pui_parent_id: parent,
    primary_type: type,
    types: [type, 'pui'],
    repository,
    suppressed: false,
    publish: true,
    jsonmodel_type: type,
    json,
  });
}

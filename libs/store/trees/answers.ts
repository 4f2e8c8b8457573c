// The answers of tree/root, tree/waypoint, tree/node and tree/node_from_root, exactly as on the wire (contract, trees 1.2 to 1.6;
// keys in the order of the recorded exchanges). A page costs two or three statements, whatever its size.
import { uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { textOf } from '#domain/json.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { parsedTitle } from '#domain/text/parsed-title.ts';
import { waypointAt, waypointSize, waypointsOf } from '#domain/tree/window.ts';
import type { Reader } from '../connection/database.ts';
import { hasDigitalInstance, withoutUnset } from '#domain/tree/shown.ts';
import type { ShownInTrees, Surroundings } from '#domain/tree/shown.ts';
import { readPage, readRecords } from './answers/page.ts';
import type { Page, PageRecord, TreeView } from './answers/page.ts';
import { countChildren, pathsFromRoot, placesOf, positionsOf, waypoint } from './read.ts';
import type { TreePath, WaypointNode } from './read.ts';
import type { TreeKey } from './conditions.ts';

export type { TreeView } from './answers/page.ts';

/** The answer of tree/root with its first waypoint. `not_found` where the root is not in this repository, or is suppressed and hidden. */
export async function treeRoot(reader: Reader, view: TreeView, rootId: number): Promise<JsonObject> {
  const root = await requireRoot(reader, view, rootId);
  const tree = treeKey(view, rootId);
  const count = await countChildren(reader, tree, null, view);
  const title = textOf(root.record.body, 'title') ?? null;
  return withoutUnset({
    ...counts(count),
    title,
    uri: uriOf(view.rootKind, rootId, view.repoId),
    slugged_url: sluggedUrl(view, view.rootKind, root.record),
    jsonmodel_type: view.rootKind.name,
    parsed_title: parsedTitle(title),
    suppressed: ifReleaseB(view, Number(root.record.suppressed)),
    has_digital_instance: ifReleaseB(view, hasDigitalInstance(root.record.body, root.page)),
    ...shownOf(view.nodeKind).root(root.record.body, root.page),
    precomputed_waypoints: count === 0 ? {} : { '': { 0: await childrenAt(reader, view, rootId, null, 0) } },
  });
}

/** The answer of tree/waypoint: the children [offset × 200, offset × 200 + 200) of a parent; [] past the end and for parents of other roots. `not_found` for an unknown root, and a hidden one. */
export async function treeWaypoint(
  reader: Reader,
  view: TreeView,
  rootId: number,
  parentId: number | null,
  offset: number,
): Promise<readonly Json[]> {
  const found = await childrenAt(reader, view, rootId, parentId, offset);
  // Looked for only where nothing was found (a root without children, or none at all), and for callers from whom it may be hidden.
  if (found.length === 0 || !view.seesSuppressed) await requireRoot(reader, view, rootId);
  return found;
}

async function childrenAt(
  reader: Reader,
  view: TreeView,
  rootId: number,
  parentId: number | null,
  offset: number,
): Promise<readonly Json[]> {
  if (offset < 0) throw fail('bad_parameter', { offset: ['Must not be negative'] });
  if (offset > waypointAt(largestPosition)) return [];
  const nodes = await waypoint(reader, treeKey(view, rootId), parentId, offset, view);
  const page = await readPage(
    reader,
    view,
    view.nodeKind,
    nodes.map((node) => node.id),
  );
  return nodes.flatMap((node) => {
    const record = page.records.get(node.id);
    return record === undefined ? [] : [entry(view, page, node, record, parentId)];
  });
}

/** The answer of tree/node with the first waypoint below it. `not_found` for nodes of other roots and suppressed ones the caller may not see. */
export async function treeNode(reader: Reader, view: TreeView, rootId: number, nodeId: number): Promise<JsonObject> {
  const tree = treeKey(view, rootId);
  const page = await readPage(reader, view, view.nodeKind, [nodeId]);
  const record = page.records.get(nodeId);
  const place = (await placesOf(reader, tree, [nodeId])).get(nodeId);
  if (record === undefined || place?.root_id !== rootId || isHidden(view, record))
    throw fail('not_found', `${view.nodeKind.model} not found`);
  const count = await countChildren(reader, tree, nodeId, view);
  const position = (await positionsOf(reader, tree, [nodeId], view)).get(nodeId) ?? 0;
  const uri = uriOf(view.nodeKind, nodeId, view.repoId);
  return withoutUnset({
    ...counts(count),
    title: record.label,
    uri,
    // From 1, unlike the positions of waypoints: so on the wire in both releases.
    position: position + 1,
    jsonmodel_type: view.nodeKind.name,
    has_digital_instance: ifReleaseB(view, hasDigitalInstance(record.body, page)),
    ...shownOf(view.nodeKind).node(record.body),
    precomputed_waypoints: count === 0 ? {} : { [uri]: { 0: await childrenAt(reader, view, rootId, nodeId, 0) } },
  });
}

/**
 * The answer of tree/node_from_root: for each id the way from its root, each step with the waypoint in which the next is found. `rootId` must exist; nodes of
 * other roots are answered with their own. `not_found` for an id that is no node or is filtered out. In pieces of one node, put together as they are asked
 * for: the ways to a thousand nodes below each other are half a million steps, of which a thousand differ.
 */
export async function treeNodeFromRoot(
  reader: Reader,
  view: TreeView,
  rootId: number,
  nodeIds: readonly number[],
): Promise<IteratorObject<string>> {
  await requireRoot(reader, view, rootId);
  const scope = treeKey(view, rootId);
  const paths = await pathsFromRoot(reader, scope, nodeIds);
  if (nodeIds.some((id) => paths.get(id) === undefined || (view.publishedOnly && paths.get(id)?.visible !== true)))
    throw fail('not_found', `${view.nodeKind.model} not found`);
  const ancestors = [...new Set([...paths.values()].flatMap((path) => path.ancestors))];
  const positions = await positionsOf(reader, scope, [...new Set([...nodeIds, ...ancestors])], view);
  const nodes = await readRecords(reader, view.nodeKind.name, view.repoId, ancestors);
  const roots = await readRecords(reader, view.rootKind.name, view.repoId, [
    ...new Set([...paths.values()].map((path) => path.rootId)),
  ]);
  if ([...roots.values()].some((root) => isHidden(view, root)))
    throw fail('not_found', `${view.nodeKind.model} not found`);
  // The step to a node is the same in the ways to all that are below it.
  const steps = new Map<number, string>();
  const stepTo = (id: number, holder: number | undefined, path: TreePath): string => {
    const known = steps.get(id);
    if (known !== undefined) return known;
    const root = uriOf(view.rootKind, path.rootId, view.repoId);
    const offset = waypointAt(positions.get(id) ?? 0);
    const step = JSON.stringify(
      holder === undefined
        ? stepFromRoot(view, root, roots.get(path.rootId), offset)
        : stepFromNode(view, root, holder, nodes.get(holder), offset),
    );
    steps.set(id, step);
    return step;
  };
  return waysAsObject(paths, (id, path) => {
    const way = [...path.ancestors, id];
    return `[${way.map((next, at) => stepTo(next, way[at - 1], path)).join(',')}]`;
  });
}

function stepFromRoot(view: TreeView, root: string, record: PageRecord | undefined, offset: number): JsonObject {
  const title = (record === undefined ? undefined : textOf(record.body, 'title')) ?? null;
  return {
    node: null,
    root_record_uri: root,
    offset,
    jsonmodel_type: view.rootKind.name,
    title,
    parsed_title: parsedTitle(title),
  };
}

// Its keys stand in another order than those of a root.
function stepFromNode(
  view: TreeView,
  root: string,
  id: number,
  record: PageRecord | undefined,
  offset: number,
): JsonObject {
  const title = record?.label ?? null;
  return {
    node: uriOf(view.nodeKind, id, view.repoId),
    root_record_uri: root,
    jsonmodel_type: view.nodeKind.name,
    title,
    offset,
    parsed_title: parsedTitle(title),
  };
}

/** A JSON object in pieces, the way to each node under its id, in the order in which JSON.stringify gives numbers. */
function* waysAsObject(
  paths: ReadonlyMap<number, TreePath>,
  wayTo: (id: number, path: TreePath) => string,
): Generator<string> {
  let before = '{';
  for (const [id, path] of [...paths].sort(([a], [b]) => a - b)) {
    yield `${before}"${id}":${wayTo(id, path)}`;
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

const largestPosition = 2_147_483_000;

function entry(
  view: TreeView,
  around: Surroundings,
  node: WaypointNode,
  record: PageRecord,
  parentId: number | null,
): JsonObject {
  const title = textOf(record.body, 'title') ?? null;
  return withoutUnset({
    ...counts(node.child_count),
    title,
    slugged_url: sluggedUrl(view, view.nodeKind, record),
    parsed_title: parsedTitle(title),
    uri: uriOf(view.nodeKind, node.id, view.repoId),
    position: node.position,
    parent_id: parentId,
    suppressed: ifReleaseB(view, Number(record.suppressed)),
    jsonmodel_type: view.nodeKind.name,
    has_digital_instance: ifReleaseB(view, hasDigitalInstance(record.body, around)),
    ...shownOf(view.nodeKind).entry(record.body, around),
  });
}

const counts = (childCount: number): JsonObject => ({
  child_count: childCount,
  waypoints: waypointsOf(childCount),
  waypoint_size: waypointSize,
});
const ifReleaseB = <T extends Json>(view: TreeView, value: T): T | undefined =>
  view.release === 'R-B' ? value : undefined;
const sluggedUrl = (view: TreeView, kind: Kind, record: PageRecord): string =>
  view.sluggedUrl?.(kind, record.body) ?? '';

function treeKey(view: TreeView, rootId: number): TreeKey {
  const code = view.nodeKind.tree?.code;
  if (code === undefined) throw fail('internal', `${view.nodeKind.name} is in no tree`);
  return { repoId: view.repoId, code, rootId };
}

/** Suppressed children are listed for everybody, but what a caller asks for by itself is a record like others (contract 1.3). */
const isHidden = (view: TreeView, record: PageRecord): boolean => record.suppressed && !view.seesSuppressed;

async function requireRoot(
  reader: Reader,
  view: TreeView,
  rootId: number,
): Promise<{ readonly record: PageRecord; readonly page: Page }> {
  const page = await readPage(reader, view, view.rootKind, [rootId]);
  const record = page.records.get(rootId);
  if (record === undefined || isHidden(view, record)) throw fail('not_found', `${view.rootKind.model} not found`);
  return { record, page };
}

/** What a kind adds; one that declares nothing adds its identifier. */
function shownOf(node: Kind): ShownInTrees {
  const identifier = (body: JsonObject): JsonObject => ({ identifier: textOf(body, 'identifier') ?? null });
  return node.tree?.shows ?? { root: identifier, entry: identifier, node: identifier };
}
